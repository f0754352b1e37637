/* A CUDA device of this process: what it is, its context and our kernels. */

#include "device/cuda_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"

/* Made of device/kernels.cu and built in by cuda/fatbin.S. */
extern const unsigned char kb_cuda_kernels_fatbin[];
extern const uint64_t kb_cuda_kernels_fatbin_bytes;

static const char *const kernel_names[KB_CUDA_KERNEL_COUNT] = {
	[KB_CUDA_FILL] = "kb_kernel_fill",
	[KB_CUDA_CHECK] = "kb_kernel_check",
	[KB_CUDA_DIFFER] = "kb_kernel_differ",
	[KB_CUDA_COMPARE_FLOAT64] = "kb_kernel_compare_float64",
	[KB_CUDA_COMPARE_FLOAT32] = "kb_kernel_compare_float32",
	[KB_CUDA_COMPARE_FLOAT16] = "kb_kernel_compare_float16",
	[KB_CUDA_COMPARE_BFLOAT16] = "kb_kernel_compare_bfloat16",
	[KB_CUDA_COMPARE_FLOAT8_E4M3FN] = "kb_kernel_compare_float8_e4m3fn",
	[KB_CUDA_COMPARE_FLOAT8_E5M2] = "kb_kernel_compare_float8_e5m2",
	[KB_CUDA_COMPARE_INTEGERS] = "kb_kernel_compare_integers",
	[KB_CUDA_LARGEST] = "kb_kernel_largest",
	[KB_CUDA_REDUCE] = "kb_kernel_reduce",
	[KB_CUDA_WASH] = "kb_kernel_wash",
	[KB_CUDA_RINSE] = "kb_kernel_rinse",
	[KB_CUDA_COPY] = "kb_kernel_copy",
	[KB_CUDA_SCATTER] = "kb_kernel_scatter",
	[KB_CUDA_MARK] = "kb_kernel_mark",
	[KB_CUDA_HOLD] = "kb_kernel_hold",
};

bool kb_cuda_built(void)
{
	return kb_cuda_kernels_fatbin_bytes > 0;
}

/* Under MPS contexts do not take turns on the device, which all that is measured
 * and verified there rests on. A driver that does not know the question has no
 * answer, and then nothing is held against it. */
static int check_turns(struct kb_cuda *c, int ordinal, struct kb_err *err)
{
	int is_shared = 0;

	if (c->api->DeviceGetAttribute(&is_shared, KB_CU_MPS_ENABLED,
				       c->device) != KB_CU_SUCCESS ||
	    !is_shared)
		return 0;
	return kb_err(err, KB_ERR_DEVICE,
		      "CUDA device %d is shared by MPS, so that candidates "
		      "could compute while they are not timed; stop "
		      "nvidia-cuda-mps-control, or set CUDA_MPS_PIPE_DIRECTORY "
		      "to an empty directory", ordinal);
}

static int find_device(struct kb_cuda *c, int ordinal, struct kb_err *err)
{
	kb_cu_result result = c->api->Init(0);
	int count = 0;

	if (result == KB_CU_SUCCESS)
		result = c->api->DeviceGetCount(&count);
	if (result == KB_CU_NO_DEVICE)
		result = KB_CU_SUCCESS;
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "start the CUDA driver");
	if (ordinal < 0 || ordinal >= count)
		return kb_err(err, KB_ERR_MISSING,
			      "there is no CUDA device %d: the driver has %d",
			      ordinal, count);
	result = c->api->DeviceGet(&c->device, ordinal);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "get CUDA device %d", ordinal);
	return check_turns(c, ordinal, err);
}

static int read_attribute(struct kb_cuda *c, enum kb_cu_attribute which, int *value,
			  struct kb_err *err)
{
	kb_cu_result result =
		c->api->DeviceGetAttribute(value, (int)which, c->device);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "get attribute %d of the CUDA device",
				   (int)which);
	return 0;
}

