#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"
#include "runtime/lib/pool.h"
#include "runtime/lib/kbrt.h"
#include "runtime/native/kb_native.h"
#include "runtime/native/problem.h"

/* --- the state ------------------------------------------------------ */

struct state {
	struct kb_state_header header;
	struct kb_state_entry entry;
	_Alignas(KB_STATE_ALIGN_BYTES) float data[16];
};

static const struct state good_state = {
	.header = {
		.magic = KB_STATE_MAGIC,
		.count = 1,
		.bytes = sizeof(struct state),
	},
	.entry = {
		.name = "weight",
		.spec = { .dtype = KB_FLOAT32, .ndim = 2, .dims = { 4, 4 } },
		.offset_bytes = offsetof(struct state, data),
	},
};

static int check_state(const struct state *s, uint64_t bytes, const char *msg)
{
	struct kb_err err = KB_ERR_INIT;
	int ret = kbrt_state_check(s, bytes, &err);

	check_str(err.msg, msg);
	return ret;
}

static void test_good_state_is_accepted(void)
{
	check_int(check_state(&good_state, sizeof(good_state), ""), 0);
}

static void test_state_cut_short_is_rejected_at_every_length(void)
{
	for (uint64_t n = 0; n < sizeof(good_state); n++)
		check_int(kbrt_state_check(&good_state, n, NULL),
			  -KB_ERR_CORRUPT);
}

#define BEND(field, value, why)						\
	do {								\
		struct state s = good_state;				\
									\
		s.field = (value);					\
		check_int(check_state(&s, sizeof(s), "state: " why),	\
			  -KB_ERR_CORRUPT);				\
	} while (0)

static void test_bent_state_is_rejected(void)
{
	BEND(header.magic, 0, "not a state");
	BEND(header.bytes, sizeof(struct state) + 1, "the size is wrong");
	BEND(header.count, 3, "too many entries");
	BEND(header.count, UINT32_MAX, "too many entries");
	BEND(entry.name[0], '\0', "entry 0 has no name");
	BEND(entry.spec.dtype, 0, "entry 0 makes no sense");
	BEND(entry.spec.dtype, KB_DTYPE_COUNT, "entry 0 makes no sense");
	BEND(entry.spec.ndim, 9, "entry 0 makes no sense");
	BEND(entry.spec.dims[0], UINT64_MAX, "entry 0 makes no sense");
	BEND(entry.spec.dims[0], 5, "entry 0 lies outside");
	BEND(entry.offset_bytes, 1, "entry 0 makes no sense");
	BEND(entry.offset_bytes, 0, "entry 0 lies outside");
	BEND(entry.offset_bytes, UINT64_C(1) << 40, "entry 0 lies outside");
}

static void test_state_name_without_end_is_rejected(void)
{
	struct state s = good_state;

	memset(s.entry.name, 'x', sizeof(s.entry.name));
	check_int(check_state(&s, sizeof(s), "state: entry 0 has no name"),
		  -KB_ERR_CORRUPT);
}

/* --- the plan ------------------------------------------------------- */

static void test_bent_plan_is_rejected(void)
{
	struct kb_plan plan = { .version = KB_PLAN_VERSION };

	check_int(kbrt_plan_check(&plan, NULL), 0);
	plan.input_count = 1;
	check_int(kbrt_plan_check(&plan, NULL), -KB_ERR_CORRUPT);
	plan.inputs[0].dtype = KB_BOOL;
	check_int(kbrt_plan_check(&plan, NULL), 0);
	plan.inputs[0].ndim = KB_DIMS_MAX + 1;
	check_int(kbrt_plan_check(&plan, NULL), -KB_ERR_CORRUPT);
	plan.input_count = KB_INPUTS_MAX + 1;
	check_int(kbrt_plan_check(&plan, NULL), -KB_ERR_CORRUPT);
	plan.input_count = 0;
	plan.version++;
	check_int(kbrt_plan_check(&plan, NULL), -KB_ERR_CORRUPT);
}

