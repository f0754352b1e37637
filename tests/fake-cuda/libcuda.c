/*
 * A stand-in for the CUDA driver: the functions of cuda/cuda_api.h and no
 * others, with the signatures of that table. Nothing is done here. The
 * device is another process, device.c, as a GPU is another processor: what
 * was queued goes on when this process is stopped.
 */

#include "cuda/cuda_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fake-cuda/kernels.h"
#include "fake-cuda/wire.h"

#define DECLARE(member, symbol, arguments)				\
	kb_cu_result fake_##member arguments __asm__(symbol)		\
		__attribute__((visibility("default")));
KB_CUDA_FUNCTIONS(DECLARE)
#undef DECLARE

#define DEVICE_NAME "Stand-in GPU"
#define PCI_BUS_ID "0000:FF:00.0"
/* Its last byte is the first of FAKE_GPU, for two that stand in one after the
 * other; of FAKE_GPUS at a time, each later one has the next. These are all the
 * same processor, and so take turns. */
#define UUID_TEXT "GPU-6b622d73-7461-6e64-2d69-6e2d67707500"

static kb_cu_device retained;		/* whose context this process has */
static const struct kb_cu_uuid device_uuid = { "kb-stand-in-gpu" };

static const struct {
	const char *name;
	size_t bytes;			/* of its argument */
} kernels[] = {
#define ENTRY(name, type, blocks) { #name, sizeof(type) },
	FAKE_KERNELS(ENTRY)
#undef ENTRY
};

static const struct {
	kb_cu_result result;
	const char *name;
	const char *text;
} errors[] = {
#define ERROR(code, name, text) { code, "CUDA_" #name, text }
	ERROR(FAKE_OK, SUCCESS, "no error"),
	ERROR(FAKE_INVALID_VALUE, ERROR_INVALID_VALUE, "invalid argument"),
	ERROR(FAKE_OUT_OF_MEMORY, ERROR_OUT_OF_MEMORY, "out of memory"),
	ERROR(FAKE_NOT_INITIALIZED, ERROR_NOT_INITIALIZED,
	      "initialization error"),
	ERROR(FAKE_NO_DEVICE, ERROR_NO_DEVICE,
	      "no CUDA-capable device is detected"),
	ERROR(FAKE_INVALID_DEVICE, ERROR_INVALID_DEVICE,
	      "invalid device ordinal"),
	ERROR(FAKE_INVALID_CONTEXT, ERROR_INVALID_CONTEXT,
	      "invalid device context"),
	ERROR(FAKE_INVALID_HANDLE, ERROR_INVALID_HANDLE,
	      "invalid resource handle"),
	ERROR(FAKE_NOT_FOUND, ERROR_NOT_FOUND, "named symbol not found"),
	ERROR(FAKE_ILLEGAL_ADDRESS, ERROR_ILLEGAL_ADDRESS,
	      "an illegal memory access was encountered"),
	ERROR(FAKE_ALREADY_REGISTERED, ERROR_HOST_MEMORY_ALREADY_REGISTERED,
	      "part or all of the requested memory range is already mapped"),
	ERROR(FAKE_NOT_REGISTERED, ERROR_HOST_MEMORY_NOT_REGISTERED,
	      "pointer does not correspond to a registered memory region"),
	ERROR(FAKE_NOT_READY, ERROR_NOT_READY, "device not ready"),
	ERROR(FAKE_NOT_SUPPORTED, ERROR_NOT_SUPPORTED,
	      "operation not supported"),
	ERROR(FAKE_CAPTURE_UNSUPPORTED, ERROR_STREAM_CAPTURE_UNSUPPORTED,
	      "operation not permitted when stream is capturing"),
	ERROR(FAKE_CAPTURE_INVALIDATED, ERROR_STREAM_CAPTURE_INVALIDATED,
	      "operation failed due to a previous error during capture"),
	ERROR(FAKE_UNKNOWN, ERROR_UNKNOWN, "unknown error"),
#undef ERROR
};

