#ifndef KB_WORKER_OUTPUT_POOL_H
#define KB_WORKER_OUTPUT_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/cuda.h"
#include "worker/device_slots.h"
#include "worker/worker.h"

struct kb_err;

/*
 * A worker's output pool, in which it leaves what its calls return, and the
 * table that says where. The table is the worker's to write: whatever is in it
 * is checked on the way out.
 */
struct kb_output_pool {
	struct kb_cuda_memory memory;
	int table_fd;
	volatile uint64_t *table;
	struct kb_output_pool *next;	/* the next rank's; owned, or NULL */
};

#define KB_OUTPUT_POOL_INIT { .memory = KB_CUDA_MEMORY_INIT, .table_fd = -1 }

/* One for each rank, of so many bytes each, on the rank's device. */
int kb_output_pool_open(struct kb_output_pool *p, struct kb_cuda *cuda,
			uint64_t bytes, uint32_t ranks, struct kb_err *err);
bool kb_output_pool_has(const struct kb_output_pool *p, uint64_t address);
void kb_output_pool_close(struct kb_output_pool *p, struct kb_cuda *cuda);

/*
 * The size of a pool that is to have `wanted_bytes`, where `free_bytes` are left
 * on the device and `spare_bytes` of them are for others: all, or what there is
 * if that is at least `least_bytes`. Where it is less, `wanted_bytes`, which
 * kb_output_pool_open() will then refuse.
 */
uint64_t kb_output_pool_fit(uint64_t wanted_bytes, uint64_t least_bytes,
			    uint64_t free_bytes, uint64_t spare_bytes);

/*
 * The size of a larger one for each of `pools` sides, where one of
 * `had_bytes` was too small, and `free_bytes` of the device are left without it,
 * of which `spare_bytes` are for others: an even share of what there is, in whole
 * pages, if that is notably more, by one part in KB_OUTPUT_POOL_MORE_SHARE of what
 * it had; else 0, since another try would end as the first did.
 */
uint64_t kb_output_pool_grow(uint64_t had_bytes, uint64_t free_bytes,
			     uint64_t spare_bytes, unsigned pools);
#define KB_OUTPUT_POOL_MORE_SHARE 16

/* As kb_worker_ask(). */
int kb_output_pool_send(const struct kb_output_pool *p, struct kb_worker *w,
			struct kb_fault *fault, struct kb_err *err);

/*
 * Where output `i` of `slot` is; KB_MASTER_SLOT and up are those of master
 * slots. Returns 0 if the worker points outside its pool, or to a slot's
 * output that it does not have.
 */
bool kb_output_pool_find(uint64_t *address, const struct kb_output_pool *p,
			 const struct kb_device_slots *s, bool outputs,
			 uint32_t slot, uint32_t i);

/*
 * Do two outputs share bytes? `addresses` has `count` of them, call by call. The
 * runtime gives each output of a run a place of its own, so that who says
 * otherwise would write less than all of them. Returns the index of one that
 * begins within another, or `count`.
 */
size_t kb_output_shared(const uint64_t *addresses, size_t count,
			const struct kb_plan *plan);

/* The most of it that the worker says was ever taken, at most all of it. */
uint64_t kb_output_pool_peak_bytes(const struct kb_output_pool *p);

/*
 * How many calls, at least one, a pool of `pool_bytes` is large enough for,
 * if each leaves outputs of `output_bytes`, not 0, in each of `sets` sets of
 * slots, and if one call with its outputs in all of them took `peak_bytes`.
 * The next call works where the one before did. A part stays free, since what
 * is free is not all in one place.
 */
uint64_t kb_output_pool_calls(uint64_t pool_bytes, uint64_t peak_bytes,
			      uint64_t output_bytes, unsigned sets);
#define KB_OUTPUT_POOL_SPARE_SHARE 16

#endif
