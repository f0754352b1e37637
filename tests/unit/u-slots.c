#include "worker/slots.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/err.h"
#include "lib/tap.h"

#define KEY UINT64_C(0x0123456789abcdef)

/* Two inputs, of which one is a plain number, and two outputs, of which
 * one is exactly as long as its padding. */
static struct kb_plan usual_plan(void)
{
	struct kb_plan p = {
		.version = KB_PLAN_VERSION,
		.input_count = 2,
		.output_count = 2,
		.inputs = {
			{ .dtype = KB_FLOAT64,
			  .flags = KB_TENSOR_IS_SCALAR },
			{ .dtype = KB_FLOAT32, .ndim = 2,
			  .dims = { 3, 5 } },
		},
		.outputs = {
			{ .dtype = KB_UINT8, .ndim = 1,
			  .dims = { KB_GUARD_BYTES } },
			{ .dtype = KB_INT64, .ndim = 1, .dims = { 7 } },
		},
	};

	return p;
}

static void check_refused(const struct kb_plan *p, const char *message)
{
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_plan_check(p, &err), -KB_ERR_INPUT);
	check_str(err.msg, message);
}

static void test_plans_that_make_sense_are_taken(void)
{
	struct kb_plan p = usual_plan();
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_plan_check(&p, &err), 0);

	/* No inputs, and a tensor without elements, are fine. */
	p.input_count = 0;
	p.outputs[1].dims[0] = 0;
	check_int(kb_plan_check(&p, &err), 0);

	p = usual_plan();
	p.input_count = KB_INPUTS_MAX;
	p.output_count = KB_OUTPUTS_MAX;
	for (int i = 0; i < KB_INPUTS_MAX; i++)
		p.inputs[i] = p.outputs[i] = p.inputs[1];
	p.inputs[31].ndim = KB_DIMS_MAX;
	for (int i = 0; i < KB_DIMS_MAX; i++)
		p.inputs[31].dims[i] = 2;
	check_int(kb_plan_check(&p, &err), 0);
	check_str(err.msg, "");
}

static void test_counts_of_a_plan_are_checked(void)
{
	struct kb_plan p = usual_plan();

	p.version = KB_PLAN_VERSION + 1;
	check_refused(&p, "the plan has version 2");
	p = usual_plan();
	p.input_count = KB_INPUTS_MAX + 1;
	check_refused(&p, "33 inputs, more than 32");
	p.input_count = UINT32_MAX;
	check_refused(&p, "4294967295 inputs, more than 32");
	p = usual_plan();
	p.output_count = 0;
	check_refused(&p, "0 outputs, not 1 to 32");
	p.output_count = KB_OUTPUTS_MAX + 1;
	check_refused(&p, "33 outputs, not 1 to 32");
}