/* The one connection. A child of fork() has none, as with the driver. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int device_fd = -1;
static pid_t owner;
static unsigned char *stage;

/* Any address will do for the one context and the one module. */
static char context, module;
static _Thread_local bool is_current;

/* --- the wire -------------------------------------------------------- */

static bool send_fd(const struct fake_request *r, int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { .bytes = { 0 } };
	struct iovec iov = {
		.iov_base = (void *)(uintptr_t)r, .iov_len = sizeof(*r),
	};
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *c = &control.align;

		m.msg_control = control.bytes;
		m.msg_controllen = sizeof(control.bytes);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	return sendmsg(device_fd, &m, MSG_NOSIGNAL) == sizeof(*r);
}

static bool receive(struct fake_reply *reply, int *fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = reply, .iov_len = sizeof(*reply) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t n;

	do
		n = recvmsg(device_fd, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(*reply))
		return false;
	if (fd && CMSG_FIRSTHDR(&m))
		memcpy(fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(*fd));
	return true;
}

/* With the lock held. `fd` is sent if it is not negative, and becomes what
 * came back. */
static kb_cu_result exchange(const struct fake_request *r,
			     struct fake_reply *reply, int *fd)
{
	struct fake_reply ignored;

	if (!reply)
		reply = &ignored;
	if (!send_fd(r, fd ? *fd : -1) || !receive(reply, fd))
		return FAKE_UNKNOWN;
	return reply->result;
}

/* The GPU that is named by FAKE_BROKEN, such as "1:FILE", is broken while
 * there is such a file. */
static bool is_broken(void)
{
	const char *broken = getenv("FAKE_BROKEN");
	char *file;

	return broken && strtol(broken, &file, 10) == retained &&
	       *file == ':' && !access(file + 1, F_OK);
}

static kb_cu_result call_with_fd(const struct fake_request *r,
				 struct fake_reply *reply, int *fd)
{
	kb_cu_result result;

	if (is_broken())
		return FAKE_UNKNOWN;
	if (device_fd < 0 || getpid() != owner)
		return FAKE_NOT_INITIALIZED;
	if (!is_current)
		return FAKE_INVALID_CONTEXT;
	pthread_mutex_lock(&lock);
	result = exchange(r, reply, fd);
	pthread_mutex_unlock(&lock);
	return result;
}

static kb_cu_result call(const struct fake_request *r,
			 struct fake_reply *reply)
{
	return call_with_fd(r, reply, NULL);
}

#define CALL(reply, ...) call(&(struct fake_request){ __VA_ARGS__ }, (reply))

/* The socket lies beside this library, under the name by which it was
 * found. */
static bool connect_device(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char *slash;
	Dl_info self;

	if (!dladdr(&context, &self) ||
	    strlen(self.dli_fname) >= sizeof(address.sun_path) - 16)
		return false;
	strcpy(address.sun_path, self.dli_fname);
	slash = strrchr(address.sun_path, '/');
	strcpy(slash ? slash + 1 : address.sun_path, FAKE_SOCKET);

	device_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	return device_fd >= 0 &&
	       !connect(device_fd, (const struct sockaddr *)&address,
			sizeof(address));
}

static bool is_visible(void)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");

	return !visible || !strcmp(visible, "0") ||
	       (strlen(visible) > strlen("GPU-") &&
		!strncmp(visible, UUID_TEXT, strlen(visible) - 2));
}

/* A process to which one was shown sees that alone. */
static int gpus(void)
{
	const char *count = getenv("FAKE_GPUS");

	return count && !getenv("CUDA_VISIBLE_DEVICES") ? atoi(count) : 1;
}

static kb_cu_result open_device(void)
{
	int fd = -1;
	kb_cu_result result;

	if (!is_visible() || !connect_device())
		return FAKE_NO_DEVICE;
	result = exchange(&(struct fake_request){ .op = FAKE_INIT }, NULL,
			  &fd);
	if (result)
		return result;
	stage = mmap(NULL, FAKE_STAGE_BYTES, PROT_READ | PROT_WRITE,
		     MAP_SHARED, fd, 0);
	close(fd);
	owner = getpid();
	return stage == MAP_FAILED ? FAKE_UNKNOWN : FAKE_OK;
}

