/* The torch runtime as a worker, asked as a supervisor asks it. */

#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "torch_rig.h"

static void test_plan_and_state_are_the_problem(void)
{
	struct {
		struct kb_state_header header;
		struct kb_state_entry entries[5];
	} state;
	struct worker w;

	start_reference(&w, "torch/linear.py", 0);
	check_int(w.plan.input_count, 1);
	check_int(w.plan.output_count, 1);
	check_int(w.plan.inputs[0].dtype, KB_FLOAT32);
	check_int(w.plan.inputs[0].ndim, 2);
	check_int(w.plan.inputs[0].dims[0], 6);
	check_int(w.plan.inputs[0].dims[1], 5);
	check_int(w.plan.outputs[0].dims[1], 3);
	check_int(pread(w.state_fd, &state, sizeof(state), 0), sizeof(state));
	check_int(state.header.count, 5);
	check_str(state.entries[0].name, "linear.weight");
	check_str(state.entries[1].name, "linear.bias");
	check_str(state.entries[2].name, "#inputs");
	check_str(state.entries[3].name, "#kept");
	check_str(state.entries[4].name, "#random");
	end(&w);
}

static void test_inputs_follow_seed_and_slot(void)
{
	const float *x;
	float before[30];
	struct worker w;

	start_reference(&w, "torch/linear.py", 2);
	x = (const float *)w.inputs[0][0].data;
	check_int(worker_generate(&w, 0, 2, 7), KB_ACK_OK);
	memcpy(before, x, sizeof(before));
	for (int i = 0; i < 30; i++)
		check(x[i] >= 0 && x[i] < 1);
	check(memcmp(x, w.inputs[1][0].data, sizeof(before)) != 0);

	check_int(worker_generate(&w, 0, 1, 8), KB_ACK_OK);
	check(memcmp(x, before, sizeof(before)) != 0);
	check_int(worker_generate(&w, 0, 1, 7), KB_ACK_OK);
	check(!memcmp(x, before, sizeof(before)));
	end(&w);
}

static void test_candidates_get_weights_and_inputs_of_the_reference(void)
{
	static const char *const candidates[] = {
		"torch/linear_same.py", "torch/linear_transposed.py",
	};
	struct worker r, c;

	start_reference(&r, "torch/linear.py", 2);
	check_int(worker_generate(&r, 0, 2, 7), KB_ACK_OK);
	check_int(worker_run(&r, 0, 2, 2), KB_ACK_OK);
	for (size_t i = 0; i < KB_ARRAY_LEN(candidates); i++) {
		start_candidate(&c, &r, "torch/linear.py", candidates[i], 2);
		check_int(worker_run(&c, 0, 2, 2), KB_ACK_OK);
		check(outputs_equal(&r, &c, 0, 0));
		check(outputs_equal(&r, &c, 1, 0));
		check(guards_whole(&c, 0));
		end(&c);
	}
	check(memcmp(r.outputs[0][0].data, r.outputs[1][0].data,
		     r.outputs[0][0].bytes) != 0);
	end(&r);
}

static void test_every_way_to_fail_has_its_ack(void)
{
	static const struct {
		int kind;
		uint32_t code;
		const char *log;
	} table[] = {
		{ 0, KB_ACK_OK, "kind 0" },
		{ 1, KB_ACK_WRONG_SHAPE, "output 0 has shape (1, 3), not (6, 3)" },
		{ 2, KB_ACK_WRONG_SHAPE, "2 outputs, not 1" },
		{ 3, KB_ACK_WRONG_DTYPE,
		  "output 0 is torch.float64, not torch.float32" },
		{ 4, KB_ACK_RUN_FAILED, "ValueError: no such luck" },
		{ 5, KB_ACK_RUN_FAILED, "SystemExit" },
		{ 6, KB_ACK_NO_MEMORY, "MemoryError" },
		{ 7, KB_ACK_NO_MEMORY, "can't allocate memory" },
		{ 8, KB_ACK_RUN_FAILED, "KeyboardInterrupt" },
		{ 10, KB_ACK_RUN_FAILED, "forward() returned a str" },
		{ 11, KB_ACK_BUILD_FAILED, "NameError" },
		{ 0, KB_ACK_OK, "" },
	};
	struct worker r, c;

	start_reference(&r, "torch/linear.py", 1);
	start_candidate(&c, &r, "torch/linear.py",
			"torch/linear_misbehaves.py", 1);
	check_int(worker_generate(&r, 0, 1, 7), KB_ACK_OK);
	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		((float *)r.inputs[0][0].data)[0] = (float)table[i].kind;
		check_int(worker_run(&c, 0, 1, 2), table[i].code);
		check_log(&c, table[i].log);
	}
	end(&c);
	end(&r);
}

