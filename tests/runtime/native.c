#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "lib/tap.h"
#include "supervise.h"

static void start_with(struct worker *w, const char *option, const char *value)
{
	char *program = libexec_path("kb-worker-native");
	const char *const argv[] = { program, option, value, NULL };

	worker_start(w, argv);
	free(program);
}

static void start(struct worker *w)
{
	start_with(w, NULL, NULL);
}

/* The program `name` as a reference, with `slots` slots. */
static void start_reference(struct worker *w, const char *name, uint8_t seed,
			    uint32_t slots)
{
	int program_fd = build_native(name);

	start(w);
	check_int(worker_load_reference(w, seed, program_fd), KB_ACK_OK);
	for (uint32_t i = 0; i < slots; i++)
		check_int(worker_slot(w, NULL, i), KB_ACK_OK);
	close(program_fd);
}

static void start_candidate(struct worker *w, const struct worker *reference,
			    const char *name, uint32_t slots)
{
	int program_fd = build_native(name);

	start(w);
	check_int(worker_load_candidate(w, reference, 1, program_fd),
		  KB_ACK_OK);
	for (uint32_t i = 0; i < slots; i++)
		check_int(worker_slot(w, reference, i), KB_ACK_OK);
	close(program_fd);
}

static void end(struct worker *w)
{
	check_int(worker_end(w), 0);
}

static void check_log(const struct worker *w, const char *text)
{
	char *log = worker_log(w);

	if (!strstr(log, text))
		tap_fail("the log is \"%s\", want \"%s\" in it", log, text);
	free(log);
}

static void test_plan_is_the_problem(void)
{
	struct worker w;

	start_reference(&w, "scale.c", 1, 0);
	check_int(w.plan.version, KB_PLAN_VERSION);
	check_int(w.plan.input_count, 3);
	check_int(w.plan.output_count, 2);
	check_int(w.plan.inputs[0].dtype, KB_FLOAT32);
	check_int(w.plan.inputs[0].ndim, 2);
	check_int(w.plan.inputs[0].dims[0], 100);
	check_int(w.plan.inputs[0].dims[1], 7);
	check_int(w.plan.inputs[1].dtype, KB_INT64);
	check_int(w.plan.inputs[2].dtype, KB_BOOL);
	check_int(w.plan.outputs[1].ndim, 0);
	end(&w);
}

static void test_state_is_the_parameters_in_order(void)
{
	struct {
		struct kb_state_header header;
		struct kb_state_entry entries[2];
	} state;
	struct worker w;
	float bias[7];

	start_reference(&w, "scale.c", 1, 0);
	check_int(pread(w.state_fd, &state, sizeof(state), 0), sizeof(state));
	check_int(state.header.magic, KB_STATE_MAGIC);
	check_int(state.header.count, 2);
	check_str(state.entries[0].name, "weight");
	check_str(state.entries[1].name, "bias");
	check_int(state.entries[1].offset_bytes % KB_STATE_ALIGN_BYTES, 0);
	check_int(pread(w.state_fd, bias, sizeof(bias),
			(off_t)state.entries[1].offset_bytes), sizeof(bias));
	check(bias[0] != 0 && bias[0] != bias[1]);
	end(&w);
}

static void test_weights_follow_the_load_seed(void)
{
	char states[3][4096];
	struct worker w;

	for (uint8_t i = 0; i < 3; i++) {
		start_reference(&w, "scale.c", i / 2, 0);
		memset(states[i], 0, sizeof(states[i]));
		check(pread(w.state_fd, states[i], sizeof(states[i]), 0) > 0);
		end(&w);
	}
	check(!memcmp(states[0], states[1], sizeof(states[0])));
	check(memcmp(states[0], states[2], sizeof(states[0])) != 0);
}

static void test_inputs_follow_seed_and_slot(void)
{
	struct tensor *x0, *x1;
	uint8_t before[2800];
	struct worker w;

	start_reference(&w, "scale.c", 1, 2);
	x0 = &w.inputs[0][0];
	x1 = &w.inputs[1][0];
	check_int(x0->bytes, sizeof(before));
	check_int(worker_generate(&w, 0, 2, 7), KB_ACK_OK);
	memcpy(before, x0->data, sizeof(before));
	check(memcmp(x0->data, x1->data, x0->bytes) != 0);

	check_int(worker_generate(&w, 0, 1, 8), KB_ACK_OK);
	check(memcmp(before, x0->data, sizeof(before)) != 0);
	check_int(worker_generate(&w, 0, 1, 7), KB_ACK_OK);
	check(!memcmp(before, x0->data, sizeof(before)));
	end(&w);
}

