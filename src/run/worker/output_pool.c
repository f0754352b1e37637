#include "worker/output_pool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/numbers.h"
#include "worker/slots.h"

static int open_table(struct kb_output_pool *p, struct kb_err *err)
{
	void *table;

	/* Sealed in size: a worker that made it shorter would have us end by
	 * SIGBUS when we read it (mmap(2)). It has to stay writable. */
	p->table_fd = memfd_create("kb-table", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (p->table_fd < 0 ||
	    ftruncate(p->table_fd, (off_t)KB_TABLE_BYTES) < 0 ||
	    fcntl(p->table_fd, F_ADD_SEALS,
		  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return kb_err_sys(err, "cannot make a table of outputs");
	table = mmap(NULL, KB_TABLE_BYTES, PROT_READ, MAP_SHARED, p->table_fd,
		     0);
	if (table == MAP_FAILED)
		return kb_err_sys(err, "cannot map a table of outputs");
	p->table = table;
	return 0;
}

int kb_output_pool_open(struct kb_output_pool *p, struct kb_cuda *cuda,
			uint64_t bytes, uint32_t ranks, struct kb_err *err)
{
	int ret = open_table(p, err);

	if (ret >= 0)
		ret = kb_cuda_memory_new(cuda, &p->memory, bytes, true, err);
	if (ret < 0 || ranks == 1)
		return ret;
	p->next = kb_xcalloc(1, sizeof(*p->next));
	*p->next = (struct kb_output_pool)KB_OUTPUT_POOL_INIT;
	return kb_output_pool_open(p->next, kb_cuda_of_rank(cuda, 1), bytes,
				   ranks - 1, err);
}

void kb_output_pool_close(struct kb_output_pool *p, struct kb_cuda *cuda)
{
	if (p->next)
		kb_output_pool_close(p->next, cuda);
	free(p->next);
	if (p->table)
		munmap((void *)(uintptr_t)p->table, KB_TABLE_BYTES);
	if (p->table_fd >= 0)
		close(p->table_fd);
	if (p->memory.address)
		kb_cuda_memory_free(cuda, &p->memory);
	*p = (struct kb_output_pool)KB_OUTPUT_POOL_INIT;
}

bool kb_output_pool_has(const struct kb_output_pool *p, uint64_t address)
{
	for (; p; p = p->next)
		if (address >= p->memory.address &&
		    address - p->memory.address < p->memory.bytes)
			return true;
	return false;
}

uint64_t kb_output_pool_fit(uint64_t wanted_bytes, uint64_t least_bytes,
			    uint64_t free_bytes, uint64_t spare_bytes)
{
	const uint64_t room =
		free_bytes > spare_bytes ? free_bytes - spare_bytes : 0;

	return room < wanted_bytes && room >= least_bytes ? room
							  : wanted_bytes;
}

uint64_t kb_output_pool_grow(uint64_t had_bytes, uint64_t free_bytes,
			     uint64_t spare_bytes, unsigned pools)
{
	const uint64_t room =
		free_bytes > spare_bytes ? free_bytes - spare_bytes : 0;
	const uint64_t share = room / pools / KB_PAGE_BYTES * KB_PAGE_BYTES;
	const uint64_t more = had_bytes / KB_OUTPUT_POOL_MORE_SHARE;

	return share > had_bytes && share - had_bytes >= more ? share : 0;
}

int kb_output_pool_send(const struct kb_output_pool *p, struct kb_worker *w,
			struct kb_fault *fault, struct kb_err *err)
{
	struct kb_request request = {
		.op = KB_OP_POOL, .bytes = p->memory.bytes,
	};
	int fds[2 * KB_RANKS_MAX];
	size_t n = 0;

	for (; p; p = p->next) {
		fds[n++] = p->memory.fd;
		fds[n++] = p->table_fd;
	}
	return kb_worker_ask(w, &request, fds, n, fault, err);
}

static uint64_t output_address(const struct kb_device_slots *s, uint32_t slot,
			       uint32_t i)
{
	const uint32_t outputs = s->plan->output_count;

	if (slot < KB_MASTER_SLOT)
		return kb_device_output(s, slot, i);
	return s->master_outputs[(size_t)(slot - KB_MASTER_SLOT) * outputs +
				 i].address + KB_GUARD_BYTES;
}

bool kb_output_pool_find(uint64_t *address, const struct kb_output_pool *p,
			 const struct kb_device_slots *s, bool outputs,
			 uint32_t slot, uint32_t i)
{
	const uint64_t bytes = kb_tensor_bytes(&s->plan->outputs[i]);
	const enum kb_dtype dtype = s->plan->outputs[i].dtype;
	const uint32_t each = s->plan->output_count / kb_plan_ranks(s->plan);
	uint64_t at;

	for (uint32_t rank = i / each; rank && p->next; rank--)
		p = p->next;
	at = p->table[(size_t)slot * KB_OUTPUTS_MAX + i % each];

	if (at == KB_IN_SLOT) {
		if (!outputs)
			return false;
		*address = output_address(s, slot, i);
		return true;
	}
	/* A subtraction, since the sum of the worker's number and ours may wrap
	 * around. Kernels read whole elements, which must be aligned. */
	if (at > p->memory.bytes || bytes > p->memory.bytes - at ||
	    at % kb_dtype_size_bytes(dtype))
		return false;
	*address = p->memory.address + at;
	return true;
}

struct extent {
	uint64_t start, bytes;
	size_t index;
};

static int compare_extents(const void *left, const void *right)
{
	const struct extent *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

size_t kb_output_shared(const uint64_t *addresses, size_t count,
			const struct kb_plan *plan)
{
	kb_auto(mem) struct extent *e = kb_xcalloc(count, sizeof(*e));
	size_t used = 0;

	for (size_t k = 0; k < count; k++) {
		const uint32_t i = (uint32_t)(k % plan->output_count);
		const uint64_t bytes = kb_tensor_bytes(&plan->outputs[i]);

		if (bytes)
			e[used++] = (struct extent){ addresses[k], bytes, k };
	}
	if (used)
		qsort(e, used, sizeof(*e), compare_extents);
	for (size_t k = 1; k < used; k++)
		if (e[k].start - e[k - 1].start < e[k - 1].bytes)
			return e[k].index;
	return count;
}

uint64_t kb_output_pool_peak_bytes(const struct kb_output_pool *p)
{
	uint64_t most = 0;

	for (; p; p = p->next) {
		const uint64_t peak = p->table[KB_TABLE_PEAK];

		most = kb_max_u64(most, kb_min_u64(peak, p->memory.bytes));
	}
	return most;
}

uint64_t kb_output_pool_calls(uint64_t pool_bytes, uint64_t peak_bytes,
			      uint64_t output_bytes, unsigned sets)
{
	const uint64_t left = sets * output_bytes;
	const uint64_t work = peak_bytes > left ? peak_bytes - left : 0;
	const uint64_t room =
		pool_bytes - pool_bytes / KB_OUTPUT_POOL_SPARE_SHARE;

	return room >= work + left ? (room - work) / left : 1;
}