static void test_changed_inputs_are_visible_to_the_supervisor(void)
{
	struct worker r, c;
	float *x;

	start_reference(&r, "torch/linear.py", 1);
	start_candidate(&c, &r, "torch/linear.py",
			"torch/linear_misbehaves.py", 1);
	x = (float *)r.inputs[0][0].data;
	x[0] = 9;
	x[1] = 1;
	check_int(worker_run(&c, 0, 1, 2), KB_ACK_OK);
	check(x[0] == 0 && x[1] == 0);
	end(&c);
	end(&r);
}

static void test_every_way_not_to_load_has_its_ack(void)
{
	static const struct {
		const char *candidate;
		uint32_t code;
		const char *log;
	} table[] = {
		{ "torch/load_raises.py", KB_ACK_LOAD_FAILED,
		  "ValueError: no such luck" },
		{ "torch/load_exits.py", KB_ACK_LOAD_FAILED, "a last word" },
		{ "torch/load_defines_nothing.py", KB_ACK_LOAD_FAILED,
		  "has no attribute 'ModelNew'" },
		{ "torch/load_build_fails.py", KB_ACK_BUILD_FAILED,
		  "no_such_source" },
		{ "torch/load_tilelang_fails.py", KB_ACK_BUILD_FAILED,
		  "nvcc: error: no such kernel" },
	};
	struct worker r, c;

	start_reference(&r, "torch/linear.py", 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		start(&c, "torch/linear.py", table[i].candidate);
		check_int(worker_load_candidate(&c, &r, 1, -1), table[i].code);
		check_log(&c, table[i].log);
		end(&c);
	}
	end(&r);
}

static void test_problems_that_cannot_be_expressed_are_refused(void)
{
	static const struct {
		const char *problem;
		uint32_t code;
		const char *log;
	} table[] = {
		{ "torch/input_generator.py", KB_ACK_LOAD_FAILED,
		  "the supervisor chooses the numbers" },
		{ "torch/input_complex.py", KB_ACK_UNSUPPORTED,
		  "kb_torch: an input is torch.complex64, a type that kb does "
		  "not judge\n" },
		{ "torch/output_complex.py", KB_ACK_UNSUPPORTED,
		  "kb_torch: an output is torch.complex64, a type that kb does "
		  "not judge\n" },
		{ "torch/input_object.py", KB_ACK_UNSUPPORTED,
		  "kb_torch: a call cannot take a object\n" },
		{ "torch/input_many.py", KB_ACK_UNSUPPORTED,
		  "kb_torch: more than 32 inputs\n" },
	};
	struct worker w;

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		start(&w, table[i].problem, NULL);
		check_int(worker_load_reference(&w, 1, -1), table[i].code);
		check_log(&w, table[i].log);
		end(&w);
	}
}

static void check_nested_plan(const struct kb_plan *p)
{
	static const uint32_t inputs[] = {
		KB_FLOAT32, KB_INT64, KB_BOOL,
		KB_BFLOAT16, KB_UINT8, KB_FLOAT16,	/* brain bytes half */
		KB_FLOAT64, KB_INT64, KB_BOOL,		/* plain numbers */
	};
	static const uint32_t outputs[] = {
		KB_FLOAT32, KB_BOOL, KB_FLOAT32, KB_UINT8, KB_INT64, KB_FLOAT64,
	};

	check_int(p->input_count, KB_ARRAY_LEN(inputs));
	for (size_t i = 0; i < KB_ARRAY_LEN(inputs); i++) {
		check_int(p->inputs[i].dtype, inputs[i]);
		check_int(p->inputs[i].flags, i < 6 ? 0 : KB_TENSOR_IS_SCALAR);
	}
	check_int(p->output_count, KB_ARRAY_LEN(outputs));
	for (size_t i = 0; i < KB_ARRAY_LEN(outputs); i++)
		check_int(p->outputs[i].dtype, outputs[i]);
}