static void test_tensors_of_a_plan_are_checked(void)
{
	static const struct {
		struct kb_tensor_spec spec;
		const char *message;
	} cases[] = {
		{ { .dtype = 0 }, "no type has number 0" },
		{ { .dtype = 4711 }, "no type has number 4711" },
		{ { .dtype = UINT32_MAX },
		  "no type has number 4294967295" },
		{ { .dtype = KB_INT8, .ndim = KB_DIMS_MAX + 1 },
		  "dimensions that make no tensor" },
		{ { .dtype = KB_INT8, .ndim = 1,
		    .dims = { KB_TENSOR_BYTES_MAX + 1 } },
		  "dimensions that make no tensor" },
		{ { .dtype = KB_FLOAT64, .ndim = 1,
		    .dims = { KB_TENSOR_BYTES_MAX / 8 + 1 } },
		  "dimensions that make no tensor" },
		/* overflows to something small */
		{ { .dtype = KB_INT8, .ndim = 2,
		    .dims = { UINT64_C(1) << 32, UINT64_C(1) << 32 } },
		  "dimensions that make no tensor" },
		{ { .dtype = KB_FLOAT64, .ndim = 1,
		    .dims = { UINT64_C(1) << 61 } },
		  "dimensions that make no tensor" },
		{ { .dtype = KB_FLOAT64, .ndim = 1, .dims = { 1 },
		    .flags = KB_TENSOR_IS_SCALAR },
		  "a plain number with dimensions" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_plan p = usual_plan();

		char want[128];

		snprintf(want, sizeof(want), "output 1: %s", cases[i].message);
		p.outputs[1] = cases[i].spec;
		check_refused(&p, want);
		snprintf(want, sizeof(want), "input 2: %s", cases[i].message);
		p = usual_plan();
		p.input_count = 3;
		p.inputs[2] = cases[i].spec;
		check_refused(&p, want);
	}
}

static void test_layout_is_guard_data_padding_guard(void)
{
	static const struct {
		uint64_t bytes, file_bytes;
	} cases[] = {
		{ 0, 2 * 4096 }, { 1, 3 * 4096 }, { 4095, 3 * 4096 },
		{ 4096, 3 * 4096 }, { 4097, 4 * 4096 },
	};
	struct kb_plan p = usual_plan();

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int(kb_tensor_file_bytes(cases[i].bytes),
			  cases[i].file_bytes);
	check_int(kb_plan_tensors(&p), 4);
	check_int(kb_plan_slot_bytes(&p), 4 * 3 * 4096);
}

static void grow(struct kb_slots *s, const struct kb_plan *p, uint32_t count)
{
	struct kb_err err = KB_ERR_INIT;

	s->plan = p;
	check_int(kb_slots_grow(s, count, &err), 0);
	check_str(err.msg, "");
	check_int(s->count, count);
}

static void test_tensors_lie_one_after_the_other(void)
{
	static const uint64_t data_bytes[] = { 8, 60, 4096, 56 };
	struct kb_plan p = usual_plan();
	struct kb_slots s = KB_SLOTS_INIT;

	grow(&s, &p, 2);
	for (uint32_t i = 0; i < 2 * 4; i++) {
		const struct kb_slot_tensor *t = i % 4 < 2 ?
			kb_slots_input(&s, i / 4, i % 4) :
			kb_slots_output(&s, i / 4, i % 4 - 2);

		check_int(t->data_bytes, data_bytes[i % 4]);
		check_int(t->file_bytes, 3 * 4096);
		check(t->base == s.memory[0].base + i * 3 * 4096);
		check(kb_slot_data(t) == t->base + 4096);
	}
	check_int(kb_slot_copy_bytes(kb_slots_input(&s, 0, 0)), 64);
	check_int(kb_slot_copy_bytes(kb_slots_output(&s, 0, 0)), 4096);
	kb_slots_release(&s);
	check_int(s.count, 0);
}

/* Rank 1's second input is larger. */
static struct kb_plan plan_of_two(void)
{
	struct kb_plan of_ranks[] = { usual_plan(), usual_plan() };
	struct kb_plan p;

	of_ranks[1].inputs[1].dims[0] = 2048;
	check_int(kb_plan_join(&p, of_ranks, 2, NULL), 0);
	return p;
}

static void test_ranks_have_files_of_their_own(void)
{
	static const uint32_t rank_of[] = { 0, 0, 1, 1, 0, 0, 1, 1 };
	struct kb_plan p = plan_of_two();
	struct kb_slots s = KB_SLOTS_INIT;
	uint64_t used[2] = { 0, 0 };

	check_int(p.input_count, 4);
	check_int(p.output_count, 4);
	check_int(kb_tensor_bytes(&p.inputs[1]), 60);
	check_int(kb_tensor_bytes(&p.inputs[3]), 2048 * 5 * 4);
	grow(&s, &p, 3);
	check_int(s.memory_count, 2);
	for (uint32_t i = 0; i < 3 * 8; i++) {
		const struct kb_slot_tensor *t = &s.tensors[i];
		const uint32_t rank = rank_of[i % 8];

		check(t->base == s.memory[rank].base + used[rank]);
		used[rank] += t->file_bytes;
	}
	for (uint32_t i = 0; i < 2; i++) {
		check_int(s.memory[i].rank, i);
		check_int(s.memory[i].bytes, (intmax_t)used[i]);
	}
	kb_slots_release(&s);
}

static void test_a_tensor_of_ranks_has_its_rank_in_its_name(void)
{
	static const struct {
		uint32_t i;
		const char *alone, *of_two;
	} table[] = {
		{ 0, "input 0", "rank 0, input 0" },
		{ 2, "output 0", "rank 1, input 2" },
		{ 3, "output 1", "rank 1, input 3" },
		{ 5, NULL, "rank 0, output 1" },
		{ 6, NULL, "rank 1, output 2" },
	};
	const struct kb_plan alone = usual_plan(), of_two = plan_of_two();
	char name[KB_TENSOR_NAME_SIZE];

	for (uint32_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		if (table[i].alone)
			check_str(kb_plan_name_tensor(name, &alone,
						      table[i].i),
				  table[i].alone);
		check_str(kb_plan_name_tensor(name, &of_two, table[i].i),
			  table[i].of_two);
	}
}

static void test_plans_that_cannot_be_joined_are_refused(void)
{
	struct kb_plan ranks[KB_RANKS_MAX];
	struct kb_err err = KB_ERR_INIT;
	struct kb_plan p;

	for (uint32_t i = 0; i < KB_RANKS_MAX; i++)
		ranks[i] = usual_plan();
	check_int(kb_plan_join(&p, ranks, KB_RANKS_MAX, NULL), 0);
	check_int(kb_plan_rank_of_output(&p, 15), 7);
	ranks[3].output_count = 1;
	check_int(kb_plan_join(&p, ranks, KB_RANKS_MAX, &err), -KB_ERR_INPUT);
	check_str(err.msg, "rank 3 has 1 outputs, and rank 0 has 2");
	for (uint32_t i = 0; i < KB_RANKS_MAX; i++)
		ranks[i].output_count = 8;
	check_int(kb_plan_join(&p, ranks, KB_RANKS_MAX, &err), 0);
	check_int(p.output_count, 64);
	for (uint32_t i = 0; i < KB_RANKS_MAX; i++)
		ranks[i].output_count = 9;
	check_int(kb_plan_join(&p, ranks, KB_RANKS_MAX, &err), -KB_ERR_INPUT);
	check_str(err.msg, "8 ranks have 16 inputs and 72 outputs together, more "
		  "than 64");
}

static void test_what_is_added_at_a_time_is_a_sealed_file(void)
{
	static const uint32_t counts[] = { 2, 3, 7 };
	struct kb_plan p = usual_plan();
	struct kb_slots s = KB_SLOTS_INIT;
	uint32_t first = 0;

	for (uint32_t i = 0; i < KB_ARRAY_LEN(counts); i++) {
		const struct kb_slot_memory *m;
		struct stat st;

		grow(&s, &p, counts[i]);
		check_int(s.memory_count, i + 1);
		m = &s.memory[i];
		check_int(m->first, first);
		check_int(m->count, counts[i] - first);
		check_int(m->bytes, m->count * 4 * 3 * 4096);
		check(kb_slots_input(&s, first, 0)->base == m->base);
		check_int(fstat(m->fd, &st), 0);
		check_int(st.st_size, (intmax_t)m->bytes);
		check_int(ftruncate(m->fd, 0), -1);
		check_int(errno, EPERM);
		check_int(ftruncate(m->fd, 1 << 20), -1);
		check_int(errno, EPERM);
		first = counts[i];
	}
	kb_slots_release(&s);
	check_int(s.memory_count, 0);
}

static void test_growth_keeps_what_is_there(void)
{
	struct kb_plan p = usual_plan();
	struct kb_slots s = KB_SLOTS_INIT;
	uint8_t *base;

	grow(&s, &p, 1);
	base = kb_slots_input(&s, 0, 1)->base;
	base[4096] = 77;
	grow(&s, &p, 5);
	check(kb_slots_input(&s, 0, 1)->base == base && base[4096] == 77);
	check(kb_slots_input(&s, 1, 1)->base != base);
	check_int(kb_slots_grow(&s, 3, NULL), 0);
	check_int(s.count, 5);
	kb_slots_release(&s);
	kb_slots_release(&s);
}

static void test_too_large_slots_are_a_message(void)
{
	static const struct {
		uint32_t tensors, slots;
		const char *message;
	} cases[] = {
		{ 4, 1, "cannot map slots of 281474976768000 bytes: "
			"Cannot allocate memory" },
		{ 32, 1 << 14, "16384 slots have too many bytes" },
		{ 32, 1 << 12, "4096 slots have too many bytes" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_plan p = usual_plan();
		struct kb_slots s = KB_SLOTS_INIT;
		struct kb_err err = KB_ERR_INIT;

		p.output_count = cases[i].tensors;
		for (uint32_t k = 0; k < p.output_count; k++)
			p.outputs[k] = (struct kb_tensor_spec){
				.dtype = KB_INT8, .ndim = 1,
				.dims = { KB_TENSOR_BYTES_MAX },
			};
		s.plan = &p;
		check_int(kb_plan_check(&p, NULL), 0);
		check_int(kb_slots_grow(&s, cases[i].slots, &err),
			  -KB_ERR_SYS);
		check_str(err.msg, cases[i].message);
		check_int(s.count, 0);
		kb_slots_release(&s);
	}
}

static bool all_hold(const struct kb_slots *s)
{
	uint32_t slot, tensor;

	return kb_slots_guards_hold(s, s->count, KEY, &slot, &tensor);
}

static void test_poison_leaves_inputs_alone(void)
{
	struct kb_plan p = usual_plan();
	struct kb_slots s = KB_SLOTS_INIT;

	grow(&s, &p, 2);
	for (uint32_t slot = 0; slot < 2; slot++)
		for (uint32_t i = 0; i < 2; i++)
			memset(kb_slot_data(kb_slots_input(&s, slot, i)), 0x5a,
			       kb_slots_input(&s, slot, i)->data_bytes);
	check(!all_hold(&s));
	kb_slots_poison(&s, 2, KEY);
	check(all_hold(&s));
	for (uint32_t slot = 0; slot < 2; slot++) {
		const struct kb_slot_tensor *t = kb_slots_input(&s, slot, 1);

		for (uint64_t i = 0; i < t->data_bytes; i++)
			check_int(kb_slot_data(t)[i], 0x5a);
	}

	/* No two outputs, nor one of two keys, hold the same. */
	const struct kb_slot_tensor *a = kb_slots_output(&s, 0, 1);
	const struct kb_slot_tensor *b = kb_slots_output(&s, 1, 1);
	uint8_t was[56];

	check(memcmp(kb_slot_data(a), kb_slot_data(b), 56) != 0);
	memcpy(was, kb_slot_data(a), 56);
	kb_slots_poison(&s, 2, KEY + 1);
	check(memcmp(kb_slot_data(a), was, 56) != 0);
	check(!all_hold(&s));
	kb_slots_release(&s);
}

/* Any byte of any tensor's file, changed: guards and padding tell, data
 * does not. */
static void test_every_byte_around_the_data_is_guarded(void)
{
	struct kb_plan p = usual_plan();
	struct kb_slots s = KB_SLOTS_INIT;

	grow(&s, &p, 2);
	kb_slots_poison(&s, 2, KEY);
	for (uint32_t i = 0; i < 2 * 4; i++) {
		const struct kb_slot_tensor *t = &s.tensors[i];
		/* all near the edges, some in between */
		uint64_t at = 0;

		while (at < t->file_bytes) {
			bool data = at >= 4096 && at < 4096 + t->data_bytes;
			uint32_t slot = 99, tensor = 99;

			t->base[at] ^= 0x40;
			if (kb_slots_guards_hold(&s, 2, KEY, &slot, &tensor) !=
			    data)
				tap_fail("byte %d of tensor %u", (int)at, i);
			if (!data) {
				check_int(slot, i / 4);
				check_int(tensor, i % 4);
			}
			t->base[at] ^= 0x40;
			at += at % 4096 < 70 || at % 4096 > 4020 ? 1 : 61;
		}
	}
	check(all_hold(&s));
	kb_slots_release(&s);
}

static void test_only_the_slots_of_the_run_are_looked_at(void)
{
	struct kb_plan p = usual_plan();
	struct kb_slots s = KB_SLOTS_INIT;
	uint32_t slot, tensor;

	grow(&s, &p, 3);
	kb_slots_poison(&s, 2, KEY);
	check(kb_slots_guards_hold(&s, 2, KEY, &slot, &tensor));
	check(!kb_slots_guards_hold(&s, 3, KEY, &slot, &tensor));
	check_int(slot, 2);
	check_int(tensor, 0);
	kb_slots_release(&s);
}

static void test_what_is_taken_of_inputs_can_be_put_elsewhere(void)
{
	struct kb_plan p = usual_plan();
	struct kb_slots from = KB_SLOTS_INIT, to = KB_SLOTS_INIT;
	uint8_t copy[2 * (64 + 64)];

	grow(&from, &p, 2);
	grow(&to, &p, 3);
	kb_slots_poison(&to, 3, KEY);
	check_int(kb_slots_inputs_bytes(&from, 2), sizeof(copy));
	for (uint32_t i = 0; i < 2 * 4; i++)
		memset(kb_slot_data(&from.tensors[i]), 0x10 + (int)i,
		       from.tensors[i].data_bytes);
	kb_slots_take_inputs(&from, 2, copy);
	kb_slots_put_inputs(&to, 2, copy);
	for (uint32_t i = 0; i < 2 * 4; i++)
		check_int(!memcmp(kb_slot_data(&to.tensors[i]),
				  kb_slot_data(&from.tensors[i]),
				  to.tensors[i].data_bytes), i % 4 < 2);
	check(kb_slots_have_inputs(&to, 2, copy));
	check(kb_slots_guards_hold(&to, 3, KEY, &(uint32_t){ 0 },
				   &(uint32_t){ 0 }));
	kb_slots_release(&from);
	kb_slots_release(&to);
}

static void test_outputs_are_taken_slot_by_slot(void)
{
	struct kb_plan p = usual_plan();
	struct kb_slots s = KB_SLOTS_INIT;
	uint8_t copy[2 * (KB_GUARD_BYTES + 64)];

	grow(&s, &p, 2);
	check_int(kb_slots_outputs_bytes(&s, 2), sizeof(copy));
	for (uint32_t i = 0; i < 2 * 4; i++)
		memset(kb_slot_data(&s.tensors[i]), 0x10 + (int)i,
		       s.tensors[i].data_bytes);
	kb_slots_take_outputs(&s, 2, copy);
	check_int(copy[0], 0x12);
	check_int(copy[KB_GUARD_BYTES - 1], 0x12);
	check_int(copy[KB_GUARD_BYTES], 0x13);
	check_int(copy[KB_GUARD_BYTES + 64], 0x16);
	check_int(copy[2 * KB_GUARD_BYTES + 64], 0x17);
	kb_slots_release(&s);
}

static void test_every_byte_of_every_input_is_compared(void)
{
	struct kb_plan p = usual_plan();
	struct kb_slots s = KB_SLOTS_INIT;
	uint8_t copy[2 * (64 + 64)];

	grow(&s, &p, 2);
	kb_slots_poison(&s, 2, KEY);
	kb_slots_take_inputs(&s, 2, copy);
	for (uint32_t i = 0; i < 2 * 4; i++) {
		const struct kb_slot_tensor *t = &s.tensors[i];

		for (uint64_t at = 0; at < t->data_bytes; at++) {
			kb_slot_data(t)[at] ^= 1;
			check_int(kb_slots_have_inputs(&s, 2, copy),
				  i % 4 >= 2);
			check_int(kb_slots_have_inputs(&s, 1, copy),
				  i % 4 >= 2 || i >= 4);
			kb_slot_data(t)[at] ^= 1;
		}
		/* What is not data is the guards' business. */
		t->base[0] ^= 1;
		t->base[4096 + t->data_bytes] ^= 1;
		check(kb_slots_have_inputs(&s, 2, copy));
	}
	kb_slots_release(&s);
}

static void test_without_inputs_there_is_nothing_to_copy(void)
{
	struct kb_plan p = usual_plan();
	struct kb_slots s = KB_SLOTS_INIT;

	p.input_count = 0;
	grow(&s, &p, 2);
	check_int(kb_slots_inputs_bytes(&s, 2), 0);
	kb_slots_take_inputs(&s, 2, NULL);
	kb_slots_put_inputs(&s, 2, NULL);
	check(kb_slots_have_inputs(&s, 2, NULL));
	kb_slots_release(&s);
}

TAP_MAIN(
	TAP(test_plans_that_make_sense_are_taken),
	TAP(test_counts_of_a_plan_are_checked),
	TAP(test_tensors_of_a_plan_are_checked),
	TAP(test_layout_is_guard_data_padding_guard),
	TAP(test_tensors_lie_one_after_the_other),
	TAP(test_ranks_have_files_of_their_own),
	TAP(test_a_tensor_of_ranks_has_its_rank_in_its_name),
	TAP(test_plans_that_cannot_be_joined_are_refused),
	TAP(test_what_is_added_at_a_time_is_a_sealed_file),
	TAP(test_growth_keeps_what_is_there),
	TAP(test_too_large_slots_are_a_message),
	TAP(test_poison_leaves_inputs_alone),
	TAP(test_every_byte_around_the_data_is_guarded),
	TAP(test_only_the_slots_of_the_run_are_looked_at),
	TAP(test_what_is_taken_of_inputs_can_be_put_elsewhere),
	TAP(test_outputs_are_taken_slot_by_slot),
	TAP(test_every_byte_of_every_input_is_compared),
	TAP(test_without_inputs_there_is_nothing_to_copy),
);