static int read_attributes(struct kb_cuda *c, struct kb_err *err)
{
	struct kb_cuda_device *f = &c->facts;
	int l2_cache_bytes = 0, has_ats = 0;

	if (read_attribute(c, KB_CU_CAPABILITY_MAJOR, &f->capability_major,
			   err) < 0 ||
	    read_attribute(c, KB_CU_CAPABILITY_MINOR, &f->capability_minor,
			   err) < 0 ||
	    read_attribute(c, KB_CU_MULTIPROCESSOR_COUNT, &f->multiprocessors,
			   err) < 0 ||
	    read_attribute(c, KB_CU_L2_CACHE_BYTES, &l2_cache_bytes, err) < 0 ||
	    read_attribute(c, KB_CU_HOST_PAGE_TABLES, &has_ats, err) < 0)
		return -KB_ERR_DEVICE;
	f->reads_host_memory = has_ats;
	f->l2_cache_bytes = (uint64_t)l2_cache_bytes;
	return 0;
}

static int read_facts(struct kb_cuda *c, struct kb_err *err)
{
	struct kb_cuda_device *f = &c->facts;
	struct kb_cu_uuid uuid;
	kb_cu_result result;
	size_t bytes = 0;

	result = c->api->DriverGetVersion(&f->driver_version);
	if (result == KB_CU_SUCCESS)
		result = c->api->DeviceGetName(f->name, sizeof(f->name),
					       c->device);
	if (result == KB_CU_SUCCESS)
		result = c->api->DeviceGetUuid(&uuid, c->device);
	if (result == KB_CU_SUCCESS)
		result = c->api->DeviceGetPCIBusId(f->pci_bus_id,
						   sizeof(f->pci_bus_id),
						   c->device);
	if (result == KB_CU_SUCCESS)
		result = c->api->DeviceTotalMem(&bytes, c->device);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "ask the driver about the CUDA device");
	memcpy(f->uuid, uuid.bytes, sizeof(f->uuid));
	f->memory_bytes = bytes;
	return read_attributes(c, err);
}

/* Streams that are not "non-blocking" wait for the default stream of their
 * context, and it for them. */
static int make_current(struct kb_cuda *c, struct kb_err *err)
{
	kb_cu_result result =
		c->api->DevicePrimaryCtxRetain(&c->context, c->device);

	if (result != KB_CU_SUCCESS)
		c->context = NULL;
	else
		result = c->api->CtxSetCurrent(c->context);
	if (result == KB_CU_SUCCESS)
		result = c->api->StreamCreate(&c->stream,
					      KB_CU_STREAM_NON_BLOCKING);
	if (result == KB_CU_SUCCESS)
		result = c->api->StreamCreate(&c->uploads,
					      KB_CU_STREAM_NON_BLOCKING);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "use the CUDA device '%s'", c->facts.name);
	return 0;
}

static int load_kernels(struct kb_cuda *c, struct kb_err *err)
{
	kb_cu_result result =
		c->api->ModuleLoadData(&c->module, kb_cuda_kernels_fatbin);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "load kernels onto the CUDA device '%s'",
				   c->facts.name);
	for (size_t i = 0; i < KB_CUDA_KERNEL_COUNT; i++) {
		result = c->api->ModuleGetFunction(&c->kernels[i], c->module,
						   kernel_names[i]);
		if (result != KB_CU_SUCCESS)
			return kb_cuda_err(err, c->api, result,
					   "find the kernel '%s'",
					   kernel_names[i]);
	}
	return 0;
}

static int find_page_bytes(struct kb_cuda *c, struct kb_err *err)
{
	const struct kb_cu_allocation_prop prop = {
		.type = KB_CU_ALLOCATION_PINNED,
		.handle_types = KB_CU_HANDLE_FD,
		.location = { KB_CU_LOCATION_DEVICE, c->device },
	};
	kb_cu_result result = c->api->MemGetAllocationGranularity(
		&c->page_bytes, &prop, KB_CU_GRANULARITY_MINIMUM);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "get the size of the device's pages");
	return 0;
}