/* --- driver, device, context ----------------------------------------- */

kb_cu_result fake_Init(unsigned flags)
{
	kb_cu_result result = FAKE_OK;

	if (flags)
		return FAKE_INVALID_VALUE;
	pthread_mutex_lock(&lock);
	if (device_fd >= 0 && owner && getpid() != owner)
		result = FAKE_NOT_INITIALIZED;
	else if (!owner)
		result = open_device();
	if (result && !owner && device_fd >= 0) {
		close(device_fd);
		device_fd = -1;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

kb_cu_result fake_DriverGetVersion(int *version)
{
	*version = 13000;
	return FAKE_OK;
}

kb_cu_result fake_GetErrorName(kb_cu_result result, const char **name)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(errors); i++) {
		if (errors[i].result == result) {
			*name = errors[i].name;
			return FAKE_OK;
		}
	}
	*name = NULL;
	return FAKE_INVALID_VALUE;
}

kb_cu_result fake_GetErrorString(kb_cu_result result, const char **text)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(errors); i++) {
		if (errors[i].result == result) {
			*text = errors[i].text;
			return FAKE_OK;
		}
	}
	*text = NULL;
	return FAKE_INVALID_VALUE;
}

static kb_cu_result check_device(kb_cu_device device)
{
	if (!owner)
		return FAKE_NOT_INITIALIZED;
	return device < 0 || device >= gpus() ? FAKE_INVALID_DEVICE : FAKE_OK;
}

kb_cu_result fake_DeviceGetCount(int *count)
{
	*count = gpus();
	return check_device(0);
}

kb_cu_result fake_DeviceGet(kb_cu_device *device, int ordinal)
{
	*device = ordinal;
	return check_device(ordinal);
}

kb_cu_result fake_DeviceGetName(char *name, int size, kb_cu_device device)
{
	snprintf(name, (size_t)size, "%s", DEVICE_NAME);
	return check_device(device);
}

kb_cu_result fake_DeviceGetUuid(struct kb_cu_uuid *uuid, kb_cu_device device)
{
	const char *last = getenv("FAKE_GPU");

	*uuid = device_uuid;
	if (last)
		uuid->bytes[sizeof(uuid->bytes) - 1] = last[0];
	uuid->bytes[sizeof(uuid->bytes) - 1] += (char)device;
	return check_device(device);
}

kb_cu_result fake_DeviceGetPCIBusId(char *id, int size, kb_cu_device device)
{
	snprintf(id, (size_t)size, "%s", PCI_BUS_ID);
	return check_device(device);
}

/* What needs no context. */
static kb_cu_result ask_memory(struct fake_reply *reply)
{
	const struct fake_request r = { .op = FAKE_MEMORY };
	kb_cu_result result;

	pthread_mutex_lock(&lock);
	result = exchange(&r, reply, NULL);
	pthread_mutex_unlock(&lock);
	return result;
}

kb_cu_result fake_DeviceTotalMem(size_t *bytes, kb_cu_device device)
{
	struct fake_reply reply = { .bytes = 0 };
	kb_cu_result result = check_device(device);

	if (!result)
		result = ask_memory(&reply);
	*bytes = reply.bytes;
	return result;
}