static void test_nested_inputs_and_outputs_of_all_types(void)
{
	struct worker r, c;

	start_reference(&r, "torch/nested.py", 2);
	check_nested_plan(&r.plan);
	check_int(worker_generate(&r, 0, 2, 7), KB_ACK_OK);
	check(*(int64_t *)r.inputs[0][7].data >= 1 &&
	      *(int64_t *)r.inputs[0][7].data < 9);
	check_int(*r.inputs[0][8].data, 1);
	check(*(double *)r.inputs[0][6].data !=
	      *(double *)r.inputs[1][6].data);

	start_candidate(&c, &r, "torch/nested.py", "torch/nested_same.py", 2);
	check_int(worker_run(&r, 0, 2, 2), KB_ACK_OK);
	check_int(worker_run(&c, 0, 2, 2), KB_ACK_OK);
	for (uint32_t i = 0; i < r.plan.output_count; i++) {
		check(outputs_equal(&r, &c, 0, i));
		check(outputs_equal(&r, &c, 1, i));
	}
	end(&c);
	end(&r);
}

/* What a problem states is what is called, beside what lies as it always did. */
static void test_dense_inputs_keep_their_strides(void)
{
	static const int64_t strides[] = { 60, 1, 15, 3, 1, 6, 4, 1 };
	struct worker r, c;

	start_reference(&r, "torch/strided.py", 2);
	start_candidate(&c, &r, "torch/strided.py", "torch/strided_same.py", 2);
	for (int i = 0; i < 2; i++) {
		check_int(worker_generate(&r, 0, 2, 7), KB_ACK_OK);
		check_int(worker_run(&r, 0, 2, 2), KB_ACK_OK);
		check_int(worker_run(&c, 0, 2, 2), KB_ACK_OK);
		check_int(r.outputs[1][0].bytes, sizeof(strides));
		check(!memcmp(r.outputs[1][0].data, strides, sizeof(strides)));
		for (uint32_t k = 0; k < r.plan.output_count; k++)
			check(outputs_equal(&r, &c, 1, k));
	}
	end(&c);
	end(&r);
}

/* As KernelBook has its arguments, and as KernelBench would have such two. */
static void test_constructors_take_arguments_by_position_and_by_name(void)
{
	static const char *const problems[] = {
		"torch/named_arguments.py", "torch/two_arguments.py",
	};
	struct worker r, c;

	for (size_t i = 0; i < KB_ARRAY_LEN(problems); i++) {
		start_reference(&r, problems[i], 1);
		check_int(worker_generate(&r, 0, 1, 7), KB_ACK_OK);
		check_int(worker_run(&r, 0, 1, 2), KB_ACK_OK);
		start_candidate(&c, &r, problems[i], problems[i], 1);
		check_int(worker_run(&c, 0, 1, 2), KB_ACK_OK);
		check(outputs_equal(&r, &c, 0, 0));
		end(&c);
		end(&r);
	}
}

static void test_chance_is_the_same_for_the_same_seed(void)
{
	struct worker r, c;
	float before;

	start_reference(&r, "torch/dropout.py", 2);
	check_int(worker_generate(&r, 0, 2, 7), KB_ACK_OK);
	before = *(float *)r.inputs[0][0].data;
	check(before != *(float *)r.inputs[1][0].data);
	check_int(worker_generate(&r, 0, 2, 7), KB_ACK_OK);
	check(before == *(float *)r.inputs[0][0].data);

	start_candidate(&c, &r, "torch/dropout.py", "torch/dropout_same.py", 2);
	check_int(worker_run(&r, 0, 2, 2), KB_ACK_OK);
	check_int(worker_run(&c, 0, 2, 2), KB_ACK_OK);
	check(outputs_equal(&r, &c, 0, 0));
	check(outputs_equal(&r, &c, 1, 0));
	check_int(worker_run(&c, 0, 2, 3), KB_ACK_OK);
	check(!outputs_equal(&r, &c, 0, 0));
	end(&c);
	end(&r);
}

static void check_near(const struct worker *a, const struct worker *b)
{
	const float *x = (const float *)a->outputs[0][0].data;
	const float *y = (const float *)b->outputs[0][0].data;

	for (uint64_t i = 0; i < a->outputs[0][0].bytes / sizeof(*x); i++)
		if (!(x[i] - y[i] < 1e-5f && y[i] - x[i] < 1e-5f))
			tap_fail("element %llu is %g, want %g",
				 (unsigned long long)i, (double)y[i],
				 (double)x[i]);
}

