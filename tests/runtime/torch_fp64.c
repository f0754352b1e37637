/* How far a reference of the torch runtime is from float64. */

#include <math.h>
#include <sys/wait.h>

#include "torch_rig.h"

/* One rounding of a value of `size` is this much in float32. */
static double rounding(double size)
{
	return ldexp(size, -24);
}

static void check_entry(const struct kb_fp64_error_entry *e, double size)
{
	check_int(e->is_float, 1);
	check(e->rms_error > 0 && e->rms_error < e->max_abs_error);
	check(e->max_abs_error < 4 * rounding(size));
	check(e->rms > 0 && e->rms <= e->max_abs);
	check(e->max_abs <= size);
}

static void test_fp64_error_says_how_far_off_float64_is(void)
{
	struct kb_fp64_error_report report, again;
	struct worker w;

	start_reference(&w, "torch/fp64.py", 0);
	check_int(worker_fp64_error(&w, 7, &report), KB_ACK_OK);
	check_str(report.why, "");
	check_int(report.output_count, 6);
	check_entry(&report.outputs[0], 8);
	check_int(report.outputs[1].is_float, 0);

	/* An input is its own float64 form. */
	check_int(report.outputs[2].is_float, 1);
	check(report.outputs[2].max_abs_error == 0);
	check(report.outputs[2].max_abs > 0.9 && report.outputs[2].max_abs < 1);
	check(report.outputs[2].rms > 0.5 && report.outputs[2].rms < 0.65);

	/* What is not finite does not count. */
	check_entry(&report.outputs[3], 8);
	check_int(report.outputs[4].is_float, 1);
	check(report.outputs[4].max_abs == 0);

	/* Chance in forward() is the same for both. */
	check(report.outputs[5].max_abs_error < rounding(2));
	check(report.outputs[5].max_abs > 0);

	/* The module was not touched, and other inputs are other inputs. */
	check_int(worker_fp64_error(&w, 7, &again), KB_ACK_OK);
	check(!memcmp(&report, &again, sizeof(report)));
	check_int(worker_fp64_error(&w, 8, &again), KB_ACK_OK);
	check(memcmp(&report, &again, sizeof(report)) != 0);
	end(&w);
}

static void test_calls_after_the_fp64_error_are_as_without_it(void)
{
	struct kb_fp64_error_report report;
	struct worker plain, asked;

	start_reference(&plain, "torch/fp64.py", 1);
	start_reference(&asked, "torch/fp64.py", 1);
	check_int(worker_generate(&plain, 0, 1, 5), KB_ACK_OK);
	check_int(worker_generate(&asked, 0, 1, 5), KB_ACK_OK);
	check_int(worker_fp64_error(&asked, 7, &report), KB_ACK_OK);
	check(!memcmp(plain.inputs[0][0].data, asked.inputs[0][0].data,
		      plain.inputs[0][0].bytes));
	check_int(worker_run(&plain, 0, 1, 6), KB_ACK_OK);
	check_int(worker_run(&asked, 0, 1, 6), KB_ACK_OK);
	for (uint32_t i = 0; i < plain.plan.output_count; i++)
		check(outputs_equal(&plain, &asked, 0, i));
	check(guards_whole(&asked, 0));
	end(&asked);
	end(&plain);
}

static void test_fp64_error_is_of_the_plain_definition(void)
{
	struct kb_fp64_error_report report;
	struct worker w;

	start_reference(&w, "torch/fp64_plain.py", 0);
	check_int(worker_fp64_error(&w, 7, &report), KB_ACK_OK);
	check_str(report.why, "");
	check(report.outputs[0].rms_error > 0.99e-4);
	check(report.outputs[0].rms_error < 1.01e-4);
	end(&w);
}

static void test_fp64_error_in_half_precision(void)
{
	struct kb_fp64_error_report report;
	struct worker w;

	start_with(&w, "--precision", "bf16", "torch/linear.py", NULL);
	check_loaded(&w, worker_load_reference(&w, 1, -1));
	check_int(worker_fp64_error(&w, 7, &report), KB_ACK_OK);
	check_str(report.why, "");
	check(report.outputs[0].max_abs_error > 1e-5);
	check(report.outputs[0].max_abs_error < 1e-2);
	end(&w);
}

static void test_no_fp64_error_has_a_reason(void)
{
	static const struct {
		const char *how;
		uint32_t code;
		const char *why;
	} table[] = {
		{ "raises", KB_ACK_OK, "ValueError: nothing wi?er here," },
		{ "is wordless", KB_ACK_OK, "KeyError" },
		{ "has no room", KB_ACK_OK, "not enough memory" },
		{ "exits", KB_ACK_RUN_FAILED, NULL },
		{ "does not", KB_ACK_OK, "" },
	};
	struct kb_fp64_error_report report;
	struct worker w;

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		setenv("KB_TEST_FAILURE", table[i].how, 1);
		start_reference(&w, "torch/fp64_fails.py", 1);
		check_int(worker_fp64_error(&w, 7, &report), table[i].code);
		if (table[i].why) {
			check_str(report.why, table[i].why);
			check_int(report.output_count, !*table[i].why);
		}
		/* It goes on as if nothing had been asked. */
		check_int(worker_generate(&w, 0, 1, 7), KB_ACK_OK);
		check_int(worker_run(&w, 0, 1, 2), KB_ACK_OK);
		end(&w);
	}
	setenv("KB_TEST_FAILURE", "dies", 1);
	start_reference(&w, "torch/fp64_fails.py", 0);
	check_int(worker_fp64_error(&w, 7, &report), ENDED);
	check_int(WEXITSTATUS(worker_end(&w)), 3);
	unsetenv("KB_TEST_FAILURE");
}

static void test_candidates_have_no_fp64_error(void)
{
	struct kb_fp64_error_report report;
	struct worker r, c;

	start_reference(&r, "torch/linear.py", 0);
	start_candidate(&c, &r, "torch/linear.py", "torch/linear_same.py", 0);
	check_int(worker_fp64_error(&c, 7, &report), ENDED);
	check_log(&c, "a candidate is asked for an fp64 error");
	check_int(WEXITSTATUS(worker_end(&c)), 4);
	end(&r);
}
static void test_alternate_inputs_have_an_fp64_error_of_their_own(void)
{
	struct kb_fp64_error_report own, alternate;
	struct worker w;

	start_with(&w, "--alternate", "0:1000:0", "torch/linear.py", NULL);
	check_loaded(&w, worker_load_reference(&w, 1, -1));
	check_int(worker_fp64_error(&w, 7, &own), KB_ACK_OK);
	check_int(worker_fp64_error_alternate(&w, 7, &alternate), KB_ACK_OK);
	check(alternate.outputs[0].max_abs > 100 * own.outputs[0].max_abs);
	end(&w);
}

TAP_MAIN(TAP(test_fp64_error_says_how_far_off_float64_is),
	 TAP(test_calls_after_the_fp64_error_are_as_without_it),
	 TAP(test_fp64_error_is_of_the_plain_definition),
	 TAP(test_fp64_error_in_half_precision),
	 TAP(test_no_fp64_error_has_a_reason),
	 TAP(test_candidates_have_no_fp64_error),
	 TAP(test_alternate_inputs_have_an_fp64_error_of_their_own));
