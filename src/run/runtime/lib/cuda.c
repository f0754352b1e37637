/* A worker's device: its context, shared memory and the gate on a stream. */

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "cuda/cuda_api.h"
#include "random/cuda_random.h"
#include "runtime/lib/pool.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

struct kbrt_cuda {
	const struct kb_cuda_api *api;
	struct kb_cuda_random random;
	bool retained;
	int device;			/* of those that we may see: its rank's */
	kb_cu_context context;
	kb_cu_address go, done;		/* of the control page */
	kb_cu_address state;
	kb_cu_address pool;
	uint64_t used_bytes[KBRT_REGION_COUNT];	/* of addresses */
	uint64_t pool_bytes;
	uint64_t *table;
	kb_cu_address spare;		/* of a reference: a number nobody reads */
};

/* One a process, because torch's allocators are functions without data. */
static struct kbrt_pool *the_pool;

/* --- opening -------------------------------------------------------- */

/* The primary context, which torch uses too: memory that is mapped here is
 * torch's to use. */
static int retain_context(struct kbrt_cuda *cuda, struct kb_err *err)
{
	const struct kb_cuda_api *cu = cuda->api;
	kb_cu_device device;
	kb_cu_result result = cu->Init(0);

	if (!result)
		result = cu->DeviceGet(&device, cuda->device);
	if (!result)
		result = cu->DevicePrimaryCtxRetain(&cuda->context, device);
	cuda->retained = !result;
	if (!result)
		result = cu->CtxSetCurrent(cuda->context);
	return result ? kb_cuda_err(err, cu, result, "open the device") : 0;
}

static int register_control(struct kbrt_cuda *cuda, struct kb_control *control,
			    uint32_t rank, struct kb_err *err)
{
	const struct kb_cuda_api *cu = cuda->api;
	kb_cu_address page;
	kb_cu_result result =
		cu->MemHostRegister(control, KB_CONTROL_BYTES,
				    KB_CU_HOST_PORTABLE | KB_CU_HOST_MAPPED);

	if (!result)
		result = cu->MemHostGetDevicePointer(&page, control, 0);
	if (result)
		return kb_cuda_err(err, cu, result,
				   "show the control page to the device");
	cuda->go = page + offsetof(struct kb_control, go);
	cuda->done = page + (kb_cu_address)((char *)kb_control_word(control, rank) -
					    (char *)control);
	return 0;
}

int kbrt_cuda_open(struct kbrt *rt, struct kb_err *err)
{
	struct kbrt_cuda *cuda;
	const struct kb_cuda_api *api = kb_cuda_api(err);
	int ret;

	if (!api)
		return -KB_ERR_MISSING;
	rt->cuda = cuda = kb_xcalloc(1, sizeof(*cuda));
	cuda->api = api;
	cuda->device = (int)rt->rank;
	ret = retain_context(cuda, err);
	return ret ? ret : register_control(cuda, rt->control, rt->rank, err);
}

kb_cu_context kbrt_cuda_context(const struct kbrt *rt)
{
	return rt->cuda->context;
}

bool kbrt_has_device(const struct kbrt *rt)
{
	return rt->cuda;
}

int kbrt_cuda_random(struct kb_cuda_random **out, const struct kbrt *rt,
		     struct kb_err *err)
{
	struct kb_cuda_random *random = &rt->cuda->random;

	*out = random;
	return random->api ? 0 : kb_cuda_random_open(random, rt->cuda->api,
						     err);
}

/* --- memory --------------------------------------------------------- */

static uint64_t page_up(uint64_t bytes)
{
	return (bytes + KB_PAGE_BYTES - 1) / KB_PAGE_BYTES * KB_PAGE_BYTES;
}

/*
 * Where slots, master slots and the pool are asked to be: at the same
 * addresses in every worker, one after the other. How the device translates
 * addresses shows in calls of a few microseconds, and reference and
 * candidate should pay alike. A driver that puts them elsewhere may.
 */
static const kb_cu_address region_bases[] = {
	[KBRT_REGION_SLOTS] = UINT64_C(0x200000000000),
	[KBRT_REGION_MASTERS] = UINT64_C(0x280000000000),
	[KBRT_REGION_POOL] = UINT64_C(0x300000000000),
};