static void test_native_candidate_for_a_torch_problem(void)
{
	char *program = libexec_path("kb-worker-native");
	const char *const argv[] = { program, NULL };
	int program_fd = build_native("linear.c");
	struct worker r, c;

	start_reference(&r, "torch/linear.py", 1);
	check_int(worker_generate(&r, 0, 1, 7), KB_ACK_OK);
	check_int(worker_run(&r, 0, 1, 2), KB_ACK_OK);

	worker_start(&c, argv);
	check_loaded(&c, worker_load_candidate(&c, &r, 1, program_fd));
	check_int(worker_slot(&c, &r, 0), KB_ACK_OK);
	check_int(worker_run(&c, 0, 1, 2), KB_ACK_OK);
	check_near(&r, &c);
	end(&c);
	end(&r);
	close(program_fd);
	free(program);
}

static void test_torch_candidate_for_a_native_problem(void)
{
	char *program = libexec_path("kb-worker-native");
	const char *const argv[] = { program, NULL };
	int program_fd = build_native("scale.c");
	struct worker r, c;

	worker_start(&r, argv);
	check_loaded(&r, worker_load_reference(&r, 1, program_fd));
	check_int(worker_slot(&r, NULL, 0), KB_ACK_OK);
	check_int(worker_generate(&r, 0, 1, 7), KB_ACK_OK);
	check_int(worker_run(&r, 0, 1, 2), KB_ACK_OK);

	start_candidate(&c, &r, "-", "torch/scale.py", 1);
	check_int(worker_run(&c, 0, 1, 2), KB_ACK_OK);
	check_near(&r, &c);
	check(outputs_equal(&r, &c, 0, 1));
	end(&c);
	end(&r);
	close(program_fd);
	free(program);
}

static void test_streams_are_counted_from_the_first_slot(void)
{
	struct worker w;

	start_reference(&w, "torch/linear.py", 3);
	check_int(worker_generate(&w, 0, 2, 7), KB_ACK_OK);
	check_int(worker_generate(&w, 2, 1, 7), KB_ACK_OK);
	check(!memcmp(w.inputs[0][0].data, w.inputs[2][0].data,
		      w.inputs[0][0].bytes));
	check(memcmp(w.inputs[0][0].data, w.inputs[1][0].data,
		     w.inputs[0][0].bytes) != 0);
	end(&w);
}

static void test_precision_is_of_inputs_weights_and_outputs(void)
{
	struct {
		struct kb_state_header header;
		struct kb_state_entry entries[2];
	} state;
	struct worker r, c;

	start_with(&r, "--precision", "bf16", "torch/linear.py", NULL);
	check_loaded(&r, worker_load_reference(&r, 1, -1));
	check_int(r.plan.inputs[0].dtype, KB_BFLOAT16);
	check_int(r.plan.outputs[0].dtype, KB_BFLOAT16);
	check_int(pread(r.state_fd, &state, sizeof(state), 0), sizeof(state));
	check_int(state.entries[0].spec.dtype, KB_BFLOAT16);
	check_int(worker_slot(&r, NULL, 0), KB_ACK_OK);
	check_int(worker_generate(&r, 0, 1, 7), KB_ACK_OK);
	check_int(worker_run(&r, 0, 1, 2), KB_ACK_OK);

	start_with(&c, "--precision", "bf16", "torch/linear.py",
		   "torch/linear_same.py");
	check_loaded(&c, worker_load_candidate(&c, &r, 1, -1));
	check_int(worker_slot(&c, &r, 0), KB_ACK_OK);
	check_int(worker_run(&c, 0, 1, 2), KB_ACK_OK);
	check(outputs_equal(&r, &c, 0, 0));
	end(&c);
	end(&r);
}

static void test_options_that_make_no_sense_are_usage_errors(void)
{
	static const char *const table[][2] = {
		{ "--precision", "fp8" },
		{ "--tf32", "maybe" },
		{ "--mode", "compile" },
		{ "--fast", NULL },
		{ "--precision", NULL },
		{ "--alternate", "" },
		{ "--alternate", "0:4" },
		{ "--alternate", "x:4:-2" },
		{ "--alternate", "0:4:-2," },
	};
	struct worker w;

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		start_with(&w, table[i][0], table[i][1], "torch/linear.py",
			   NULL);
		check_int(worker_load_reference(&w, 1, -1), ENDED);
		check_log(&w, "usage:\n"
			  "    kb_torch.py [OPTION]... LIBKBRT reference PROBLEM\n");
		check_log(&w, "    --precision fp32|fp16|bf16  of ");
		check_int(WEXITSTATUS(worker_end(&w)), 2);
	}
}

