#include "worker/fp64_error.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "lib/tap.h"

/* A vector of floats and one of integers. */
static const struct kb_plan plan = {
	.version = KB_PLAN_VERSION,
	.output_count = 2,
	.outputs = {
		{ .dtype = KB_FLOAT32, .ndim = 1, .dims = { 4 } },
		{ .dtype = KB_INT64, .ndim = 1, .dims = { 4 } },
	},
};

static struct kb_fp64_error_report good(void)
{
	return (struct kb_fp64_error_report){
		.version = KB_FP64_ERROR_VERSION,
		.output_count = 2,
		.outputs = { { .is_float = 1, .max_abs_error = 4e-7,
			       .rms_error = 1e-7, .max_abs = 3, .rms = 1 } },
	};
}

static void test_report_is_taken(void)
{
	struct kb_fp64_error_report report = good();
	kb_auto(fp64_error) struct kb_fp64_error *o =
		kb_fp64_error_of_reports(&report, &plan);

	check_int(o->draws, KB_FP64_ERROR_DRAWS);
	check_int(o->output_count, 2);
	check(!o->unavailable);
	check(o->outputs[0].is_float && !o->outputs[1].is_float);
	check(o->outputs[0].max_abs_error == 4e-7);
	check(o->outputs[0].rms_error == 1e-7);
	check(o->outputs[0].max_abs == 3 && o->outputs[0].rms == 1);
}

static void test_means_do_not_exceed_maxima(void)
{
	struct kb_fp64_error_report report = good();
	kb_auto(fp64_error) struct kb_fp64_error *o = NULL;

	report.outputs[0].rms_error = nextafter(4e-7, 1);
	report.outputs[0].rms = nextafter(3, 4);
	o = kb_fp64_error_of_reports(&report, &plan);
	check(o->outputs[0].rms_error == 4e-7 && o->outputs[0].rms == 3);
}

static void test_nobody_is_judged_by_some_answers(void)
{
	static const char another[] = "output 0: it is another one in float64";
	static const char infinite[] = "output 0: its error is not finite";
	static const struct {
		struct kb_fp64_error_entry entry;
		const char *why;	/* NULL: it will do */
	} rows[] = {
		{ { 1, 0, 0, 0, 0, 0 }, NULL },
		{ { 1, 0, 0, 0, 3, 1 }, NULL },
		{ { 1, 0, 0.2, 0.124, 3, 1 }, NULL },
		{ { 1, 0, 0.2, 0.125, 3, 1 }, another },
		{ { 1, 0, 3, 1, 3, 1 }, another },
		{ { 1, 0, 1, 1, 0, 0 }, another },
		{ { 1, 0, HUGE_VAL, 1, 3, 1 }, infinite },
		{ { 1, 0, HUGE_VAL, HUGE_VAL, 3, 1 }, infinite },
		{ { 1, 0, NAN, 0, 3, 1 }, infinite },
		{ { 1, 0, 0, NAN, 3, 1 }, infinite },
		{ { 1, 0, -1, 0, 3, 1 }, infinite },
		{ { 1, 0, 0, 0, 3, HUGE_VAL }, infinite },
		{ { 1, 0, 0, 0, NAN, 1 }, infinite },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_fp64_error_report report = good();
		kb_auto(fp64_error) struct kb_fp64_error *o = NULL;

		report.outputs[0] = rows[i].entry;
		o = kb_fp64_error_of_reports(&report, &plan);
		check(!o->unavailable == !rows[i].why);
		check(!o->outputs == !!rows[i].why);
		if (rows[i].why) {
			check_str(o->unavailable, rows[i].why);
			check_int(o->draws, 0);
		}
	}
}

static void test_reasons_are_printable(void)
{
	static const struct {
		const char *why, *taken;
	} rows[] = {
		{ "", "no reason given" },
		{ "not enough memory", "not enough memory" },
		{ "one\ntwo\t\x7f\xc3\xa9", "one?two????" },
	};
	char full[KB_FP64_ERROR_WHY_BYTES + 1];

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_fp64_error_report report = {
			.version = KB_FP64_ERROR_VERSION,
		};
		kb_auto(fp64_error) struct kb_fp64_error *o = NULL;

		strcpy(report.why, rows[i].why);
		o = kb_fp64_error_of_reports(&report, &plan);
		check_str(o->unavailable, rows[i].taken);
	}

	/* No end in sight. */
	struct kb_fp64_error_report report = {
		.version = KB_FP64_ERROR_VERSION,
	};
	kb_auto(fp64_error) struct kb_fp64_error *o = NULL;

	memset(report.why, 'x', sizeof(report.why));
	memset(full, 'x', sizeof(full));
	full[KB_FP64_ERROR_WHY_BYTES - 1] = '\0';
	o = kb_fp64_error_of_reports(&report, &plan);
	check_str(o->unavailable, full);
}

static void test_reports_without_meaning_are_none(void)
{
	struct kb_fp64_error_report report = good();

	report.version = 0;
	check(!kb_fp64_error_of_reports(&report, &plan));
	report = good();
	report.output_count = 1;
	check(!kb_fp64_error_of_reports(&report, &plan));
	report.output_count = UINT32_MAX;
	check(!kb_fp64_error_of_reports(&report, &plan));
}

static void test_ranks_report_for_their_own_outputs(void)
{
	struct kb_plan both = plan;
	struct kb_fp64_error_report reports[] = { good(), good() };
	kb_auto(fp64_error) struct kb_fp64_error *o = NULL, *why = NULL;

	both.ranks = 2;
	both.output_count = 4;
	both.outputs[2] = plan.outputs[0];
	both.outputs[3] = plan.outputs[1];
	reports[1].outputs[0].max_abs = 5;
	o = kb_fp64_error_of_reports(reports, &both);
	check_int(o->output_count, 4);
	check(o->outputs[0].max_abs == 3 && o->outputs[2].max_abs == 5);

	/* So many that the sum of both is small again. */
	reports[0].output_count = UINT32_MAX;
	check(!kb_fp64_error_of_reports(reports, &both));
	reports[0].output_count = 2;
	reports[1].output_count = 3;
	check(!kb_fp64_error_of_reports(reports, &both));
	reports[1].output_count = 0;
	strcpy(reports[1].why, "not enough memory");
	why = kb_fp64_error_of_reports(reports, &both);
	check_str(why->unavailable, "not enough memory");
}

TAP_MAIN(TAP(test_report_is_taken),
	 TAP(test_means_do_not_exceed_maxima),
	 TAP(test_nobody_is_judged_by_some_answers),
	 TAP(test_reasons_are_printable),
	 TAP(test_reports_without_meaning_are_none),
	 TAP(test_ranks_report_for_their_own_outputs));
