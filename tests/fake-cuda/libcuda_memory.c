#include "fake-cuda/libcuda.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

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
	result = link_call_with_fd(&r, &reply, &fd);
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
	result = link_call_with_fd(&r, NULL, &memory);
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
	result = link_call_with_fd(&r, NULL, &fd);
	if (!result)
		memcpy(out, &fd, sizeof(fd));
	return result;
}

/* The descriptor is not sent: a user's other processes may have all on their way
 * that the user may have, and a driver does not mind. */
kb_cu_result fake_MemImportFromShareableHandle(kb_cu_handle *handle,
					       void *os_handle, int type)
{
	struct fake_reply reply;
	struct stat st;
	kb_cu_result result;

	if (type != KB_CU_HANDLE_FD || fstat((int)(intptr_t)os_handle, &st) < 0)
		return FAKE_INVALID_VALUE;
	result = CALL(&reply, .op = FAKE_IMPORT, .value = st.st_ino);
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
