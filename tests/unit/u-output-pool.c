#include "worker/output_pool.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "lib/tap.h"

#define POOL_BASE UINT64_C(0x700000000000)
#define POOL_BYTES (2 * KB_PAGE_BYTES)
#define SLOT_BASE UINT64_C(0x710000000000)
#define MASTER_BASE UINT64_C(0x720000000000)

/* Two outputs: 7 of 8 bytes, and none at all. */
static const struct kb_plan plan = {
	.version = KB_PLAN_VERSION,
	.input_count = 1,
	.output_count = 2,
	.inputs = { { .dtype = KB_FLOAT32, .ndim = 1, .dims = { 1000 } } },
	.outputs = {
		{ .dtype = KB_INT64, .ndim = 1, .dims = { 7 } },
		{ .dtype = KB_FLOAT16, .ndim = 1, .dims = { 0 } },
	},
};

struct place {
	struct kb_device_slots slots;
	struct kb_output_pool pool;
	struct kb_cuda_memory outputs[4], masters[4];
	uint64_t *table;
};

static void set_up(struct place *p)
{
	*p = (struct place){
		.slots = { .plan = &plan, .output_slots = 2,
			   .master_output_slots = 2 },
		.pool = { .memory = { .address = POOL_BASE,
				      .bytes = POOL_BYTES, .fd = -1 } },
	};
	for (size_t i = 0; i < KB_ARRAY_LEN(p->outputs); i++) {
		p->outputs[i].address = SLOT_BASE + i * KB_PAGE_BYTES;
		p->masters[i].address = MASTER_BASE + i * KB_PAGE_BYTES;
	}
	p->slots.outputs = p->outputs;
	p->slots.master_outputs = p->masters;
	p->table = kb_xcalloc(1, KB_TABLE_BYTES);
	p->pool.table = p->table;
}

static void test_what_slots_take_is_what_is_in_them(void)
{
	struct kb_cuda_memory inputs[] = { { .bytes = 1 }, { .bytes = 2 } };
	struct kb_cuda_memory masters[] = { { .bytes = 4 }, { .bytes = 8 } };
	struct kb_cuda_memory outputs[] = { { .bytes = 16 }, { .bytes = 32 },
					    { .bytes = 64 }, { .bytes = 128 } };
	struct kb_device_slots s = {
		.plan = &plan, .masters = masters, .inputs = inputs,
		.outputs = outputs, .master_outputs = outputs,
	};

	check_int(kb_device_slots_bytes(&(struct kb_device_slots)
					KB_DEVICE_SLOTS_INIT), 0);
	check_int(kb_device_slots_bytes(&s), 0);
	s.count = 2;
	check_int(kb_device_slots_bytes(&s), 15);
	s.output_slots = 2;
	s.master_output_slots = 1;
	check_int(kb_device_slots_bytes(&s), 15 + 240 + 48);
}

static uint64_t word_of(uint32_t slot, uint32_t i)
{
	return (uint64_t)slot * KB_OUTPUTS_MAX + i;
}

static void test_offsets_are_checked_against_the_pool(void)
{
	static const struct {
		uint32_t output;
		uint64_t offset;
		bool found;
	} cases[] = {
		{ 1, 0, true },
		{ 0, 0, true },
		{ 0, 8, true },
		{ 0, 4, false },		/* not aligned */
		{ 1, 2, true },
		{ 1, 1, false },
		{ 0, POOL_BYTES - 56, true },
		{ 0, POOL_BYTES - 48, false },	/* one element outside */
		{ 0, POOL_BYTES, false },
		{ 1, POOL_BYTES, true },	/* nothing, at the end */
		{ 1, POOL_BYTES + 2, false },
		{ 0, POOL_BYTES + 8, false },
		{ 0, UINT64_MAX - 7, false },	/* the sum wraps */
		{ 0, UINT64_MAX - 55, false },
		{ 0, UINT64_C(1) << 63, false },
	};
	struct place p;

	set_up(&p);
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		uint64_t address = 1;

		p.table[word_of(5, cases[i].output)] = cases[i].offset;
		check_int(kb_output_pool_find(&address, &p.pool, &p.slots,
					      false, 5, cases[i].output),
			  cases[i].found);
		check_int((intmax_t)address,
			  cases[i].found ?
			  (intmax_t)(POOL_BASE + cases[i].offset) : 1);
	}
	free(p.table);
}