static kb_cu_result map_handle(kb_cu_address *out,
			       const struct kbrt_cuda *cuda,
			       kb_cu_handle handle, kb_cu_address hint,
			       uint64_t bytes)
{
	const struct kb_cuda_api *cu = cuda->api;
	const struct kb_cu_access_desc access = {
		.location = { .type = KB_CU_LOCATION_DEVICE,
			      .id = cuda->device },
		.flags = KB_CU_ACCESS_READ_WRITE,
	};
	kb_cu_address p;
	kb_cu_result result = cu->MemAddressReserve(&p, bytes, KB_PAGE_BYTES,
						    hint, 0);

	if (result)
		return result;
	result = cu->MemMap(p, bytes, 0, handle, 0);
	if (!result) {
		result = cu->MemSetAccess(p, bytes, &access, 1);
		if (result)
			(void)cu->MemUnmap(p, bytes);
	}
	if (result)
		(void)cu->MemAddressFree(p, bytes);
	*out = p;
	return result;
}

int kbrt_device_map(void **out, struct kbrt *rt, enum kbrt_region region,
		    int fd, uint64_t bytes, const char *what,
		    struct kb_err *err)
{
	const struct kb_cuda_api *cu = rt->cuda->api;
	uint64_t *used_bytes = &rt->cuda->used_bytes[region];
	kb_cu_handle handle;
	kb_cu_address p = 0;
	kb_cu_result result;

	if (fd < 0)
		return kb_err(err, KB_ERR_CORRUPT, "no descriptor for %s", what);
	result = cu->MemImportFromShareableHandle(
		&handle, (void *)(uintptr_t)fd, KB_CU_HANDLE_FD);
	if (!result) {
		result = map_handle(&p, rt->cuda, handle,
				    region_bases[region] + *used_bytes,
				    page_up(bytes));
		*used_bytes += page_up(bytes);
		/* The mapping keeps the memory. */
		(void)cu->MemRelease(handle);
	}
	if (result)
		return kb_cuda_err(err, cu, result, "map %s", what);
	*out = (void *)(uintptr_t)p;
	return 0;
}

void kbrt_device_unmap(struct kbrt *rt, void *p, uint64_t bytes)
{
	const struct kb_cuda_api *cu = rt->cuda->api;

	(void)cu->MemUnmap((uintptr_t)p, page_up(bytes));
	(void)cu->MemAddressFree((uintptr_t)p, page_up(bytes));
}

int kbrt_state_to_device(struct kbrt *rt, struct kb_err *err)
{
	const struct kb_cuda_api *cu = rt->cuda->api;
	kb_cu_result result = cu->MemAlloc(&rt->cuda->state, rt->state_bytes);

	if (!result)
		result = cu->MemcpyHtoDAsync(rt->cuda->state, rt->state,
					     rt->state_bytes, NULL);
	if (!result)
		result = cu->StreamSynchronize(NULL);
	return result ? kb_cuda_err(err, cu, result,
				    "copy the state to the device") : 0;
}

void *kbrt_state_on_device(const struct kbrt *rt, uint32_t i)
{
	const char *data = kbrt_state_data(rt, i);

	return (void *)(uintptr_t)(rt->cuda->state +
				   (uint64_t)(data - rt->state));
}

/* --- the pool ------------------------------------------------------- */

/*
 * A kernel, however small. A run of no calls needs one: without it the device
 * has no reason to take up this context, and the run would cost less than a
 * run does.
 */
static int touch_context(struct kbrt *rt, struct kb_err *err)
{
	const struct kb_draw draw = { KB_DRAW_UNIFORM, 0, 1 };
	const struct kb_random_stream stream = { .slot = 0 };
	struct kb_cuda_random *random;
	int ret = kbrt_cuda_random(&random, rt, err);

	return ret ? ret : kb_cuda_random_fill(
		random, NULL,
		&(struct kb_cuda_tensor){ rt->cuda->spare, KB_FLOAT32, 1 },
		&draw, &stream, err);
}

/* Load before a gate is closed what the first launch would load. */
static int prepare_touch(struct kbrt *rt, struct kb_err *err)
{
	const struct kb_cuda_api *cu = rt->cuda->api;
	kb_cu_result result = cu->MemAlloc(&rt->cuda->spare, sizeof(float));
	int ret;

	if (result)
		return kb_cuda_err(err, cu, result, "allocate device memory");
	ret = touch_context(rt, err);
	return ret ? ret : kbrt_device_sync(rt, err);
}

