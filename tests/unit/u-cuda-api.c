#include "cuda/cuda_api.h"

#if defined(__has_include)
#if __has_include(<cuda.h>)
#include <cuda.h>
#endif
#endif

#include "base/err.h"
#include "device/cuda.h"
#include "lib/tap.h"
#include "random/cuda_random.h"

/* What the toolkit says, where there is one. */
#ifdef CUDA_VERSION

#define SAME(ours, theirs) \
	_Static_assert((int)(ours) == (int)(theirs), #ours)

SAME(KB_CU_SUCCESS, CUDA_SUCCESS);
SAME(KB_CU_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
SAME(KB_CU_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
SAME(KB_CU_NOT_FOUND, CUDA_ERROR_NOT_FOUND);
SAME(KB_CU_LOCATION_DEVICE, CU_MEM_LOCATION_TYPE_DEVICE);
SAME(KB_CU_ALLOCATION_PINNED, CU_MEM_ALLOCATION_TYPE_PINNED);
SAME(KB_CU_HANDLE_FD, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
SAME(KB_CU_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
SAME(KB_CU_ACCESS_READ_WRITE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
SAME(KB_CU_HOST_PORTABLE, CU_MEMHOSTALLOC_PORTABLE);
SAME(KB_CU_HOST_PORTABLE, CU_MEMHOSTREGISTER_PORTABLE);
SAME(KB_CU_HOST_MAPPED, CU_MEMHOSTALLOC_DEVICEMAP);
SAME(KB_CU_HOST_MAPPED, CU_MEMHOSTREGISTER_DEVICEMAP);
SAME(KB_CU_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING);
SAME(KB_CU_WAIT_VALUE_GEQ, CU_STREAM_WAIT_VALUE_GEQ);
SAME(KB_CU_CAPTURE_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
SAME(KB_CU_MULTIPROCESSOR_COUNT, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(KB_CU_L2_CACHE_BYTES, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME(KB_CU_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(KB_CU_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(KB_CU_HOST_PAGE_TABLES,
     CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES);
SAME(KB_CU_CAN_SHARE_FDS,
     CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED);

SAME(sizeof(kb_cu_result), sizeof(CUresult));
SAME(sizeof(kb_cu_device), sizeof(CUdevice));
SAME(sizeof(kb_cu_address), sizeof(CUdeviceptr));
SAME(sizeof(kb_cu_handle), sizeof(CUmemGenericAllocationHandle));
SAME(sizeof(struct kb_cu_uuid), sizeof(CUuuid));
SAME(sizeof(enum kb_cu_attribute), sizeof(CUdevice_attribute));

SAME(sizeof(struct kb_cu_location), sizeof(CUmemLocation));
SAME(offsetof(struct kb_cu_location, type), offsetof(CUmemLocation, type));
SAME(offsetof(struct kb_cu_location, id), offsetof(CUmemLocation, id));

SAME(sizeof(struct kb_cu_allocation_prop), sizeof(CUmemAllocationProp));
#define SAME_PROP(ours, theirs)						\
	SAME(offsetof(struct kb_cu_allocation_prop, ours),		\
	     offsetof(CUmemAllocationProp, theirs))
SAME_PROP(type, type);
SAME_PROP(handle_types, requestedHandleTypes);
SAME_PROP(location, location);
SAME_PROP(win32_meta_data, win32HandleMetaData);
SAME_PROP(compression_type, allocFlags.compressionType);
SAME_PROP(gpu_direct_rdma, allocFlags.gpuDirectRDMACapable);
SAME_PROP(usage, allocFlags.usage);
SAME_PROP(reserved, allocFlags.reserved);

SAME(sizeof(struct kb_cu_access_desc), sizeof(CUmemAccessDesc));
SAME(offsetof(struct kb_cu_access_desc, location),
     offsetof(CUmemAccessDesc, location));
SAME(offsetof(struct kb_cu_access_desc, flags),
     offsetof(CUmemAccessDesc, flags));

/* From 13.0 on cuda.h calls all functions by their names alone, each of
 * which stands for a symbol with a version in it. */
#if CUDA_VERSION >= 13000

#define QUOTE(x) #x
#define SYMBOL(name) QUOTE(name)

static const struct {
	const char *ours, *theirs;
} symbols[] = {
#define ENTRY(member, symbol, arguments) { symbol, SYMBOL(cu##member) },
	KB_CUDA_FUNCTIONS(ENTRY)
#undef ENTRY
};

/* This one has a second version in newer toolkits, which older drivers lack;
 * of events that are over the first says what we want. */
static const char older[] = "cuEventElapsedTime";

static void test_symbols_are_those_of_the_toolkit(void)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
		if (strcmp(symbols[i].ours, older))
			check_str(symbols[i].ours, symbols[i].theirs);
}

#endif
#endif

#if !defined(CUDA_VERSION) || CUDA_VERSION < 13000
static void test_symbols_are_those_of_the_toolkit(void)
{
	tap_skip("there is no <cuda.h> of 13.0 or later");
}
#endif

static void test_a_machine_without_a_driver_has_no_device(void)
{
	struct kb_err api_err = KB_ERR_INIT, err = KB_ERR_INIT;
	struct kb_cuda *c = NULL;

	if (kb_cuda_api(&api_err)) {
		tap_skip("there is a CUDA driver");
		return;
	}
	check_int(kb_cuda_open(&c, 0, &err), -KB_ERR_MISSING);
	check_int(err.kind, KB_ERR_MISSING);
	check_str(err.msg, "there is no CUDA driver: 'libcuda.so.1' cannot "
		  "be loaded");
	check(!c);
	kb_cuda_close(c);
}

static kb_cu_result error_name(kb_cu_result result, const char **name)
{
	*name = result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : NULL;
	return KB_CU_SUCCESS;
}

static void test_errors_have_the_driver_s_names(void)
{
	const struct kb_cuda_api cu = { .GetErrorName = error_name };
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_cuda_err(&err, &cu, 700, "copy %d bytes", 3),
		  -KB_ERR_DEVICE);
	check_str(err.msg, "cannot copy 3 bytes: CUDA_ERROR_ILLEGAL_ADDRESS");
	check_int(kb_cuda_err(&err, &cu, 12345, "wait"), -KB_ERR_DEVICE);
	check_str(err.msg, "cannot wait: an error without a name");
	check_int(kb_cuda_err(&err, &cu, KB_CU_OUT_OF_MEMORY, "allocate"),
		  -KB_ERR_SYS);
	check_str(err.msg, "cannot allocate: Cannot allocate memory");
}

static kb_cu_result load_nothing(kb_cu_module *module, const void *image)
{
	(void)module;
	(void)image;
	return 209;
}

/* With kernels it is the device that refuses, without them it is we. */
static void test_kernels_that_are_not_there_are_missed(void)
{
	const struct kb_cuda_api cu = {
		.ModuleLoadData = load_nothing, .GetErrorName = error_name,
	};
	struct kb_cuda_random r = KB_CUDA_RANDOM_INIT;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_cuda_built(), kb_cuda_random_built());
	if (kb_cuda_random_built()) {
		check_int(kb_cuda_random_open(&r, &cu, &err), -KB_ERR_DEVICE);
		check_str(err.msg, "cannot load the kernels for random "
			  "numbers: an error without a name");
	} else {
		check_int(kb_cuda_random_open(&r, &cu, &err),
			  -KB_ERR_MISSING);
		check_str(err.msg, "this program was built without the CUDA "
			  "toolkit and has no kernels");
	}
	check(!r.api);
	kb_cuda_random_close(&r);
}

TAP_MAIN(
	TAP(test_symbols_are_those_of_the_toolkit),
	TAP(test_a_machine_without_a_driver_has_no_device),
	TAP(test_errors_have_the_driver_s_names),
	TAP(test_kernels_that_are_not_there_are_missed)
);