kb_cu_result fake_DeviceGetAttribute(int *value, int attribute,
				     kb_cu_device device)
{
	static const struct {
		enum kb_cu_attribute attribute;
		int value;
	} known[] = {
		{ KB_CU_MULTIPROCESSOR_COUNT, 4 },
		{ KB_CU_L2_CACHE_BYTES, 1 << 20 },
		{ KB_CU_CAPABILITY_MAJOR, 9 },
		{ KB_CU_CAPABILITY_MINOR, 0 },
		{ KB_CU_CAN_SHARE_FDS, 1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		if ((int)known[i].attribute == attribute) {
			*value = known[i].value;
			return check_device(device);
		}
	}
	return FAKE_INVALID_VALUE;
}

kb_cu_result fake_DevicePrimaryCtxRetain(kb_cu_context *out,
					 kb_cu_device device)
{
	*out = (kb_cu_context)&context;
	retained = device;
	return check_device(device);
}

kb_cu_result fake_DevicePrimaryCtxRelease(kb_cu_device device)
{
	return check_device(device);
}

kb_cu_result fake_CtxSetCurrent(kb_cu_context c)
{
	if (c && c != (kb_cu_context)&context)
		return FAKE_INVALID_CONTEXT;
	is_current = c;
	return check_device(0);
}

kb_cu_result fake_CtxSynchronize(void)
{
	return CALL(NULL, .op = FAKE_SYNCHRONIZE_ALL);
}

/* --- memory ---------------------------------------------------------- */

kb_cu_result fake_MemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
	struct fake_reply reply;
	kb_cu_result result = CALL(&reply, .op = FAKE_MEMORY);

	if (!result) {
		*free_bytes = reply.address;
		*total_bytes = reply.bytes;
	}
	return result;
}

kb_cu_result fake_MemAlloc(kb_cu_address *address, size_t bytes)
{
	struct fake_reply reply;
	kb_cu_result result = CALL(&reply, .op = FAKE_ALLOCATE, .bytes = bytes);

	if (!result)
		*address = reply.address;
	return result;
}

kb_cu_result fake_MemFree(kb_cu_address address)
{
	return address ? CALL(NULL, .op = FAKE_FREE, .address = address)
		       : FAKE_OK;
}

kb_cu_result fake_MemHostAlloc(void **p, size_t bytes, unsigned flags)
{
	const struct fake_request r = {
		.op = FAKE_HOST_ALLOCATE, .bytes = bytes,
	};
	struct fake_reply reply;
	int fd = -1;
	kb_cu_result result;

	if (flags & ~(unsigned)(KB_CU_HOST_PORTABLE | KB_CU_HOST_MAPPED))
		return FAKE_INVALID_VALUE;
	result = call_with_fd(&r, &reply, &fd);
	if (result)
		return result;
	*p = mmap((void *)(uintptr_t)reply.address, reply.bytes,
		  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd,
		  0);
	close(fd);
	return *p == MAP_FAILED ? FAKE_OUT_OF_MEMORY : FAKE_OK;
}

kb_cu_result fake_MemFreeHost(void *p)
{
	struct fake_reply reply;
	kb_cu_result result = CALL(&reply, .op = FAKE_HOST_FREE,
				   .address = (uintptr_t)p);

	if (!result)
		munmap(p, reply.bytes);
	return result;
}

/*
 * Our memory, for the device. Who is not dumpable, as kb's programs are not,
 * is looked into by root alone; and /proc/self is root's as well, so be
 * dumpable for a moment. -1 if we are: the device finds us by itself.
 */
static int open_own_memory(void)
{
	int fd;

	if (prctl(PR_GET_DUMPABLE))
		return -1;
	prctl(PR_SET_DUMPABLE, 1);
	fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	prctl(PR_SET_DUMPABLE, 0);
	return fd;
}

kb_cu_result fake_MemHostRegister(void *p, size_t bytes, unsigned flags)
{
	const struct fake_request r = {
		.op = FAKE_REGISTER, .address = (uintptr_t)p, .bytes = bytes,
	};
	kb_cu_result result;
	int memory;

	if (flags & ~(unsigned)(KB_CU_HOST_PORTABLE | KB_CU_HOST_MAPPED))
		return FAKE_INVALID_VALUE;
	memory = open_own_memory();
	result = call_with_fd(&r, NULL, &memory);
	if (memory >= 0)
		close(memory);
	return result;
}

kb_cu_result fake_MemHostUnregister(void *p)
{
	return CALL(NULL, .op = FAKE_UNREGISTER, .address = (uintptr_t)p);
}