int kbrt_pool_map(struct kbrt *rt, struct kb_err *err)
{
	kb_auto(fd) int pool_fd = kbrt_fd_take(rt);
	kb_auto(fd) int table_fd = kbrt_fd_take(rt);
	struct kbrt_cuda *cuda = rt->cuda;
	const uint64_t bytes = rt->request.bytes;
	void *pool, *table;
	int ret;

	if (the_pool || !bytes || bytes % KB_PAGE_BYTES ||
	    bytes > KB_TENSOR_BYTES_MAX)
		return kb_err(err, KB_ERR_CORRUPT,
			      "a pool of %llu bytes makes no sense",
			      (unsigned long long)bytes);
	ret = kbrt_map(&table, table_fd, KB_TABLE_BYTES,
		       PROT_READ | PROT_WRITE, MAP_SHARED, "the table", err);
	if (ret < 0)
		return ret;
	cuda->table = table;
	ret = kbrt_device_map(&pool, rt, KBRT_REGION_POOL, pool_fd, bytes,
			      "the pool", err);
	if (ret < 0)
		return ret;
	cuda->pool = (uintptr_t)pool;
	cuda->pool_bytes = bytes;
	the_pool = kbrt_pool_new(cuda->pool, bytes);
	return rt->is_reference ? prepare_touch(rt, err) : 0;
}

void *kbrt_pool_alloc(size_t bytes, int device, void *stream)
{
	(void)device;
	(void)stream;
	return the_pool ? (void *)(uintptr_t)kbrt_pool_take(the_pool, bytes)
			: NULL;
}

void kbrt_pool_free(void *p, size_t bytes, int device, void *stream)
{
	(void)bytes;
	(void)device;
	(void)stream;
	if (the_pool)
		kbrt_pool_give(the_pool, (uintptr_t)p);
}

static void tell_output(struct kbrt *rt, uint32_t slot, uint32_t i,
			uint64_t word)
{
	rt->cuda->table[(size_t)slot * KB_OUTPUTS_MAX + i] = word;
}

bool kbrt_output_at(struct kbrt *rt, uint32_t slot, uint32_t i,
		    uint64_t address, uint64_t bytes)
{
	const struct kbrt_cuda *cuda = rt->cuda;
	const uint64_t offset = bytes ? address - cuda->pool : 0;

	if (offset > cuda->pool_bytes || bytes > cuda->pool_bytes - offset)
		return false;
	tell_output(rt, slot, i, offset);
	rt->cuda->table[KB_TABLE_PEAK] = kbrt_pool_peak_bytes(the_pool);
	return true;
}

void kbrt_output_in_slot(struct kbrt *rt, uint32_t slot, uint32_t i)
{
	if (rt->cuda->table)
		tell_output(rt, slot, i, KB_IN_SLOT);
}

/* --- work ----------------------------------------------------------- */

int kbrt_stream_gate_wait(struct kbrt *rt, struct kb_err *err)
{
	const struct kb_cuda_api *cu = rt->cuda->api;
	kb_cu_result result =
		cu->StreamWaitValue32(NULL, rt->cuda->go, rt->request.go,
				      KB_CU_WAIT_VALUE_GEQ);

	return result ? kb_cuda_err(err, cu, result,
				    "make the device wait") : 0;
}

int kbrt_stream_gate_done(struct kbrt *rt, struct kb_err *err)
{
	const struct kb_cuda_api *cu = rt->cuda->api;
	kb_cu_result result;
	int ret = 0;

	if (!rt->request.slot_count && rt->cuda->spare)
		ret = touch_context(rt, err);
	if (ret)
		return ret;
	result = cu->StreamWriteValue32(NULL, rt->cuda->done, rt->request.go,
					0);

	return result ? kb_cuda_err(err, cu, result,
				    "let the device say that it is done") : 0;
}

int kbrt_device_sync(struct kbrt *rt, struct kb_err *err)
{
	const struct kb_cuda_api *cu = rt->cuda->api;
	kb_cu_result result = cu->CtxSynchronize();

	return result ? kb_cuda_err(err, cu, result, "wait for the device")
		      : 0;
}

/* --- closing -------------------------------------------------------- */

static void close_pool(struct kbrt *rt)
{
	struct kbrt_cuda *cuda = rt->cuda;

	if (cuda->pool) {
		kbrt_pool_delete(the_pool);
		the_pool = NULL;
		kbrt_device_unmap(rt, (void *)(uintptr_t)cuda->pool,
				  cuda->pool_bytes);
	}
	if (cuda->table)
		munmap(cuda->table, KB_TABLE_BYTES);
}

void kbrt_cuda_close(struct kbrt *rt)
{
	struct kbrt_cuda *cuda = rt->cuda;

	if (!cuda)
		return;
	close_pool(rt);
	kb_cuda_random_close(&cuda->random);
	if (cuda->spare)
		(void)cuda->api->MemFree(cuda->spare);
	if (cuda->state)
		(void)cuda->api->MemFree(cuda->state);
	if (cuda->go)
		(void)cuda->api->MemHostUnregister(rt->control);
	if (cuda->retained)
		(void)cuda->api->DevicePrimaryCtxRelease(cuda->device);
	free(cuda);
	rt->cuda = NULL;
}