/* --- acks ----------------------------------------------------------- */

static void test_errors_become_acks(void)
{
	static const struct {
		struct kb_err err;
		uint32_t code;
	} table[] = {
		{ { .kind = KB_ERR_INPUT }, KB_ACK_UNSUPPORTED },
		{ { .kind = KB_ERR_SYS, .sys_errno = ENOMEM }, KB_ACK_NO_MEMORY },
		{ { .kind = KB_ERR_SYS, .sys_errno = EBADF }, KB_ACK_CODE_COUNT },
		{ { .kind = KB_ERR_DEVICE }, KB_ACK_RUN_FAILED },
		{ { .kind = KB_ERR_CORRUPT }, KB_ACK_CODE_COUNT },
		{ { .kind = KB_ERR_MISSING }, KB_ACK_CODE_COUNT },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++)
		check_int(kbrt_code_of(&table[i].err), table[i].code);
}

static void test_numbers_have_the_protocols_names(void)
{
	check_int(kbrt_number("KB_ACK_OK"), KB_ACK_OK);
	check_int(kbrt_number("KB_BOOL"), KB_BOOL);
	check_int(kbrt_number("KB_FLOAT8_E5M2"), KB_FLOAT8_E5M2);
	check_int(kbrt_number("KB_ACK_NO_GATE"), KB_ACK_NO_GATE);
	check_int(kbrt_number("KB_GATE_STREAM"), KB_GATE_STREAM);
	check_int(kbrt_number("KB_MASTER_SLOT"), KB_MASTER_SLOT);
	check_int(kbrt_number("KB_ACK_OK "), -1);
	check_int(kbrt_number(""), -1);
}

/* --- requests on the CPU -------------------------------------------- */