kb_cu_result fake_MemHostGetDevicePointer(kb_cu_address *address, void *p,
					  unsigned flags)
{
	if (flags)
		return FAKE_INVALID_VALUE;
	*address = (uintptr_t)p;
	return CALL(NULL, .op = FAKE_FIND_REGISTERED, .address = (uintptr_t)p);
}

static bool is_plain(const struct kb_cu_allocation_prop *prop)
{
	return prop->type == KB_CU_ALLOCATION_PINNED &&
	       !(prop->handle_types & ~KB_CU_HANDLE_FD) &&
	       prop->location.type == KB_CU_LOCATION_DEVICE &&
	       !check_device(prop->location.id) && !prop->usage;
}

kb_cu_result
fake_MemGetAllocationGranularity(size_t *bytes,
				 const struct kb_cu_allocation_prop *prop,
				 int option)
{
	if (!is_plain(prop) || option != KB_CU_GRANULARITY_MINIMUM)
		return FAKE_INVALID_VALUE;
	*bytes = FAKE_GRANULARITY_BYTES;
	return check_device(0);
}

kb_cu_result fake_MemCreate(kb_cu_handle *handle, size_t bytes,
			    const struct kb_cu_allocation_prop *prop,
			    unsigned long long flags)
{
	struct fake_reply reply;
	kb_cu_result result;

	if (!is_plain(prop) || flags)
		return FAKE_INVALID_VALUE;
	result = CALL(&reply, .op = FAKE_CREATE, .bytes = bytes);
	if (!result)
		*handle = reply.address;
	return result;
}

kb_cu_result fake_MemRelease(kb_cu_handle handle)
{
	return CALL(NULL, .op = FAKE_RELEASE, .address = handle);
}

kb_cu_result fake_MemExportToShareableHandle(void *out, kb_cu_handle handle,
					     int type,
					     unsigned long long flags)
{
	const struct fake_request r = { .op = FAKE_EXPORT, .address = handle };
	int fd = -1;
	kb_cu_result result;

	if (type != KB_CU_HANDLE_FD || flags)
		return FAKE_INVALID_VALUE;
	result = call_with_fd(&r, NULL, &fd);
	if (!result)
		memcpy(out, &fd, sizeof(fd));
	return result;
}

kb_cu_result fake_MemImportFromShareableHandle(kb_cu_handle *handle,
					       void *os_handle, int type)
{
	const struct fake_request r = { .op = FAKE_IMPORT };
	int fd = (int)(intptr_t)os_handle;
	struct fake_reply reply;
	kb_cu_result result;

	if (type != KB_CU_HANDLE_FD || fd < 0)
		return FAKE_INVALID_VALUE;
	result = call_with_fd(&r, &reply, &fd);
	if (!result)
		*handle = reply.address;
	return result;
}

kb_cu_result fake_MemAddressReserve(kb_cu_address *address, size_t bytes,
				    size_t alignment, kb_cu_address hint,
				    unsigned long long flags)
{
	struct fake_reply reply;
	kb_cu_result result;

	(void)hint;			/* which is no more than that */
	if (alignment > FAKE_GRANULARITY_BYTES || flags)
		return FAKE_INVALID_VALUE;
	result = CALL(&reply, .op = FAKE_RESERVE, .bytes = bytes);
	if (!result)
		*address = reply.address;
	return result;
}

kb_cu_result fake_MemAddressFree(kb_cu_address address, size_t bytes)
{
	return CALL(NULL, .op = FAKE_UNRESERVE, .address = address,
		    .bytes = bytes);
}

kb_cu_result fake_MemMap(kb_cu_address address, size_t bytes, size_t offset,
			 kb_cu_handle handle, unsigned long long flags)
{
	if (flags)
		return FAKE_INVALID_VALUE;
	return CALL(NULL, .op = FAKE_MAP, .address = address, .bytes = bytes,
		    .from = offset, .value = handle);
}

