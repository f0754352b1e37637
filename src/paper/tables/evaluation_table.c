#include "tables/evaluation_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/evaluation.h"
#include "manifest/fp64_error.h"
#include "score/speedup.h"
#include "score/times.h"
#include "sheet/format.h"
#include "tables/table.h"

static void add_time(struct kb_table *t, const struct kb_timing *timing)
{
	char text[KB_FORMAT_SIZE];

	if (timing)
		kb_format_time(text, timing->time_ns, timing->low_ns,
			       timing->high_ns);
	else
		kb_format_time(text, KB_UNKNOWN, KB_UNKNOWN, KB_UNKNOWN);
	kb_table_add(t, text);
}

/* Both at 97.5 %, so that their quotient is between its ends at 95 %. Is it
 * undecided whether that is above 1? */
static bool add_speedup(struct kb_table *t, const struct kb_timing *candidate,
			const struct kb_timing *reference)
{
	const int64_t candidate_ns = kb_times_median_ns(candidate);
	const int64_t reference_ns = kb_times_median_ns(reference);
	struct kb_interval over, under;
	char text[KB_FORMAT_SIZE];

	if (candidate_ns == KB_UNKNOWN || reference_ns == KB_UNKNOWN) {
		kb_table_add(t, "-");
		return false;
	}
	kb_times_interval(&over, reference, NULL, KB_INTERVAL_PPM);
	kb_times_interval(&under, candidate, reference, KB_INTERVAL_PPM);
	kb_format_speedup(text, kb_ratio_micro(reference_ns, candidate_ns),
			  kb_interval_least_micro(over, under),
			  kb_interval_most_micro(over, under));
	kb_table_add(t, text);
	return text[0] == '~';
}

static bool add_times(struct kb_table *t, const struct kb_timing *candidate,
		      const struct kb_timing *reference)
{
	add_time(t, candidate);
	add_time(t, reference);
	return add_speedup(t, candidate, reference);
}

/* In units of the reference's own error, where it is known. An error that is
 * not known is the worst. */
static double badness_of(const struct kb_result *r, size_t i)
{
	const struct kb_fp64_error_output *own =
			kb_fp64_error_find(r->fp64_error, i);
	const double error = kb_output_error_rms(&r->outputs[i]);

	if (error < 0)
		return INFINITY;
	return error > 0 && own ? error / own->rms_error : error;
}

/* The output that is furthest off: its error and the reference's own. */
static void add_errors(struct kb_table *t, const struct kb_result *r)
{
	const struct kb_fp64_error_output *own;
	char text[KB_FORMAT_SIZE];
	size_t worst = 0;

	for (size_t i = 1; i < r->output_count; i++)
		if (badness_of(r, i) > badness_of(r, worst))
			worst = i;
	/* Below 0 is not known: nothing was compared. */
	kb_format_error(text, r->output_count ?
			kb_output_error_rms(&r->outputs[worst]) : -1);
	kb_table_add(t, text);
	own = kb_fp64_error_find(r->fp64_error, worst);
	kb_format_error(text, own ? own->rms_error : -1);
	kb_table_add(t, text);
}

/* Of a candidate without a time its reason stands in place of numbers: of all,
 * or behind its errors, if it got as far as having some. Is a speedup
 * undecided? */
static bool add_result(struct kb_table *t, const struct kb_result *r,
		       bool device_times)
{
	const bool is_correct = r->outcome.status == KB_STATUS_CORRECT;
	bool is_undecided;
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->key);
	kb_table_add(t, key);
	kb_table_addf(t, "%d", r->sample_id);
	kb_table_add(t, kb_status_name(r->outcome.status));
	kb_table_tint(t, is_correct ? KB_TINT_GOOD : KB_TINT_BAD);
	if (r->output_count || kb_result_has_time(r))
		add_errors(t, r);
	if (!kb_result_has_time(r)) {
		kb_table_add_rest(t, r->outcome.detail ? r->outcome.detail
						       : "");
		return false;
	}
	is_undecided = add_times(t, r->timing, r->reference_timing);
	if (device_times)
		is_undecided |= add_times(
			t, kb_device_time(r->device_timing),
			kb_device_time(r->reference_device_timing));
	return is_undecided;
}

static void print_counts(struct kb_buf *out, const struct kb_evaluation *e)
{
	const char *separator = "";

	for (int s = 0; s < KB_STATUS_COUNT; s++) {
		size_t count = 0;

		for (size_t i = 0; i < e->result_count; i++)
			count += e->results[i].outcome.status ==
				 (enum kb_status)s;
		if (!count)
			continue;
		kb_buf_addf(out, "%s%s %zu", separator,
			    kb_status_name((enum kb_status)s), count);
		separator = ", ";
	}
	kb_buf_addch(out, '\n');
}