static void test_each_rank_has_a_pool(void)
{
	struct kb_plan joined = plan;
	uint64_t address = 0;
	struct place p, second;

	/* One output of each rank. */
	joined.ranks = 2;
	joined.outputs[1] = joined.outputs[0];
	set_up(&p);
	set_up(&second);
	second.pool.memory.address = SLOT_BASE;
	p.slots.plan = &joined;
	p.pool.next = &second.pool;
	p.table[word_of(3, 0)] = 8;
	second.table[word_of(3, 0)] = 16;
	check(kb_output_pool_find(&address, &p.pool, &p.slots, false, 3, 0));
	check_int((intmax_t)address, (intmax_t)(POOL_BASE + 8));
	check(kb_output_pool_find(&address, &p.pool, &p.slots, false, 3, 1));
	check_int((intmax_t)address, (intmax_t)(SLOT_BASE + 16));
	check(kb_output_pool_has(&p.pool, SLOT_BASE + POOL_BYTES - 1));
	check(!kb_output_pool_has(&p.pool, SLOT_BASE + POOL_BYTES));

	p.table[KB_TABLE_PEAK] = 5;
	second.table[KB_TABLE_PEAK] = 7;
	check_int((intmax_t)kb_output_pool_peak_bytes(&p.pool), 7);
	free(p.table);
	free(second.table);
}

static void test_a_slot_is_only_for_those_who_have_them(void)
{
	uint64_t address = 1;
	struct place p;

	set_up(&p);
	p.table[word_of(1, 0)] = KB_IN_SLOT;
	p.table[word_of(KB_MASTER_SLOT + 1, 1)] = KB_IN_SLOT;

	check(!kb_output_pool_find(&address, &p.pool, &p.slots, false, 1, 0));
	check_int((intmax_t)address, 1);
	check(kb_output_pool_find(&address, &p.pool, &p.slots, true, 1, 0));
	check_int((intmax_t)address, (intmax_t)(SLOT_BASE + 2 * KB_PAGE_BYTES +
						KB_GUARD_BYTES));
	check(kb_output_pool_find(&address, &p.pool, &p.slots, true,
				  KB_MASTER_SLOT + 1, 1));
	check_int((intmax_t)address, (intmax_t)(MASTER_BASE +
						3 * KB_PAGE_BYTES +
						KB_GUARD_BYTES));
	free(p.table);
}