kb_cu_result fake_MemUnmap(kb_cu_address address, size_t bytes)
{
	return CALL(NULL, .op = FAKE_UNMAP, .address = address,
		    .bytes = bytes);
}

kb_cu_result fake_MemSetAccess(kb_cu_address address, size_t bytes,
			       const struct kb_cu_access_desc *desc,
			       size_t count)
{
	if (count != 1 || desc->location.type != KB_CU_LOCATION_DEVICE ||
	    check_device(desc->location.id) || desc->flags != KB_CU_ACCESS_READ_WRITE)
		return FAKE_INVALID_VALUE;
	return CALL(NULL, .op = FAKE_ALLOW, .address = address,
		    .bytes = bytes);
}

/* --- streams --------------------------------------------------------- */

/* A stream's handle is its number, in units that no number of the driver's
 * own, 1 or 2, is one of. */
static kb_cu_stream stream_of(uint64_t number)
{
	return (kb_cu_stream)(uintptr_t)(number << 12);
}

static uint32_t number_of(kb_cu_stream stream)
{
	uintptr_t handle = (uintptr_t)stream;

	return handle & 0xfff ? UINT32_MAX : (uint32_t)(handle >> 12);
}

struct kb_cu_graph_st {
	struct fake_request *launches;
	size_t count, capacity;
	bool broken;
};

struct kb_cu_graph_exec_st {
	struct kb_cu_graph_st graph;
};

/* One at a time, of one thread. */
static struct kb_cu_graph_st *capture;
static kb_cu_stream captured;

static bool is_captured(kb_cu_stream stream)
{
	return capture && stream == captured;
}

/* Does the device see the memory of this process at `p`? */
static bool is_pinned(const void *p)
{
	return (uintptr_t)p - FAKE_ARENA < FAKE_ARENA_BYTES;
}

kb_cu_result fake_MemcpyDtoDAsync(kb_cu_address to, kb_cu_address from,
				  size_t bytes, kb_cu_stream stream)
{
	return CALL(NULL, .op = FAKE_COPY, .stream = number_of(stream),
		    .address = to, .from = from, .bytes = bytes);
}

static size_t part_of(size_t bytes, size_t done)
{
	return bytes - done < FAKE_STAGE_BYTES ? bytes - done
					       : FAKE_STAGE_BYTES;
}

/* The memory can be used again when this returns, as with the driver. */
kb_cu_result fake_MemcpyHtoDAsync(kb_cu_address to, const void *from,
				  size_t bytes, kb_cu_stream stream)
{
	kb_cu_result result = FAKE_OK;
	size_t n;

	if (is_pinned(from))
		return fake_MemcpyDtoDAsync(to, (uintptr_t)from, bytes, stream);
	if (!owner)
		return FAKE_NOT_INITIALIZED;
	for (size_t done = 0; !result && done < bytes; done += n) {
		struct fake_request r = {
			.op = FAKE_COPY_IN, .stream = number_of(stream),
			.address = to + done,
		};

		r.bytes = n = part_of(bytes, done);
		pthread_mutex_lock(&lock);
		memcpy(stage, (const char *)from + done, n);
		result = is_current ? exchange(&r, NULL, NULL)
				    : FAKE_INVALID_CONTEXT;
		pthread_mutex_unlock(&lock);
	}
	return result;
}

/* It is there when this returns, unless the memory is pinned: likewise. */
kb_cu_result fake_MemcpyDtoHAsync(void *to, kb_cu_address from, size_t bytes,
				  kb_cu_stream stream)
{
	kb_cu_result result = FAKE_OK;
	size_t n;

	if (is_pinned(to))
		return fake_MemcpyDtoDAsync((uintptr_t)to, from, bytes, stream);
	if (!owner)
		return FAKE_NOT_INITIALIZED;
	for (size_t done = 0; !result && done < bytes; done += n) {
		struct fake_request r = {
			.op = FAKE_COPY_OUT, .stream = number_of(stream),
			.from = from + done,
		};

		r.bytes = n = part_of(bytes, done);
		pthread_mutex_lock(&lock);
		result = is_current ? exchange(&r, NULL, NULL)
				    : FAKE_INVALID_CONTEXT;
		if (!result)
			memcpy((char *)to + done, stage, n);
		pthread_mutex_unlock(&lock);
	}
	return result;
}