static int reserve_rounds(struct kb_cuda *c, struct kb_err *err)
{
	const uint64_t scratch_bytes = 2 * c->facts.l2_cache_bytes / 16 * 16;
	kb_cu_result result = c->api->MemHostAlloc(&c->host,
						   KB_CUDA_ROUND_BYTES,
						   KB_CU_HOST_PORTABLE);
	int ret;

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "allocate pinned memory");
	ret = kb_cuda_reserve(c, &c->items, KB_CUDA_ROUND_BYTES,
			      "lists of work", err);
	if (ret >= 0 && scratch_bytes)
		ret = kb_cuda_reserve(c, &c->scratch.address, scratch_bytes,
				      "emptying the L2 cache", err);
	c->scratch.bytes = scratch_bytes;
	return ret;
}

static int prepare_device(struct kb_cuda *c, int ordinal, struct kb_err *err)
{
	int ret = find_device(c, ordinal, err);

	if (ret < 0)
		return ret;
	if (!kb_cuda_built())
		return kb_err(err, KB_ERR_MISSING,
			      "this program was built without the CUDA "
			      "toolkit and has no kernels");
	ret = read_facts(c, err);
	if (ret >= 0)
		ret = make_current(c, err);
	if (ret >= 0)
		ret = load_kernels(c, err);
	if (ret >= 0)
		ret = find_page_bytes(c, err);
	if (ret >= 0)
		ret = reserve_rounds(c, err);
	return ret < 0 ? ret : kb_cuda_chain_open(c, err);
}

int kb_cuda_open(struct kb_cuda **out, int ordinal, struct kb_err *err)
{
	const struct kb_cuda_api *api = kb_cuda_api(err);
	struct kb_cuda *c;
	int ret;

	if (!api)
		return -KB_ERR_MISSING;
	c = kb_xcalloc(1, sizeof(*c));
	c->api = api;
	c->first = c;
	ret = prepare_device(c, ordinal, err);
	if (ret < 0)
		kb_cuda_close(c);
	else
		*out = c;
	return ret;
}

/* In the order in which they were made, backwards. Nothing can be done
 * about an error here: after a fault every call fails. */
void kb_cuda_close(struct kb_cuda *c)
{
	const struct kb_cuda_api *api;

	if (!c)
		return;
	kb_cuda_close(c->next);
	c->next = NULL;
	api = c->api;
	if (c->context)
		(void)api->CtxSetCurrent(c->context);
	/* After an error a mark may still be held back. */
	if (c->words) {
		kb_cuda_mark_begin(c);
		kb_cuda_mark_release(c);
	}
	if (c->stream)
		(void)api->StreamSynchronize(c->stream);
	kb_cuda_chain_close(c);
	kb_cuda_compare_close(c);
	if (c->scratch.address)
		(void)api->MemFree(c->scratch.address);
	if (c->items)
		(void)api->MemFree(c->items);
	if (c->host)
		(void)api->MemFreeHost(c->host);
	if (c->module)
		(void)api->ModuleUnload(c->module);
	if (c->uploads)
		(void)api->StreamDestroy(c->uploads);
	if (c->stream)
		(void)api->StreamDestroy(c->stream);
	if (c->context)
		(void)api->DevicePrimaryCtxRelease(c->device);
	free(c);
}

int kb_cuda_open_group(struct kb_cuda **out, const int ordinals[], size_t count,
		       struct kb_err *err)
{
	struct kb_cuda *first = NULL, **last = &first;
	int ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i++) {
		ret = kb_cuda_open(last, ordinals[i], err);
		if (ret < 0)
			break;
		(*last)->first = first;
		last = &(*last)->next;
	}
	if (ret >= 0)
		ret = kb_cuda_make_current(first, err);
	if (ret < 0)
		kb_cuda_close(first);
	else
		*out = first;
	return ret;
}

struct kb_cuda *kb_cuda_of_rank(struct kb_cuda *c, uint32_t rank)
{
	while (rank-- && c->next)
		c = c->next;
	return c;
}

const struct kb_cuda_device *kb_cuda_device(const struct kb_cuda *c)
{
	return &c->facts;
}