static int receive(const struct kb_request *r, size_t bytes, const char *msg)
{
	struct kb_err err = KB_ERR_INIT;
	struct kbrt *rt;
	int fds[2], ret;

	check_int(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	rt = kbrt_new(fds[0]);
	check_int(send(fds[1], r, bytes, 0), bytes);
	ret = kbrt_receive(rt, &err);
	check_str(err.msg, msg);
	check_int(kbrt_gate_of_request(rt), r->gate);
	check(!kbrt_has_device(rt));
	kbrt_free(rt);
	close(fds[1]);
	return ret;
}

/* Python asks for each by name, and the supervisor knows no other. */
static void test_every_answer_has_a_name(void)
{
	static const char *const names[] = {
		"OK", "BUILD_FAILED", "LOAD_FAILED", "RUN_FAILED",
		"WRONG_SHAPE", "WRONG_DTYPE", "NO_MEMORY", "UNSUPPORTED",
		"NO_GATE", "DIFFERS", "CODE_COUNT",
	};

	check_int(KB_ARRAY_LEN(names), KB_ACK_CODE_COUNT + 1);
	for (size_t i = 0; i < KB_ARRAY_LEN(names); i++) {
		kb_auto(mem) char *name = kb_xasprintf("KB_ACK_%s", names[i]);

		check_int(kbrt_number(name), (intmax_t)i);
	}
}

static void test_no_other_answer_is_sent(void)
{
	static const uint32_t codes[] = { KB_ACK_CODE_COUNT, 4096, UINT32_MAX };
	struct kb_err err;
	char byte;
	int fds[2];
	struct kbrt *rt;

	check_int(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	rt = kbrt_new(fds[0]);
	for (size_t i = 0; i < KB_ARRAY_LEN(codes); i++) {
		err = (struct kb_err)KB_ERR_INIT;
		check_int(kbrt_ack(rt, codes[i], &err), -KB_ERR_CORRUPT);
		check(strstr(err.msg, "a bug of kb"));
		check_int(kbrt_code_of(&err), KB_ACK_CODE_COUNT);
	}
	check_int(recv(fds[1], &byte, 1, MSG_DONTWAIT), -1);
	check_int(kbrt_ack(rt, KB_ACK_NO_GATE, &err), 0);
	check_int(recv(fds[1], &byte, 1, MSG_DONTWAIT), 1);
	kbrt_free(rt);
	close(fds[1]);
}

static void test_requests_of_the_cpu_are_taken(void)
{
	struct kb_request r = { .gate = KB_GATE_HOST };

	for (r.op = KB_OP_LOAD; r.op <= KB_OP_TRY; r.op++)
		if (r.op != KB_OP_POOL && r.op != KB_OP_KERNELS)
			check_int(receive(&r, sizeof(r), ""), r.op);
}

static void test_requests_that_make_no_sense_are_refused(void)
{
	static const char msg[] = "a request makes no sense";
	static const struct kb_request table[] = {
		{ .op = 0 },
		{ .op = KB_OP_TRY + 1 },
		{ .op = KB_OP_TRY, .side = KB_SIDE_COUNT },
		{ .op = KB_OP_KERNELS, .gate = KB_GATE_NONE },
		{ .op = KB_OP_POOL, .bytes = KB_PAGE_BYTES },
		{ .op = KB_OP_RUN, .gate = KB_GATE_STREAM },
		{ .op = KB_OP_RUN, .gate = KB_GATE_NONE },
		{ .op = KB_OP_RUN, .gate = KB_GATE_NONE + 1 },
	};
	const struct kb_request good = { .op = KB_OP_RUN };

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++)
		check_int(receive(&table[i], sizeof(table[i]), msg),
			  -KB_ERR_CORRUPT);
	check_int(receive(&good, sizeof(good) - 1, msg), -KB_ERR_CORRUPT);
}

/* --- the pool ------------------------------------------------------- */

#define BASE (UINT64_C(0x7f) << 32)

static uint64_t page(uint64_t n)
{
	return BASE + n * KB_PAGE_BYTES;
}

static void test_pool_takes_the_first_gap_that_is_large_enough(void)
{
	struct kbrt_pool *h = kbrt_pool_new(BASE, 8 * KB_PAGE_BYTES);

	check_int(kbrt_pool_take(h, 1), page(0));
	check_int(kbrt_pool_take(h, 2 * KB_PAGE_BYTES), page(1));
	check_int(kbrt_pool_take(h, KB_PAGE_BYTES + 1), page(3));
	check_int(kbrt_pool_take(h, 0), page(5));
	check_int(kbrt_pool_take(h, 3 * KB_PAGE_BYTES), 0);
	kbrt_pool_give(h, page(1));
	check_int(kbrt_pool_take(h, 1), page(1));
	check_int(kbrt_pool_take(h, 2 * KB_PAGE_BYTES), page(6));
	check_int(kbrt_pool_take(h, 1), page(2));
	check_int(kbrt_pool_take(h, 1), 0);
	kbrt_pool_delete(h);
}

static void test_neighbours_are_joined_in_any_order(void)
{
	static const int orders[][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(orders); i++) {
		struct kbrt_pool *h = kbrt_pool_new(BASE, 3 * KB_PAGE_BYTES);

		for (uint64_t k = 0; k < 3; k++)
			check_int(kbrt_pool_take(h, KB_PAGE_BYTES), page(k));
		for (int k = 0; k < 3; k++)
			kbrt_pool_give(h, page((uint64_t)orders[i][k]));
		check_int(kbrt_pool_take(h, 3 * KB_PAGE_BYTES), page(0));
		kbrt_pool_delete(h);
	}
}

static void test_what_was_not_taken_is_not_given_back(void)
{
	struct kbrt_pool *h = kbrt_pool_new(BASE, 4 * KB_PAGE_BYTES);

	check_int(kbrt_pool_take(h, 3 * KB_PAGE_BYTES), page(0));
	kbrt_pool_give(h, 0);
	kbrt_pool_give(h, page(0) + 1);
	kbrt_pool_give(h, page(1));
	kbrt_pool_give(h, page(3));
	kbrt_pool_give(h, page(4));
	kbrt_pool_give(h, page(0) - KB_PAGE_BYTES);
	check_int(kbrt_pool_take(h, 2 * KB_PAGE_BYTES), 0);
	kbrt_pool_give(h, page(0));
	kbrt_pool_give(h, page(0));
	check_int(kbrt_pool_take(h, 4 * KB_PAGE_BYTES), page(0));
	kbrt_pool_delete(h);
}

static void test_pool_remembers_its_peak(void)
{
	struct kbrt_pool *h = kbrt_pool_new(BASE, 8 * KB_PAGE_BYTES);

	check_int(kbrt_pool_peak_bytes(h), 0);
	check_int(kbrt_pool_take(h, 3 * KB_PAGE_BYTES), page(0));
	check_int(kbrt_pool_take(h, 1), page(3));
	kbrt_pool_give(h, page(0));
	kbrt_pool_give(h, page(0));
	check_int(kbrt_pool_take(h, 2 * KB_PAGE_BYTES), page(0));
	check_int(kbrt_pool_take(h, UINT64_MAX), 0);
	check_int(kbrt_pool_peak_bytes(h), 4 * KB_PAGE_BYTES);
	check_int(kbrt_pool_take(h, 4 * KB_PAGE_BYTES), page(4));
	check_int(kbrt_pool_peak_bytes(h), 7 * KB_PAGE_BYTES);
	kbrt_pool_delete(h);
}

static void test_pool_smaller_or_larger_than_what_is_wanted(void)
{
	struct kbrt_pool *h = kbrt_pool_new(BASE, KB_PAGE_BYTES - 1);

	check_int(kbrt_pool_take(h, 1), 0);
	kbrt_pool_give(h, BASE);
	kbrt_pool_delete(h);
	h = kbrt_pool_new(BASE, KB_PAGE_BYTES);
	check_int(kbrt_pool_take(h, UINT64_MAX), 0);
	check_int(kbrt_pool_take(h, UINT64_C(1) << 53), 0);
	check_int(kbrt_pool_take(h, KB_PAGE_BYTES), page(0));
	kbrt_pool_delete(h);
	kbrt_pool_delete(NULL);
}

/* A page is 0, or the name of who has it. */
#define MODEL_PAGES 61

static uint64_t first_gap(const uint32_t *model, uint32_t want)
{
	for (uint32_t at = 0; at + want <= MODEL_PAGES; at++) {
		uint32_t n = 0;

		while (n < want && !model[at + n])
			n++;
		if (n == want)
			return page(at);
	}
	return 0;
}

static void check_take(struct kbrt_pool *h, uint32_t *model, uint32_t want,
		       uint32_t name)
{
	const uint64_t bytes = (want - 1) * KB_PAGE_BYTES + 1;
	const uint64_t got = kbrt_pool_take(h, bytes);

	check_int(got, first_gap(model, want));
	for (uint32_t i = 0; got && i < want; i++)
		model[(got - BASE) / KB_PAGE_BYTES + i] = name;
}

static void check_give(struct kbrt_pool *h, uint32_t *model, uint32_t at)
{
	const uint32_t name = model[at];
	uint32_t first = at;

	while (name && first && model[first - 1] == name)
		first--;
	kbrt_pool_give(h, page(first));
	for (uint32_t i = first; i < MODEL_PAGES && model[i] == name; i++)
		model[i] = 0;
}

static void test_pool_does_what_a_row_of_pages_does(void)
{
	struct kbrt_pool *h = kbrt_pool_new(BASE, MODEL_PAGES * KB_PAGE_BYTES);
	uint32_t model[MODEL_PAGES] = { 0 };
	uint32_t chance = 1;

	for (uint32_t step = 1; step <= 200000; step++) {
		chance = chance * 1664525 + 1013904223;
		if (chance >> 31)
			check_take(h, model, 1 + (chance >> 8) % 12, step);
		else
			check_give(h, model, (chance >> 8) % MODEL_PAGES);
		if (tap_failed)
			break;
	}
	kbrt_pool_delete(h);
}

static void *use_pool(void *pool)
{
	for (int step = 0; step < 20000; step++) {
		uint64_t a = kbrt_pool_take(pool, KB_PAGE_BYTES);
		uint64_t b = kbrt_pool_take(pool, 3 * KB_PAGE_BYTES);

		if (a)
			kbrt_pool_give(pool, a);
		if (b)
			kbrt_pool_give(pool, b);
	}
	return NULL;
}

static void test_pool_is_for_threads(void)
{
	struct kbrt_pool *h = kbrt_pool_new(BASE, 9 * KB_PAGE_BYTES);
	pthread_t threads[4];

	for (size_t i = 0; i < KB_ARRAY_LEN(threads); i++)
		check_int(pthread_create(&threads[i], NULL, use_pool, h), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(threads); i++)
		check_int(pthread_join(threads[i], NULL), 0);
	check_int(kbrt_pool_take(h, 9 * KB_PAGE_BYTES), page(0));
	kbrt_pool_delete(h);
}

static void test_without_a_pool_there_is_no_memory(void)
{
	check(!kbrt_pool_alloc(1, 0, NULL));
	kbrt_pool_free((void *)(uintptr_t)BASE, 1, 0, NULL);
}

/* --- native problems ------------------------------------------------ */

static const struct kb_native_spec one_input = {
	.dtype = KB_NATIVE_FLOAT32,
	.ndim = 1,
	.dims = { 4 },
	.draw = KB_NATIVE_UNIFORM,
	.high = 1,
};

static const struct kb_native_spec one_output = {
	.dtype = KB_NATIVE_FLOAT32,
};

static const struct kb_native_spec two_params[] = {
	{ .name = "a", .dtype = KB_NATIVE_FLOAT32 },
	{ .name = "b", .dtype = KB_NATIVE_INT8, .draw = KB_NATIVE_INTEGERS,
	  .low = -128, .high = 128 },
};

/* A problem with room to bend it. */
struct bendable {
	struct kb_native_problem p;
	struct kb_native_spec input, output, params[2];
};

static void init_bendable(struct bendable *b)
{
	*b = (struct bendable){
		.p = {
			.version = KB_NATIVE_VERSION,
			.input_count = 1,
			.output_count = 1,
			.param_count = 2,
			.inputs = &b->input,
			.outputs = &b->output,
			.params = b->params,
		},
		.input = one_input,
		.output = one_output,
		.params = { two_params[0], two_params[1] },
	};
}

#define BEND_PROBLEM(field, value, why)					\
	do {								\
		struct kb_err err = KB_ERR_INIT;			\
		struct bendable b;					\
									\
		init_bendable(&b);					\
		b.field = (value);					\
		check_int(kb_problem_check(&b.p, &err), -KB_ERR_INPUT);	\
		check_str(err.msg, "kb_problem: " why);			\
	} while (0)

static void test_good_problem_is_accepted(void)
{
	struct bendable b;

	init_bendable(&b);
	check_int(kb_problem_check(&b.p, NULL), 0);
	b.p.param_count = b.p.input_count = 0;
	b.p.inputs = b.p.params = NULL;
	check_int(kb_problem_check(&b.p, NULL), 0);
}

static void test_bent_counts_are_rejected(void)
{
	BEND_PROBLEM(p.version, 1, "version 1, not 2");
	BEND_PROBLEM(p.version, 3, "version 3, not 2");
	BEND_PROBLEM(p.input_count, 33, "33 inputs, more than 32");
	BEND_PROBLEM(p.output_count, 0, "0 outputs, not 1 to 32");
	BEND_PROBLEM(p.output_count, 33, "33 outputs, not 1 to 32");
	BEND_PROBLEM(p.param_count, 4097, "4097 parameters, more than 4096");
	BEND_PROBLEM(p.inputs, NULL, "a list is not there");
	BEND_PROBLEM(p.outputs, NULL, "a list is not there");
	BEND_PROBLEM(p.params, NULL, "a list is not there");
}

static void test_bent_tensors_are_rejected(void)
{
	BEND_PROBLEM(input.dtype, 0, "input 0: dtype 0 is not a type");
	BEND_PROBLEM(output.dtype, KB_DTYPE_COUNT, "output 0: dtype 13 is not a type");
	BEND_PROBLEM(input.ndim, 9, "input 0: 9 dimensions, more than 8");
	BEND_PROBLEM(input.dims[0], UINT64_MAX, "input 0: it is too large");
	BEND_PROBLEM(input.dims[0], UINT64_C(1) << 45,
		     "input 0: it is too large");
	BEND_PROBLEM(input.name, "x", "input 0: only parameters have a name");
	BEND_PROBLEM(output.name, "y", "output 0: only parameters have a name");
}

static void test_bent_names_are_rejected(void)
{
	static const char long_name[] =
		"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
		"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
		"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn";

	check_int(sizeof(long_name) - 1, KB_STATE_NAME_BYTES);
	BEND_PROBLEM(params[1].name, NULL, "parameter 1: it has no name");
	BEND_PROBLEM(params[1].name, "", "parameter 1: it has no name");
	BEND_PROBLEM(params[1].name, "a", "parameter 1: its name 'a' is taken");
	BEND_PROBLEM(params[1].name, "#a",
		     "parameter 1: its name starts with '#'");
	BEND_PROBLEM(params[1].name, long_name,
		     "parameter 1: its name has more than 191 bytes");
}

/* What is wrong with a draw is random/draw.c's to say. */
#define BEND_DRAW(field, value, where)					\
	do {								\
		struct kb_err err = KB_ERR_INIT;			\
		struct bendable b;					\
									\
		init_bendable(&b);					\
		b.field = (value);					\
		check_int(kb_problem_check(&b.p, &err), -KB_ERR_INPUT);	\
		check(strstr(err.msg, "kb_problem: " where ": ") == err.msg); \
	} while (0)

static void test_bent_draws_are_rejected(void)
{
	BEND_DRAW(input.draw, KB_NATIVE_INTEGERS + 1, "input 0");
	BEND_DRAW(input.draw, KB_NATIVE_INTEGERS, "input 0");
	BEND_DRAW(input.low, 2, "input 0");
	BEND_DRAW(params[1].high, 129, "parameter 1");
	BEND_DRAW(params[1].draw, KB_NATIVE_NORMAL, "parameter 1");
}

TAP_MAIN(TAP(test_good_state_is_accepted),
	 TAP(test_state_cut_short_is_rejected_at_every_length),
	 TAP(test_bent_state_is_rejected),
	 TAP(test_state_name_without_end_is_rejected),
	 TAP(test_bent_plan_is_rejected),
	 TAP(test_errors_become_acks),
	 TAP(test_numbers_have_the_protocols_names),
	 TAP(test_every_answer_has_a_name),
	 TAP(test_no_other_answer_is_sent),
	 TAP(test_requests_of_the_cpu_are_taken),
	 TAP(test_requests_that_make_no_sense_are_refused),
	 TAP(test_pool_takes_the_first_gap_that_is_large_enough),
	 TAP(test_neighbours_are_joined_in_any_order),
	 TAP(test_what_was_not_taken_is_not_given_back),
	 TAP(test_pool_remembers_its_peak),
	 TAP(test_pool_smaller_or_larger_than_what_is_wanted),
	 TAP(test_pool_does_what_a_row_of_pages_does),
	 TAP(test_pool_is_for_threads),
	 TAP(test_without_a_pool_there_is_no_memory),
	 TAP(test_good_problem_is_accepted),
	 TAP(test_bent_counts_are_rejected),
	 TAP(test_bent_tensors_are_rejected),
	 TAP(test_bent_names_are_rejected),
	 TAP(test_bent_draws_are_rejected));
