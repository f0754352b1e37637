#ifndef KB_CUDA_CUDA_API_H
#define KB_CUDA_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

struct kb_err;

/*
 * The part of the CUDA driver that we use, loaded when it is wanted, so
 * that everything builds without the toolkit and runs without a GPU.
 *
 * Types and numbers are those of the driver's binary interface, which
 * NVIDIA keeps compatible (CUDA Driver API Reference, 12 and 13); a test
 * compares them with <cuda.h> where there is one. Functions keep their
 * names, less "cu" and the version; each is of the version in its symbol.
 */

typedef int kb_cu_result;		/* 0 is success */
typedef int kb_cu_device;
typedef uint64_t kb_cu_address;		/* CUdeviceptr */
typedef uint64_t kb_cu_handle;		/* CUmemGenericAllocationHandle */
typedef struct kb_cu_context_st *kb_cu_context;
typedef struct kb_cu_module_st *kb_cu_module;
typedef struct kb_cu_function_st *kb_cu_function;
typedef struct kb_cu_stream_st *kb_cu_stream;	/* NULL: the legacy stream */
typedef struct kb_cu_event_st *kb_cu_event;
typedef struct kb_cu_graph_st *kb_cu_graph;
typedef struct kb_cu_graph_exec_st *kb_cu_graph_exec;

#define KB_CU_SUCCESS 0
#define KB_CU_OUT_OF_MEMORY 2
#define KB_CU_NO_DEVICE 100
#define KB_CU_NOT_FOUND 500

struct kb_cu_uuid {
	unsigned char bytes[16];
};

struct kb_cu_location {
	int type;			/* KB_CU_LOCATION_DEVICE */
	int id;
};

#define KB_CU_LOCATION_DEVICE 1

struct kb_cu_allocation_prop {
	int type;			/* KB_CU_ALLOCATION_PINNED */
	int handle_types;		/* KB_CU_HANDLE_FD */
	struct kb_cu_location location;
	void *win32_meta_data;
	unsigned char compression_type;
	unsigned char gpu_direct_rdma;
	unsigned short usage;
	unsigned char reserved[4];
};

#define KB_CU_ALLOCATION_PINNED 1
#define KB_CU_HANDLE_FD 1
#define KB_CU_GRANULARITY_MINIMUM 0

struct kb_cu_access_desc {
	struct kb_cu_location location;
	int flags;			/* KB_CU_ACCESS_READ_WRITE */
};

#define KB_CU_ACCESS_READ_WRITE 3

/* Flags of MemHostRegister and MemHostAlloc: any context, mapped. */
#define KB_CU_HOST_PORTABLE 1
#define KB_CU_HOST_MAPPED 2

#define KB_CU_STREAM_NON_BLOCKING 1
#define KB_CU_WAIT_VALUE_GEQ 0
#define KB_CU_CAPTURE_THREAD_LOCAL 1

enum kb_cu_attribute {
	KB_CU_MULTIPROCESSOR_COUNT = 16,
	KB_CU_L2_CACHE_BYTES = 38,
	KB_CU_CAPABILITY_MAJOR = 75,
	KB_CU_CAPABILITY_MINOR = 76,
	KB_CU_HOST_PAGE_TABLES = 100,
	KB_CU_CAN_SHARE_FDS = 103,
	KB_CU_MPS_ENABLED = 133,	/* from CUDA 12 on */
};

