#include <errno.h>

#include "base/alloc.h"
#include "base/err.h"
#include "lib/tap.h"
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
		{ { .kind = KB_ERR_CORRUPT }, KB_ACK_CODE_COUNT },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++)
		check_int(kbrt_code_of(&table[i].err), table[i].code);
}

static void test_numbers_have_the_protocols_names(void)
{
	check_int(kbrt_number("KB_ACK_OK"), KB_ACK_OK);
	check_int(kbrt_number("KB_BOOL"), KB_BOOL);
	check_int(kbrt_number("KB_ACK_OK "), -1);
	check_int(kbrt_number(""), -1);
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
	BEND_PROBLEM(p.version, 2, "version 2, not 1");
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
	BEND_PROBLEM(output.dtype, 11, "output 0: dtype 11 is not a type");
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

/* What is wrong with a draw is base/draw.c's to say. */
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
	 TAP(test_good_problem_is_accepted),
	 TAP(test_bent_counts_are_rejected),
	 TAP(test_bent_tensors_are_rejected),
	 TAP(test_bent_names_are_rejected),
	 TAP(test_bent_draws_are_rejected));