kb_cu_result fake_StreamCreate(kb_cu_stream *stream, unsigned flags)
{
	struct fake_reply reply;
	kb_cu_result result;

	if (flags & ~(unsigned)KB_CU_STREAM_NON_BLOCKING)
		return FAKE_INVALID_VALUE;
	result = CALL(&reply, .op = FAKE_STREAM_NEW, .value = flags);
	if (!result)
		*stream = stream_of(reply.address);
	return result;
}

kb_cu_result fake_StreamDestroy(kb_cu_stream stream)
{
	return CALL(NULL, .op = FAKE_STREAM_END, .stream = number_of(stream));
}

kb_cu_result fake_StreamSynchronize(kb_cu_stream stream)
{
	if (is_captured(stream)) {
		capture->broken = true;
		return FAKE_CAPTURE_UNSUPPORTED;
	}
	return CALL(NULL, .op = FAKE_SYNCHRONIZE,
		    .stream = number_of(stream));
}

/* A handle is the event's number. */
static kb_cu_event event_of(uint64_t number)
{
	return (kb_cu_event)(uintptr_t)number;
}

kb_cu_result fake_EventCreate(kb_cu_event *event, unsigned flags)
{
	struct fake_reply reply;
	kb_cu_result result;

	if (flags)
		return FAKE_INVALID_VALUE;
	result = CALL(&reply, .op = FAKE_EVENT_NEW);
	if (!result)
		*event = event_of(reply.address);
	return result;
}

kb_cu_result fake_EventDestroy(kb_cu_event event)
{
	return CALL(NULL, .op = FAKE_EVENT_END, .address = (uintptr_t)event);
}

kb_cu_result fake_EventRecord(kb_cu_event event, kb_cu_stream stream)
{
	return CALL(NULL, .op = FAKE_RECORD, .stream = number_of(stream),
		    .address = (uintptr_t)event);
}

kb_cu_result fake_EventElapsedTime(float *ms, kb_cu_event start,
				   kb_cu_event end)
{
	struct fake_reply reply;
	kb_cu_result result = CALL(&reply, .op = FAKE_ELAPSED,
				   .from = (uintptr_t)start,
				   .address = (uintptr_t)end);

	if (!result)
		*ms = (float)((double)reply.bytes / 1e6);
	return result;
}

kb_cu_result fake_StreamWaitValue32(kb_cu_stream stream,
				    kb_cu_address address, uint32_t value,
				    unsigned flags)
{
	if (flags != KB_CU_WAIT_VALUE_GEQ || address % 4)
		return FAKE_INVALID_VALUE;
	return CALL(NULL, .op = FAKE_WAIT_VALUE, .stream = number_of(stream),
		    .address = address, .value = value);
}

kb_cu_result fake_StreamWriteValue32(kb_cu_stream stream,
				     kb_cu_address address, uint32_t value,
				     unsigned flags)
{
	if (flags || address % 4)
		return FAKE_INVALID_VALUE;
	return CALL(NULL, .op = FAKE_WRITE_VALUE, .stream = number_of(stream),
		    .address = address, .value = value);
}

/* --- graphs: launches, in a row -------------------------------------- */

static kb_cu_result capture_launch(const struct fake_request *launch)
{
	capture->launches = kb_grow(capture->launches, capture->count,
				    &capture->capacity, sizeof(*launch));
	capture->launches[capture->count++] = *launch;
	return FAKE_OK;
}

kb_cu_result fake_StreamBeginCapture(kb_cu_stream stream, int mode)
{
	(void)mode;
	if (capture || !stream)
		return FAKE_NOT_SUPPORTED;
	capture = kb_xcalloc(1, sizeof(*capture));
	captured = stream;
	return FAKE_OK;
}