static void test_alternate_inputs_are_changed_ones(void)
{
	const float *x;
	float own[30];
	struct worker w;

	start_with(&w, "--alternate", "0:-4:2", "torch/linear.py", NULL);
	check_loaded(&w, worker_load_reference(&w, 1, -1));
	check_int(worker_slot(&w, NULL, 0), KB_ACK_OK);
	x = (const float *)w.inputs[0][0].data;
	check_int(worker_generate(&w, 0, 1, 7), KB_ACK_OK);
	memcpy(own, x, sizeof(own));
	check_int(worker_generate_alternate(&w, 0, 1, 7), KB_ACK_OK);
	for (int i = 0; i < 30; i++)
		check(fabsf(x[i] - (2 - 4 * own[i])) < 1e-5f);
	check_int(worker_generate(&w, 0, 1, 7), KB_ACK_OK);
	check(!memcmp(own, x, sizeof(own)));
	end(&w);
}

/* Only the leaves that are named are changed, wherever they nest. */
static void test_alternate_inputs_count_nested_ones(void)
{
	struct worker w;
	float x[32];

	start_with(&w, "--alternate", "3:1e3:0", "torch/nested.py", NULL);
	check_loaded(&w, worker_load_reference(&w, 1, -1));
	check_int(worker_slot(&w, NULL, 0), KB_ACK_OK);
	check_int(w.inputs[0][0].bytes, sizeof(x));
	check_int(worker_generate(&w, 0, 1, 7), KB_ACK_OK);
	memcpy(x, w.inputs[0][0].data, sizeof(x));
	check_int(worker_generate_alternate(&w, 0, 1, 7), KB_ACK_OK);
	check(!memcmp(x, w.inputs[0][0].data, sizeof(x)));
	end(&w);
}

static void test_what_cannot_be_scaled_has_no_alternate(void)
{
	static const char *const changes[] = {
		"1:4:-2", "6:4:-2", "99:4:-2", "-1:4:-2",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(changes); i++) {
		struct worker w;

		start_with(&w, "--alternate", changes[i], "torch/nested.py",
			   NULL);
		check_int(worker_load_reference(&w, 1, -1),
			  KB_ACK_UNSUPPORTED);
		check_log(&w, "is no tensor that can be scaled\n");
		end(&w);
	}
}

static void test_without_a_device_there_is_nothing_to_load_on(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	struct worker w;

	if (driver) {
		tap_skip("this machine has a CUDA driver");
		dlclose(driver);
		return;
	}
	start_with(&w, "--cuda", NULL, "torch/linear.py", NULL);
	check_int(worker_load_reference(&w, 1, -1), ENDED);
	check_log(&w, "kb_torch: t");	/* torch is too old; there is no driver */
	check_int(WEXITSTATUS(worker_end(&w)), 4);
}

TAP_MAIN(TAP(test_plan_and_state_are_the_problem),
	 TAP(test_inputs_follow_seed_and_slot),
	 TAP(test_candidates_get_weights_and_inputs_of_the_reference),
	 TAP(test_every_way_to_fail_has_its_ack),
	 TAP(test_changed_inputs_are_visible_to_the_supervisor),
	 TAP(test_every_way_not_to_load_has_its_ack),
	 TAP(test_problems_that_cannot_be_expressed_are_refused),
	 TAP(test_nested_inputs_and_outputs_of_all_types),
	 TAP(test_dense_inputs_keep_their_strides),
	 TAP(test_constructors_take_arguments_by_position_and_by_name),
	 TAP(test_chance_is_the_same_for_the_same_seed),
	 TAP(test_native_candidate_for_a_torch_problem),
	 TAP(test_torch_candidate_for_a_native_problem),
	 TAP(test_streams_are_counted_from_the_first_slot),
	 TAP(test_precision_is_of_inputs_weights_and_outputs),
	 TAP(test_options_that_make_no_sense_are_usage_errors),
	 TAP(test_alternate_inputs_are_changed_ones),
	 TAP(test_alternate_inputs_count_nested_ones),
	 TAP(test_what_cannot_be_scaled_has_no_alternate),
	 TAP(test_without_a_device_there_is_nothing_to_load_on));