static bool is_missing(const struct kb_evaluation *e, size_t i)
{
	return i < e->result_count &&
	       e->results[i].outcome.status == KB_STATUS_MISSING;
}

/* Results are sorted. */
static bool is_next(struct kb_key a, struct kb_key b)
{
	return b.level == a.level && b.problem_id == a.problem_id + 1;
}

/* Rows of problems that nobody tried would bury the others. */
static void print_missing(struct kb_buf *out, const struct kb_evaluation *e)
{
	const char *separator = "no candidate for ";
	char key[KB_KEY_SIZE];

	for (size_t i = 0; i < e->result_count; i++) {
		const size_t first = i;

		if (!is_missing(e, i))
			continue;
		while (is_missing(e, i + 1) &&
		       is_next(e->results[i].key, e->results[i + 1].key))
			i++;
		kb_key_format(key, e->results[first].key);
		kb_buf_addf(out, "%s%s", separator, key);
		kb_key_format(key, e->results[i].key);
		if (i > first)
			kb_buf_addf(out, " to %s", key);
		separator = ", ";
	}
	if (separator[0] == ',')
		kb_buf_addch(out, '\n');
}

static bool has_device_times(const struct kb_evaluation *e)
{
	for (size_t i = 0; i < e->result_count; i++)
		if (e->results[i].device_timing ||
		    e->results[i].reference_device_timing)
			return true;
	return false;
}

static const struct {
	struct kb_column column;
	bool is_by_device;		/* only where there are such times */
} every_column[] = {
	{ { "problem", KB_ALIGN_LEFT }, false },
	{ { "sample", KB_ALIGN_RIGHT }, false },
	{ { "status", KB_ALIGN_LEFT }, false },
	{ { "rms_error", KB_ALIGN_RIGHT }, false },
	{ { "ref_error", KB_ALIGN_RIGHT }, false },
	{ { "candidate", KB_ALIGN_RIGHT }, false },
	{ { "reference", KB_ALIGN_RIGHT }, false },
	{ { "speedup", KB_ALIGN_RIGHT }, false },
	{ { "device", KB_ALIGN_RIGHT }, true },
	{ { "ref_device", KB_ALIGN_RIGHT }, true },
	{ { "speedup", KB_ALIGN_RIGHT }, true },
};

#define COLUMN_REF_ERROR 4
#define COLUMN_CANDIDATE 5		/* the first of three by calls */
#define COLUMN_DEVICE 8

/* The columns with or without those of the device; returns how many. */
static size_t columns_of(struct kb_column columns[KB_ARRAY_LEN(every_column)],
			 bool with_device)
{
	size_t count = 0;

	for (size_t i = 0; i < KB_ARRAY_LEN(every_column); i++)
		if (with_device || !every_column[i].is_by_device)
			columns[count++] = every_column[i].column;
	return count;
}

/* Where there are times by the device's clock, scores are by these. */
static void rank_columns(struct kb_table *t, bool with_device)
{
	kb_table_set_keys(t, 3);
	kb_table_rank(t, COLUMN_REF_ERROR, 2);
	for (size_t c = COLUMN_CANDIDATE; with_device && c < COLUMN_DEVICE; c++)
		kb_table_rank(t, c, 1);
}

static void print_sandbox(struct kb_buf *out, const struct kb_evaluation *e)
{
	const char *mode = kb_json_text(e->conditions.policy, "sandbox");

	if (mode)
		kb_buf_addf(out, "sandbox: %s\n", mode);
}

void kb_evaluation_table_print(struct kb_buf *out,
			       const struct kb_evaluation *e,
			       struct kb_look look)
{
	struct kb_column columns[KB_ARRAY_LEN(every_column)];
	const bool both = has_device_times(e);
	const size_t count = columns_of(columns, both);
	kb_auto(table) struct kb_table *t = kb_table_new(columns, count);
	bool has_undecided = false;

	rank_columns(t, both);
	for (size_t i = 0; i < e->result_count; i++)
		if (!is_missing(e, i))
			has_undecided |= add_result(t, &e->results[i], both);
	kb_table_print(out, t, look);
	if (has_undecided)
		kb_buf_addstr(out, "~ undecided: by the intervals at 95% it may "
			      "be faster than the reference or not\n");
	kb_buf_addch(out, '\n');
	print_counts(out, e);
	print_missing(out, e);
	print_sandbox(out, e);
}