kb_cu_result fake_StreamEndCapture(kb_cu_stream stream, kb_cu_graph *graph)
{
	if (!is_captured(stream))
		return FAKE_INVALID_VALUE;
	*graph = capture;
	capture = NULL;
	if (!(*graph)->broken)
		return FAKE_OK;
	fake_GraphDestroy(*graph);
	*graph = NULL;
	return FAKE_CAPTURE_INVALIDATED;
}

kb_cu_result fake_GraphInstantiateWithFlags(kb_cu_graph_exec *exec,
					    kb_cu_graph graph,
					    unsigned long long flags)
{
	const size_t bytes = graph->count * sizeof(*graph->launches);

	(void)flags;
	*exec = kb_xcalloc(1, sizeof(**exec));
	(*exec)->graph.count = graph->count;
	(*exec)->graph.launches = kb_xmalloc(bytes + 1);
	if (bytes)
		memcpy((*exec)->graph.launches, graph->launches, bytes);
	return FAKE_OK;
}

kb_cu_result fake_GraphDestroy(kb_cu_graph graph)
{
	free(graph->launches);
	free(graph);
	return FAKE_OK;
}

kb_cu_result fake_GraphLaunch(kb_cu_graph_exec exec, kb_cu_stream stream)
{
	kb_cu_result result = FAKE_OK;

	for (size_t i = 0; !result && i < exec->graph.count; i++) {
		struct fake_request r = exec->graph.launches[i];

		r.stream = number_of(stream);
		result = call(&r, NULL);
	}
	return result;
}

kb_cu_result fake_GraphExecDestroy(kb_cu_graph_exec exec)
{
	free(exec->graph.launches);
	free(exec);
	return FAKE_OK;
}

/* --- kernels --------------------------------------------------------- */

kb_cu_result fake_ModuleLoadData(kb_cu_module *out, const void *image)
{
	if (!image)
		return FAKE_INVALID_VALUE;
	*out = (kb_cu_module)&module;
	return check_device(0);
}

kb_cu_result fake_ModuleUnload(kb_cu_module m)
{
	return m == (kb_cu_module)&module ? FAKE_OK : FAKE_INVALID_HANDLE;
}

kb_cu_result fake_ModuleGetFunction(kb_cu_function *function, kb_cu_module m,
				    const char *name)
{
	if (m != (kb_cu_module)&module)
		return FAKE_INVALID_HANDLE;
	for (size_t i = 0; i < KB_ARRAY_LEN(kernels); i++) {
		if (!strcmp(kernels[i].name, name)) {
			*function = (kb_cu_function)(uintptr_t)(i + 1);
			return FAKE_OK;
		}
	}
	return FAKE_NOT_FOUND;
}

kb_cu_result fake_LaunchKernel(kb_cu_function f, unsigned grid_x,
			       unsigned grid_y, unsigned grid_z,
			       unsigned block_x, unsigned block_y,
			       unsigned block_z, unsigned shared_bytes,
			       kb_cu_stream stream, void **arguments,
			       void **extra)
{
	const uintptr_t number = (uintptr_t)f - 1;
	struct fake_request r = {
		.op = FAKE_LAUNCH, .stream = number_of(stream),
		.value = number, .grid = { grid_x, grid_y, grid_z },
		.block = { block_x, block_y, block_z },
	};

	if (number >= KB_ARRAY_LEN(kernels))
		return FAKE_INVALID_HANDLE;
	if (!grid_x || !grid_y || !grid_z || !block_x || !block_y ||
	    !block_z || (uint64_t)block_x * block_y * block_z > 1024 ||
	    grid_y > 65535 || grid_z > 65535 || shared_bytes > 48 << 10 ||
	    extra)
		return FAKE_INVALID_VALUE;
	memcpy(r.argument, arguments[0], kernels[number].bytes);
	return is_captured(stream) ? capture_launch(&r) : call(&r, NULL);
}