static void test_streams_are_counted_from_the_first_slot(void)
{
	struct worker w;

	start_reference(&w, "scale.c", 1, 3);
	check_int(worker_generate(&w, 0, 2, 7), KB_ACK_OK);
	check_int(worker_generate(&w, 2, 1, 7), KB_ACK_OK);
	check(!memcmp(w.inputs[0][0].data, w.inputs[2][0].data,
		      w.inputs[0][0].bytes));
	check(memcmp(w.inputs[0][0].data, w.inputs[1][0].data,
		     w.inputs[0][0].bytes) != 0);
	end(&w);
}

static void test_integers_stay_in_range(void)
{
	const int64_t *index;
	const uint8_t *mask;
	struct worker w;

	start_reference(&w, "scale.c", 1, 1);
	check_int(worker_generate(&w, 0, 1, 7), KB_ACK_OK);
	index = (const int64_t *)w.inputs[0][1].data;
	mask = w.inputs[0][2].data;
	for (int i = 0; i < 100; i++) {
		check(index[i] >= 0 && index[i] < 7);
		check(mask[i] < 2);
	}
	end(&w);
}

static void test_candidate_computes_what_the_reference_does(void)
{
	struct worker r, c;

	start_reference(&r, "scale.c", 1, 3);
	start_candidate(&c, &r, "scale.c", 3);
	check_int(worker_generate(&r, 0, 3, 7), KB_ACK_OK);
	check_int(worker_run(&r, 0, 3, 2), KB_ACK_OK);
	check_int(worker_run(&c, 0, 3, 2), KB_ACK_OK);
	for (uint32_t slot = 0; slot < 3; slot++) {
		check(outputs_equal(&r, &c, slot, 0));
		check(outputs_equal(&r, &c, slot, 1));
		check(guards_whole(&c, slot));
	}
	check(memcmp(r.outputs[0][0].data, r.outputs[1][0].data, 2800) != 0);
	end(&c);
	end(&r);
}

static void test_run_touches_only_its_slots(void)
{
	struct worker r;

	start_reference(&r, "scale.c", 1, 3);
	check_int(worker_generate(&r, 0, 3, 7), KB_ACK_OK);
	memset(r.outputs[0][0].data, OUTPUT_SENTINEL, r.outputs[0][0].bytes);
	check_int(worker_run(&r, 1, 2, 2), KB_ACK_OK);
	check_int(r.outputs[0][0].data[5], OUTPUT_SENTINEL);
	check(r.outputs[1][0].data[5] != OUTPUT_SENTINEL ||
	      r.outputs[1][0].data[6] != OUTPUT_SENTINEL);
	end(&r);
}

static void test_failures_have_their_acks(void)
{
	struct worker r, c;

	start_reference(&r, "scale.c", 1, 1);
	start_candidate(&c, &r, "scale_fails.c", 1);
	r.inputs[0][2].data[0] = 0;
	check_int(worker_run(&c, 0, 1, 2), KB_ACK_RUN_FAILED);
	r.inputs[0][2].data[0] = 1;
	check_int(worker_run(&c, 0, 1, 2), KB_ACK_NO_MEMORY);
	check_log(&c, "about to fail\n");
	check_log(&c, "kb-worker-native: kb_forward() returned 17\n");
	end(&c);
	end(&r);
}

static void test_damage_is_visible_to_the_supervisor(void)
{
	struct worker r, c;

	start_reference(&r, "scale.c", 1, 1);
	start_candidate(&c, &r, "scale_damages.c", 1);
	check_int(worker_run(&c, 0, 1, 2), KB_ACK_OK);
	check(((float *)r.inputs[0][0].data)[0] == 42);
	check(!guards_whole(&c, 0));
	end(&c);
	end(&r);
}