/* X(member, symbol, arguments) */
#define KB_CUDA_FUNCTIONS(X)						\
	X(Init, "cuInit", (unsigned flags))				\
	X(DriverGetVersion, "cuDriverGetVersion", (int *version))	\
	X(GetErrorName, "cuGetErrorName",				\
	  (kb_cu_result result, const char **name))			\
	X(GetErrorString, "cuGetErrorString",				\
	  (kb_cu_result result, const char **text))			\
	X(DeviceGetCount, "cuDeviceGetCount", (int *count))		\
	X(DeviceGet, "cuDeviceGet", (kb_cu_device *device, int ordinal)) \
	X(DeviceGetName, "cuDeviceGetName",				\
	  (char *name, int size, kb_cu_device device))			\
	X(DeviceGetUuid, "cuDeviceGetUuid_v2",				\
	  (struct kb_cu_uuid *uuid, kb_cu_device device))		\
	X(DeviceGetPCIBusId, "cuDeviceGetPCIBusId",			\
	  (char *id, int size, kb_cu_device device))			\
	X(DeviceTotalMem, "cuDeviceTotalMem_v2",			\
	  (size_t *bytes, kb_cu_device device))				\
	X(DeviceGetAttribute, "cuDeviceGetAttribute",			\
	  (int *value, int attribute, kb_cu_device device))		\
	X(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",		\
	  (kb_cu_context *context, kb_cu_device device))		\
	X(DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2",	\
	  (kb_cu_device device))					\
	X(CtxSetCurrent, "cuCtxSetCurrent", (kb_cu_context context))	\
	X(CtxSynchronize, "cuCtxSynchronize", (void))			\
	X(MemGetInfo, "cuMemGetInfo_v2",				\
	  (size_t *free_bytes, size_t *total_bytes))			\
	X(MemAlloc, "cuMemAlloc_v2", (kb_cu_address *address, size_t bytes)) \
	X(MemFree, "cuMemFree_v2", (kb_cu_address address))		\
	X(MemHostAlloc, "cuMemHostAlloc",				\
	  (void **p, size_t bytes, unsigned flags))			\
	X(MemFreeHost, "cuMemFreeHost", (void *p))			\
	X(MemHostRegister, "cuMemHostRegister_v2",			\
	  (void *p, size_t bytes, unsigned flags))			\
	X(MemHostUnregister, "cuMemHostUnregister", (void *p))		\
	X(MemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2",	\
	  (kb_cu_address *address, void *p, unsigned flags))		\
	X(MemGetAllocationGranularity, "cuMemGetAllocationGranularity",	\
	  (size_t *bytes, const struct kb_cu_allocation_prop *prop,	\
	   int option))							\
	X(MemCreate, "cuMemCreate",					\
	  (kb_cu_handle *handle, size_t bytes,				\
	   const struct kb_cu_allocation_prop *prop,			\
	   unsigned long long flags))					\
	X(MemRelease, "cuMemRelease", (kb_cu_handle handle))		\
	X(MemExportToShareableHandle, "cuMemExportToShareableHandle",	\
	  (void *out, kb_cu_handle handle, int type,			\
	   unsigned long long flags))					\
	X(MemImportFromShareableHandle, "cuMemImportFromShareableHandle", \
	  (kb_cu_handle *handle, void *os_handle, int type))		\
	X(MemAddressReserve, "cuMemAddressReserve",			\
	  (kb_cu_address *address, size_t bytes, size_t alignment,	\
	   kb_cu_address hint, unsigned long long flags))		\
	X(MemAddressFree, "cuMemAddressFree",				\
	  (kb_cu_address address, size_t bytes))			\
	X(MemMap, "cuMemMap",						\
	  (kb_cu_address address, size_t bytes, size_t offset,		\
	   kb_cu_handle handle, unsigned long long flags))		\
	X(MemUnmap, "cuMemUnmap", (kb_cu_address address, size_t bytes)) \
	X(MemSetAccess, "cuMemSetAccess",				\
	  (kb_cu_address address, size_t bytes,				\
	   const struct kb_cu_access_desc *desc, size_t count))		\
	X(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",			\
	  (kb_cu_address to, kb_cu_address from, size_t bytes,		\
	   kb_cu_stream stream))					\
	X(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",			\
	  (kb_cu_address to, const void *from, size_t bytes,		\
	   kb_cu_stream stream))					\
	X(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",			\
	  (void *to, kb_cu_address from, size_t bytes,			\
	   kb_cu_stream stream))					\
	X(StreamCreate, "cuStreamCreate",				\
	  (kb_cu_stream *stream, unsigned flags))			\
	X(StreamDestroy, "cuStreamDestroy_v2", (kb_cu_stream stream))	\
	X(StreamSynchronize, "cuStreamSynchronize", (kb_cu_stream stream)) \
	X(StreamWaitValue32, "cuStreamWaitValue32_v2",			\
	  (kb_cu_stream stream, kb_cu_address address, uint32_t value,	\
	   unsigned flags))						\
	X(StreamWriteValue32, "cuStreamWriteValue32_v2",		\
	  (kb_cu_stream stream, kb_cu_address address, uint32_t value,	\
	   unsigned flags))						\
	X(EventCreate, "cuEventCreate", (kb_cu_event *event, unsigned flags)) \
	X(EventDestroy, "cuEventDestroy_v2", (kb_cu_event event))	\
	X(EventRecord, "cuEventRecord",					\
	  (kb_cu_event event, kb_cu_stream stream))			\
	X(EventElapsedTime, "cuEventElapsedTime",			\
	  (float *ms, kb_cu_event start, kb_cu_event end))		\
	X(StreamBeginCapture, "cuStreamBeginCapture_v2",		\
	  (kb_cu_stream stream, int mode))				\
	X(StreamEndCapture, "cuStreamEndCapture",			\
	  (kb_cu_stream stream, kb_cu_graph *graph))			\
	X(GraphInstantiateWithFlags, "cuGraphInstantiateWithFlags",	\
	  (kb_cu_graph_exec *exec, kb_cu_graph graph,			\
	   unsigned long long flags))					\
	X(GraphDestroy, "cuGraphDestroy", (kb_cu_graph graph))		\
	X(GraphLaunch, "cuGraphLaunch",					\
	  (kb_cu_graph_exec exec, kb_cu_stream stream))			\
	X(GraphExecDestroy, "cuGraphExecDestroy", (kb_cu_graph_exec exec)) \
	X(ModuleLoadData, "cuModuleLoadData",				\
	  (kb_cu_module *module, const void *image))			\
	X(ModuleUnload, "cuModuleUnload", (kb_cu_module module))	\
	X(ModuleGetFunction, "cuModuleGetFunction",			\
	  (kb_cu_function *function, kb_cu_module module,		\
	   const char *name))						\
	X(LaunchKernel, "cuLaunchKernel",				\
	  (kb_cu_function f, unsigned grid_x, unsigned grid_y,		\
	   unsigned grid_z, unsigned block_x, unsigned block_y,		\
	   unsigned block_z, unsigned shared_bytes, kb_cu_stream stream, \
	   void **arguments, void **extra))

struct kb_cuda_api {
#define KB_CUDA_MEMBER(member, symbol, arguments) \
	kb_cu_result (*member) arguments;
	KB_CUDA_FUNCTIONS(KB_CUDA_MEMBER)
#undef KB_CUDA_MEMBER
};

/*
 * The driver, loaded once and never unloaded; NULL if there is none, which
 * fails with KB_ERR_MISSING. Nothing has been initialised. Not for threads.
 */
const struct kb_cuda_api *kb_cuda_api(struct kb_err *err);

/*
 * Record a failed call: `what` finishes "cannot ...", in lower case. Returns
 * minus the kind: KB_ERR_DEVICE, and KB_ERR_SYS with ENOMEM if the device
 * has no memory left.
 */
int kb_cuda_err(struct kb_err *err, const struct kb_cuda_api *cu,
		kb_cu_result result, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
