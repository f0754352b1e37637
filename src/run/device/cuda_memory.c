/* Device memory that another process can be given. */

#include "device/cuda_internal.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/err.h"

int kb_cuda_free_bytes(struct kb_cuda *c, uint64_t *bytes, struct kb_err *err)
{
	size_t free_bytes, total_bytes;
	kb_cu_result result = KB_CU_SUCCESS;

	*bytes = UINT64_MAX;
	for (struct kb_cuda *x = c; x && !result; x = x->next) {
		if (c->next)
			result = c->api->CtxSetCurrent(x->context);
		if (!result)
			result = c->api->MemGetInfo(&free_bytes, &total_bytes);
		if (!result && free_bytes < *bytes)
			*bytes = free_bytes;
	}
	if (c->next && !result)
		result = c->api->CtxSetCurrent(c->context);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "see how much device memory is free");
	return 0;
}

int kb_cuda_reserve(struct kb_cuda *c, kb_cu_address *address, uint64_t bytes,
		    const char *what, struct kb_err *err)
{
	kb_cu_result result = c->api->MemAlloc(address, bytes);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "allocate %llu bytes of device memory for "
				   "%s", (unsigned long long)bytes, what);
	return 0;
}

void kb_cuda_list_release(struct kb_cuda *c, struct kb_cuda_list *l)
{
	if (l->device)
		(void)c->api->MemFree(l->device);
	if (l->host)
		(void)c->api->MemFreeHost(l->host);
	*l = (struct kb_cuda_list){ .host = NULL };
}

int kb_cuda_list_reserve(struct kb_cuda *c, struct kb_cuda_list *l,
			 size_t bytes, struct kb_err *err)
{
	const size_t room = bytes < KB_CUDA_ROUND_BYTES ? KB_CUDA_ROUND_BYTES
							: 2 * bytes;
	kb_cu_result result;
	int ret;

	if (bytes <= l->capacity_bytes)
		return 0;
	kb_cuda_list_release(c, l);
	result = c->api->MemHostAlloc(&l->host, room, KB_CU_HOST_PORTABLE);
	if (result != KB_CU_SUCCESS) {
		l->host = NULL;
		return kb_cuda_err(err, c->api, result,
				   "allocate pinned memory");
	}
	ret = kb_cuda_reserve(c, &l->device, room, "lists of work", err);
	if (ret >= 0)
		l->capacity_bytes = room;
	return ret;
}

/*
 * What cuMemAlloc() gives may be part of a larger block, and its IPC handle
 * would open the whole block to a candidate (CUDA C++ Programming Guide,
 * "Interprocess Communication"). What cuMemCreate() gives is alone on its
 * pages.
 */
static struct kb_cu_allocation_prop allocation_props(const struct kb_cuda *c, bool shared)
{
	return (struct kb_cu_allocation_prop){
		.type = KB_CU_ALLOCATION_PINNED,
		.handle_types = shared ? KB_CU_HANDLE_FD : 0,
		.location = { KB_CU_LOCATION_DEVICE, c->device },
	};
}

/* An address for it, which is only kept once it can be used. */
static kb_cu_result map_memory(struct kb_cuda *c, struct kb_cuda_memory *m)
{
	/* The first of a group works on the memory of all. */
	const struct kb_cu_access_desc access[] = {
		{ .location = { KB_CU_LOCATION_DEVICE, c->device },
		  .flags = KB_CU_ACCESS_READ_WRITE },
		{ .location = { KB_CU_LOCATION_DEVICE, c->first->device },
		  .flags = KB_CU_ACCESS_READ_WRITE },
	};
	kb_cu_address address;
	kb_cu_result result;

	result = c->api->MemAddressReserve(&address, m->bytes, 0, 0, 0);
	if (result != KB_CU_SUCCESS)
		return result;
	result = c->api->MemMap(address, m->bytes, 0, m->handle, 0);
	if (result == KB_CU_SUCCESS) {
		result = c->api->MemSetAccess(address, m->bytes, access,
					      c->first == c ? 1 : 2);
		if (result == KB_CU_SUCCESS) {
			m->address = address;
			return result;
		}
		(void)c->api->MemUnmap(address, m->bytes);
	}
	(void)c->api->MemAddressFree(address, m->bytes);
	return result;
}

/* Nothing that we start has it by accident: it is closed by exec(). */
static int share_memory(struct kb_cuda *c, struct kb_cuda_memory *m,
			struct kb_err *err)
{
	kb_cu_result result = c->api->MemExportToShareableHandle(
		&m->fd, m->handle, KB_CU_HANDLE_FD, 0);

	if (result != KB_CU_SUCCESS) {
		m->fd = -1;
		return kb_cuda_err(err, c->api, result,
				   "share device memory");
	}
	if (fcntl(m->fd, F_SETFD, FD_CLOEXEC) < 0)
		return kb_err_sys(err, "cannot share device memory");
	return 0;
}

static int fill_in(struct kb_cuda *c, struct kb_cuda_memory *m, bool shared,
		   struct kb_err *err)
{
	const struct kb_cu_allocation_prop prop = allocation_props(c, shared);
	kb_cu_result result =
		c->api->MemCreate(&m->handle, m->bytes, &prop, 0);

	if (result == KB_CU_SUCCESS)
		result = map_memory(c, m);
	else
		m->handle = 0;
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "allocate %llu bytes of device memory",
				   (unsigned long long)m->bytes);
	return shared ? share_memory(c, m, err) : 0;
}

int kb_cuda_memory_new(struct kb_cuda *c, struct kb_cuda_memory *m,
		       uint64_t bytes, bool shared, struct kb_err *err)
{
	const uint64_t page = c->page_bytes;
	struct kb_cuda_memory made = KB_CUDA_MEMORY_INIT;
	int ret;

	made.bytes = bytes ? (bytes + page - 1) / page * page : page;
	ret = fill_in(c, &made, shared, err);
	if (ret < 0)
		kb_cuda_memory_free(c, &made);
	else
		*m = made;
	return ret;
}

/* The memory itself is given back when nobody holds it or has it mapped any
 * more: a worker that was sent the descriptor keeps it until it ends. */
void kb_cuda_memory_free(struct kb_cuda *c, struct kb_cuda_memory *m)
{
	if (m->fd >= 0)
		close(m->fd);
	if (m->address) {
		(void)c->api->MemUnmap(m->address, m->bytes);
		(void)c->api->MemAddressFree(m->address, m->bytes);
	}
	if (m->handle)
		(void)c->api->MemRelease(m->handle);
	*m = (struct kb_cuda_memory)KB_CUDA_MEMORY_INIT;
}