static void test_writing_a_parameter_is_a_crash(void)
{
	struct worker r, c;
	int status;

	start_reference(&r, "scale.c", 1, 1);
	start_candidate(&c, &r, "writes_params.c", 1);
	check_int(worker_run(&c, 0, 1, 2), ENDED);
	status = worker_end(&c);
	check(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
	end(&r);
}

static void test_program_without_forward_is_refused(void)
{
	int program_fd = build_native("no_forward.c");
	struct worker r, c;

	start_reference(&r, "scale.c", 1, 0);
	start(&c);
	check_int(worker_load_candidate(&c, &r, 1, program_fd),
		  KB_ACK_LOAD_FAILED);
	check_log(&c, "the program does not define 'kb_forward'\n");
	end(&c);
	end(&r);
	close(program_fd);
}

static void test_program_that_is_none_is_refused(void)
{
	char *path = source_path("native/no_forward.c");
	FILE *f = fopen(path, "re");
	struct worker r, c;

	check(f != NULL);
	start_reference(&r, "scale.c", 1, 0);
	start(&c);
	check_int(worker_load_candidate(&c, &r, 1, fileno(f)),
		  KB_ACK_LOAD_FAILED);
	check_log(&c, "invalid ELF header");
	end(&c);
	end(&r);
	fclose(f);
	free(path);
}

static void test_candidate_is_no_problem(void)
{
	int program_fd = build_native("linear.c");
	struct worker w;

	start(&w);
	check_int(worker_load_reference(&w, 1, program_fd), KB_ACK_LOAD_FAILED);
	check_log(&w, "the program does not define 'kb_problem'\n");
	end(&w);
	close(program_fd);
}

static void test_slot_that_is_not_mapped_ends_the_worker(void)
{
	struct worker w;

	start_reference(&w, "scale.c", 1, 1);
	check_int(worker_run(&w, 1, 1, 2), ENDED);
	check_log(&w, "kb-worker-native: slot 1 is not mapped\n");
	check_int(WEXITSTATUS(worker_end(&w)), 4);
}

static void test_worker_at_the_gate_does_not_outlive_its_supervisor(void)
{
	struct worker w;

	start_reference(&w, "scale.c", 1, 1);
	check_int(worker_queue(&w, 0, 1, 2), KB_ACK_OK);
	check_int(WEXITSTATUS(worker_end(&w)), 4);
}

static void test_without_a_device_there_is_nothing_to_load_on(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	struct worker w;
	int program_fd;

	if (driver) {
		tap_skip("this machine has a CUDA driver");
		dlclose(driver);
		return;
	}
	program_fd = build_native("scale.c");
	start_with(&w, "--cuda", NULL);
	check_int(worker_load_reference(&w, 1, program_fd), ENDED);
	check_log(&w, "kb-worker-native: there is no CUDA driver: "
		  "'libcuda.so.1' cannot be loaded\n");
	check_int(WEXITSTATUS(worker_end(&w)), 4);
	close(program_fd);
}

static void test_native_code_has_no_fp64_error(void)
{
	struct kb_fp64_error_report report;
	struct worker w;

	start_reference(&w, "scale.c", 1, 0);
	check_int(worker_fp64_error(&w, 7, &report), KB_ACK_OK);
	check_int(report.version, KB_FP64_ERROR_VERSION);
	check_int(report.output_count, 0);
	check_str(report.why, "native code has no float64 form");
	end(&w);
}

static void test_slots_that_come_together_are_as_those_that_come_alone(void)
{
	struct worker r, c;

	start_reference(&r, "scale.c", 1, 1);
	start_candidate(&c, &r, "scale.c", 1);
	check_int(worker_slots(&r, NULL, 1, 2), KB_ACK_OK);
	check_int(worker_slots(&c, &r, 1, 2), KB_ACK_OK);
	check_int(worker_generate(&r, 0, 3, 7), KB_ACK_OK);
	check_int(worker_run(&r, 0, 3, 2), KB_ACK_OK);
	check_int(worker_run(&c, 0, 3, 2), KB_ACK_OK);
	for (uint32_t slot = 0; slot < 3; slot++) {
		check(guards_whole(&c, slot));
		check(outputs_equal(&r, &c, slot, 0));
	}
	check(memcmp(r.outputs[1][0].data, r.outputs[2][0].data,
		     r.outputs[1][0].bytes) != 0);
	end(&c);
	end(&r);
}

/* One is mapped already; what is sent is memory of two slots. */
static void test_slots_that_cannot_be_are_refused(void)
{
	static const struct {
		uint32_t first, count;
		const char *log;
	} cases[] = {
		{ 1, 0, "0 slots from 1 on cannot be mapped" },
		{ 65535, 2, "2 slots from 65535 on cannot be mapped" },
		{ 1, UINT32_MAX, "4294967295 slots from 1 on cannot be mapped" },
		{ 0, 2, "slot 0 cannot be mapped" },
		{ 1, 3, "memory of slots has " },
		{ 1, 1, "memory of slots has " },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct worker w;
		int fd;

		start_reference(&w, "scale.c", 1, 1);
		fd = memfd_create("slots", 0);
		check_int(ftruncate(fd, 2 * (off_t)w.memory_bytes[0]), 0);
		check_int(worker_ask_slots(&w, cases[i].first, cases[i].count,
					   fd), ENDED);
		check_log(&w, cases[i].log);
		check_int(WEXITSTATUS(worker_end(&w)), 4);
		close(fd);
	}
}

static void test_other_options_are_usage_errors(void)
{
	static const char *const options[][2] = {
		{ "--cpu", NULL }, { "--cuda", "--cuda" },
		{ "--alternate", NULL }, { "--alternate", "" },
		{ "--alternate", "0" }, { "--alternate", "0:4" },
		{ "--alternate", "0:4:" }, { "--alternate", ":4:-2" },
		{ "--alternate", "x:4:-2" }, { "--alternate", "0:4:-2," },
		{ "--alternate", "0:4:-2:" }, { "--alternate", "0:4:-2 " },
		{ "--alternate", "0:4:-2,0:1:0" }, { "--alternate", "32:4:-2" },
		{ "--alternate", "-1:4:-2" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(options); i++) {
		struct worker w;

		start_with(&w, options[i][0], options[i][1]);
		check_int(worker_queue(&w, 0, 1, 2), ENDED);
		check_log(&w, "usage: kb-worker-native [--cuda] "
			      "[--alternate INPUT:SCALE:SHIFT[,...]]\n");
		check_int(WEXITSTATUS(worker_end(&w)), 2);
	}
}

/* Elements x of [-1, 1) become -4 x + 2, and one is as likely as the other;
 * other requests are none of its business. */
static void test_alternate_inputs_are_drawn_where_they_belong(void)
{
	int program_fd = build_native("uniform.c");
	float own[1000], least = INFINITY, most = -INFINITY;
	const float *x;
	struct worker w;

	start_with(&w, "--alternate", "0:-4:2");
	check_int(worker_load_reference(&w, 1, program_fd), KB_ACK_OK);
	check_int(worker_slot(&w, NULL, 0), KB_ACK_OK);
	x = (const float *)w.inputs[0][0].data;
	check_int(worker_generate(&w, 0, 1, 7), KB_ACK_OK);
	memcpy(own, x, sizeof(own));
	check_int(worker_generate_alternate(&w, 0, 1, 7), KB_ACK_OK);
	for (int i = 0; i < 1000; i++) {
		least = fminf(least, x[i]);
		most = fmaxf(most, x[i]);
	}
	check(least >= -2 && least < -1.8f && most > 5.8f && most < 6);
	check_int(worker_generate(&w, 0, 1, 7), KB_ACK_OK);
	check(!memcmp(own, x, sizeof(own)));
	end(&w);
	close(program_fd);
}

static void test_a_mean_is_moved_and_a_deviation_widened(void)
{
	int program_fd = build_native("scale.c");
	const float *x;
	float own[700];
	struct worker w;

	start_with(&w, "--alternate", "0:-4:100");
	check_int(worker_load_reference(&w, 1, program_fd), KB_ACK_OK);
	check_int(worker_slot(&w, NULL, 0), KB_ACK_OK);
	x = (const float *)w.inputs[0][0].data;
	check_int(worker_generate(&w, 0, 1, 7), KB_ACK_OK);
	memcpy(own, x, sizeof(own));
	check_int(worker_generate_alternate(&w, 0, 1, 7), KB_ACK_OK);
	for (int i = 0; i < 700; i++)
		check(fabsf(x[i] - (4 * own[i] + 100)) < 1e-4f);
	end(&w);
	close(program_fd);
}

static void test_alternate_inputs_fit_the_problem(void)
{
	static const struct {
		const char *change, *said;
	} cases[] = {
		{ "1:4:-2", "alternate input 1 is no tensor that can be "
			    "scaled\n" },
		{ "3:4:-2", "alternate input 3 is no tensor that can be "
			    "scaled\n" },
		{ "0:1e60:0", "alternate input 0: " },
	};
	int program_fd = build_native("scale.c");

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct worker w;

		start_with(&w, "--alternate", cases[i].change);
		check_int(worker_load_reference(&w, 1, program_fd),
			  KB_ACK_UNSUPPORTED);
		check_log(&w, cases[i].said);
		end(&w);
	}
	close(program_fd);
}

TAP_MAIN(TAP(test_plan_is_the_problem),
	 TAP(test_state_is_the_parameters_in_order),
	 TAP(test_weights_follow_the_load_seed),
	 TAP(test_inputs_follow_seed_and_slot),
	 TAP(test_streams_are_counted_from_the_first_slot),
	 TAP(test_integers_stay_in_range),
	 TAP(test_candidate_computes_what_the_reference_does),
	 TAP(test_run_touches_only_its_slots),
	 TAP(test_failures_have_their_acks),
	 TAP(test_damage_is_visible_to_the_supervisor),
	 TAP(test_writing_a_parameter_is_a_crash),
	 TAP(test_program_without_forward_is_refused),
	 TAP(test_program_that_is_none_is_refused),
	 TAP(test_candidate_is_no_problem),
	 TAP(test_slot_that_is_not_mapped_ends_the_worker),
	 TAP(test_worker_at_the_gate_does_not_outlive_its_supervisor),
	 TAP(test_without_a_device_there_is_nothing_to_load_on),
	 TAP(test_native_code_has_no_fp64_error),
	 TAP(test_slots_that_come_together_are_as_those_that_come_alone),
	 TAP(test_slots_that_cannot_be_are_refused),
	 TAP(test_other_options_are_usage_errors),
	 TAP(test_alternate_inputs_are_drawn_where_they_belong),
	 TAP(test_a_mean_is_moved_and_a_deviation_widened),
	 TAP(test_alternate_inputs_fit_the_problem));