static void test_outputs_share_no_bytes(void)
{
	/* Of 56 and of 0 bytes each call. */
	static const struct {
		uint64_t addresses[6];
		size_t shared;
	} cases[] = {
		{ { 0, 0, 56, 0, 112, 0 }, 6 },
		{ { 112, 0, 56, 0, 0, 0 }, 6 },
		{ { 0, 8, 56, 8, 112, 8 }, 6 },		/* nothing shares */
		{ { 0, 0, 55, 0, 112, 0 }, 2 },
		{ { 200, 0, 0, 0, 255, 0 }, 4 },
		{ { UINT64_MAX - 55, 0, 0, 0, 56, 0 }, 6 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int((intmax_t)kb_output_shared(cases[i].addresses, 6,
						     &plan),
			  (intmax_t)cases[i].shared);
	/* Which of two alike is found does not matter. */
	check(kb_output_shared((const uint64_t[]){ 0, 0, 9, 0, 9, 0 }, 6,
			       &plan) < 6);
}

static void test_sizes_are_those_of_whole_pages(void)
{
	struct kb_plan p = plan;

	/* one input, master and published */
	check_int((intmax_t)kb_device_slot_bytes(&p),
		  (intmax_t)(2 * KB_PAGE_BYTES));
	check_int((intmax_t)kb_device_output_bytes(&p),
		  (intmax_t)(2 * KB_PAGE_BYTES));

	/* two guards are what makes the difference */
	p.inputs[0].dims[0] = (KB_PAGE_BYTES - 2 * KB_GUARD_BYTES) / 4;
	check_int((intmax_t)kb_device_slot_bytes(&p),
		  (intmax_t)(2 * KB_PAGE_BYTES));
	p.inputs[0].dims[0]++;
	check_int((intmax_t)kb_device_slot_bytes(&p),
		  (intmax_t)(4 * KB_PAGE_BYTES));
	p.input_count = 0;
	check_int((intmax_t)kb_device_slot_bytes(&p), 0);
}

static void test_a_peak_is_at_most_the_pool(void)
{
	struct place p;

	set_up(&p);
	p.table[KB_TABLE_PEAK] = POOL_BYTES - 1;
	check_int((intmax_t)kb_output_pool_peak_bytes(&p.pool), POOL_BYTES - 1);
	p.table[KB_TABLE_PEAK] = UINT64_MAX;
	check_int((intmax_t)kb_output_pool_peak_bytes(&p.pool), POOL_BYTES);
	free(p.table);
}

static void test_calls_leave_room_for_what_one_needs(void)
{
	static const struct {
		uint64_t pool, peak, output;
		unsigned sets;
		uint64_t calls;
	} cases[] = {
		/* a sixteenth stays free */
		{ 160, 2, 1, 2, 75 },
		{ 160, 1, 1, 1, 150 },
		/* 50 are for what is not outputs */
		{ 160, 52, 1, 2, 50 },
		{ 160, 60, 10, 1, 10 },
		/* a peak below the outputs: those that it saw were smaller */
		{ 160, 0, 1, 2, 75 },
		/* one exactly, and one that must do */
		{ 160, 150, 10, 1, 1 },
		{ 160, 151, 10, 1, 1 },
		{ 160, 160, 160, 2, 1 },
		{ 0, 0, 1, 1, 1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int((intmax_t)kb_output_pool_calls(cases[i].pool,
							 cases[i].peak,
							 cases[i].output,
							 cases[i].sets),
			  (intmax_t)cases[i].calls);
}

static void test_a_pool_is_as_large_as_wanted_or_as_there_is_room(void)
{
	static const struct {
		uint64_t wanted, least, free, spare, bytes;
	} cases[] = {
		{ 100, 0, 110, 10, 100 },
		{ 100, 0, 1000, 10, 100 },
		/* less, but enough for what one call takes */
		{ 100, 20, 109, 10, 99 },
		{ 100, 20, 30, 10, 20 },
		/* too little: it is for the device to refuse */
		{ 100, 20, 29, 10, 100 },
		{ 100, 20, 10, 10, 100 },
		{ 100, 20, 0, 10, 100 },
		/* what needs nothing is content with nothing */
		{ 100, 0, 5, 10, 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int((intmax_t)kb_output_pool_fit(cases[i].wanted,
						       cases[i].least,
						       cases[i].free,
						       cases[i].spare),
			  (intmax_t)cases[i].bytes);
}

static void test_a_pool_grows_where_there_is_notably_more(void)
{
	static const struct {
		uint64_t had, free, spare;
		unsigned pools;
		uint64_t pages;
	} cases[] = {
		{ 0, 0, 0, 1, 0 },
		{ 16, 100, 10, 1, 90 },
		{ 16, 100, 10, 2, 45 },
		/* a sixteenth more */
		{ 16, 27, 10, 1, 17 },
		{ 16, 26, 10, 1, 0 },
		{ 32, 43, 10, 1, 0 },
		{ 32, 44, 10, 1, 34 },
		{ 16, 44, 10, 2, 17 },
		{ 16, 43, 10, 2, 0 },
		/* less than it had, or nothing */
		{ 16, 20, 10, 1, 0 },
		{ 16, 10, 10, 1, 0 },
		{ 16, 9, 10, 1, 0 },
		{ 16, 0, 10, 1, 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int((intmax_t)kb_output_pool_grow(
				  cases[i].had * KB_PAGE_BYTES,
				  cases[i].free * KB_PAGE_BYTES,
				  cases[i].spare * KB_PAGE_BYTES,
				  cases[i].pools),
			  (intmax_t)(cases[i].pages * KB_PAGE_BYTES));
	/* of a page that is not whole nothing is had */
	check_int((intmax_t)kb_output_pool_grow(KB_PAGE_BYTES,
						3 * KB_PAGE_BYTES - 1, 0, 1),
		  2 * KB_PAGE_BYTES);
	check_int((intmax_t)kb_output_pool_grow(KB_PAGE_BYTES,
						2 * KB_PAGE_BYTES - 1, 0, 1),
		  0);
}

TAP_MAIN(TAP(test_offsets_are_checked_against_the_pool),
	 TAP(test_each_rank_has_a_pool),
	 TAP(test_a_slot_is_only_for_those_who_have_them),
	 TAP(test_outputs_share_no_bytes),
	 TAP(test_sizes_are_those_of_whole_pages),
	 TAP(test_what_slots_take_is_what_is_in_them),
	 TAP(test_a_peak_is_at_most_the_pool),
	 TAP(test_calls_leave_room_for_what_one_needs),
	 TAP(test_a_pool_is_as_large_as_wanted_or_as_there_is_room),
	 TAP(test_a_pool_grows_where_there_is_notably_more));
