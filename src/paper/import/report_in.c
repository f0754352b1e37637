#include "import/report_in.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "import/claims.h"
#include "import/kernelbench_names.h"
#include "json/json.h"
#include "manifest/tool.h"
#include "score/kernelbench.h"
#include "store/bundle.h"
#include "store/quote.h"
#include "verify/checks.h"
#include "verify/lineage.h"

#define NANO 1000000000

/* The bytes of all files, and their names in messages. */
struct input {
	struct kb_buf results, baseline;
	const char *results_name, *baseline_name;
};

#define INPUT_INIT { .results = KB_BUF_INIT, .baseline = KB_BUF_INIT }

static void kb_cleanup_input(struct input *in)
{
	kb_buf_release(&in->results);
	kb_buf_release(&in->baseline);
}

static void note_file(struct kb_report_file *out, const struct kb_buf *text)
{
	kb_digest_of(&out->digest, text->data, text->len);
	out->size_bytes = text->len;
}

static int parse_v3(struct kb_claims *out, const char *run,
		    const struct input *in, struct kb_err *err)
{
	const struct kb_buf *text = &in->results;
	const char *name = in->results_name;

	if (kb_v3_csv_is(text->data, text->len, name))
		return kb_v3_csv_parse(out, run, text->data, text->len, name,
				       err);
	if (run)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: names no runs, and run '%s' is wanted", name,
			      kb_quote_str(run).text);
	return kb_v3_rows_parse(out, text->data, text->len, name, err);
}

static int parse_input(struct kb_claims *results, struct kb_claims *times,
		       const struct kb_report *r, const struct input *in,
		       struct kb_err *err)
{
	int ret;

	if (r->format == KB_REPORT_V3)
		ret = parse_v3(results, r->run, in, err);
	else
		ret = kb_eval_results_parse(results, r->level,
					    in->results.data, in->results.len,
					    in->results_name, err);
	if (ret == 0)
		ret = kb_claims_sort(results, in->results_name, err);
	if (ret == 0 && r->has_baseline)
		ret = kb_baseline_times_parse(times, in->baseline.data,
					      in->baseline.len,
					      in->baseline_name, err);
	/* Names of files tell problems of one number apart only where the
	 * dataset says which is meant. */
	if (!r->dataset)
		kb_claims_drop_files(times);
	return ret < 0 ? ret : kb_claims_sort(times, in->baseline_name, err);
}

static struct kb_json *new_dataset(void)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "upstream_commit", KB_KERNELBENCH_COMMIT);
	return v;
}

static void end_level(struct kb_report_level *l, const struct kb_upstream *u)
{
	l->problems = u->problems;
	l->compiled = u->compiled;
	l->correct = u->correct;
	l->with_baseline = u->with_baseline;
	memcpy(l->fast, u->fast, sizeof(l->fast));
	l->geomean_speedup_nano = kb_upstream_geomean(u, NANO);
}

/* Results and times without a problem in the dataset. */
static void leave_out(struct kb_json *dataset, int level,
		      const struct kb_claims *results,
		      const struct kb_claims *times)
{
	struct kb_json *no_result = kb_json_array(), *no_time = kb_json_array();

	for (size_t i = 0; i < results->count; i++)
		if (!kb_kernelbench_name(results->items[i].key))
			kb_json_append(no_result, kb_json_int(
				results->items[i].key.problem_id));
	for (size_t i = 0; i < times->count; i++) {
		const struct kb_claim *t = &times->items[i];
		const char *name = kb_kernelbench_name(t->key);

		if (t->key.level == level && (!name || strcmp(name, t->file)))
			kb_json_append(no_time, kb_json_string(t->file));
	}
	kb_json_set(dataset, "results_left_out", no_result);
	kb_json_set(dataset, "times_left_out", no_time);
}

/* Problems are the dataset's. Those without a time are no part of fast_p. */
static void sum_dataset(struct kb_report *r, struct kb_report_level *l,
			const struct kb_claims *results,
			const struct kb_claims *times)
{
	struct kb_json *untimed = kb_json_array();
	struct kb_upstream u = { 0 };
	struct kb_key key = { .level = l->level };

	while (key.problem_id++ < kb_kernelbench_count(l->level)) {
		const char *name = kb_kernelbench_name(key);
		const struct kb_claim *c = kb_claims_find(results, key, NULL);
		const struct kb_claim *t = kb_claims_find(times, key, name);
		struct kb_upstream_result says = { .compiled = false };

		if (c)
			says = c->says;
		if (t)
			says.baseline_ms = t->says.baseline_ms;
		if (r->has_baseline && says.baseline_ms <= 0)
			kb_json_append(untimed, kb_json_string(name));
		kb_upstream_add(&u, &says);
		l->results += c != NULL;
	}
	kb_json_set(r->dataset, "problems_left_out", untimed);
	leave_out(r->dataset, l->level, results, times);
	end_level(l, &u);
}

/* Problems are those that either file has. */
static void sum_level(struct kb_report_level *l,
		      const struct kb_claims *results,
		      const struct kb_claims *times)
{
	struct kb_upstream u = { 0 };

	for (size_t i = 0; i < results->count; i++) {
		const struct kb_claim *c = &results->items[i];
		const struct kb_claim *t = kb_claims_find(times, c->key, NULL);
		struct kb_upstream_result says = c->says;

		if (c->key.level != l->level)
			continue;
		if (t)
			says.baseline_ms = t->says.baseline_ms;
		kb_upstream_add(&u, &says);
		l->results++;
	}
	for (size_t i = 0; i < times->count; i++)
		if (times->items[i].key.level == l->level &&
		    !kb_claims_find(results, times->items[i].key, NULL))
			kb_upstream_add(&u, &times->items[i].says);
	end_level(l, &u);
}

static void sum_levels(struct kb_report *r, const struct kb_claims *results,
		       const struct kb_claims *times)
{
	size_t capacity = 0;

	for (int level = 1; level <= KB_LEVEL_MAX; level++) {
		struct kb_report_level l = { .level = level };

		if (r->level && level != r->level)
			continue;
		if (r->dataset)
			sum_dataset(r, &l, results, times);
		else
			sum_level(&l, results, times);
		if (!l.problems)
			continue;
		r->levels = kb_grow(r->levels, r->level_count, &capacity,
				    sizeof(*r->levels));
		r->levels[r->level_count++] = l;
	}
}

static bool has_level(const struct kb_claims *times, int level)
{
	for (size_t i = 0; i < times->count; i++)
		if (times->items[i].key.level == level)
			return true;
	return false;
}

/* `r` has a format and a level, and says whether there is a baseline and, by
 * one to be filled, a dataset. */
static int make_report(struct kb_report *r, const struct input *in,
		       struct kb_err *err)
{
	kb_auto(claims) struct kb_claims results = KB_CLAIMS_INIT;
	kb_auto(claims) struct kb_claims times = KB_CLAIMS_INIT;
	int ret = parse_input(&results, &times, r, in, err);

	if (ret < 0)
		return ret;
	if (results.count || has_level(&times, r->level))
		sum_levels(r, &results, &times);
	if (!r->level_count)
		return kb_err(err, KB_ERR_INPUT, "%s: has no problems",
			      in->results_name);
	note_file(&r->results, &in->results);
	if (r->has_baseline)
		note_file(&r->baseline, &in->baseline);
	return 0;
}

static int read_input(struct input *in, const struct kb_report_source *s,
		      struct kb_err *err)
{
	int ret;

	in->results_name = s->results;
	in->baseline_name = s->baseline;
	ret = kb_file_read_named(&in->results, s->results, KB_REPORT_BYTES_MAX,
				 err);
	if (ret == 0 && s->baseline)
		ret = kb_file_read_named(&in->baseline, s->baseline,
					 KB_REPORT_BYTES_MAX, err);
	return ret;
}

static int write_bundle(const struct kb_report *r, struct kb_digest *id,
			const struct input *in, const char *store,
			struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = kb_bundle_writer_new(&w, store, err);

	if (ret == 0)
		ret = kb_record_write(w, kb_report_to_json(r), err);
	if (ret == 0)
		ret = kb_bundle_writer_add(w, KB_REPORT_RESULTS,
					   in->results.data, in->results.len,
					   err);
	if (ret == 0 && r->has_baseline)
		ret = kb_bundle_writer_add(w, KB_REPORT_BASELINE,
					   in->baseline.data,
					   in->baseline.len, err);
	return ret < 0 ? ret : kb_bundle_writer_commit(w, id, err);
}

int kb_report_pack(struct kb_report *out, struct kb_digest *id,
		   const struct kb_report_source *source, const char *store,
		   struct kb_err *err)
{
	kb_auto(report) struct kb_report r = {
		.tool = kb_tool_json("kb-pack"), .format = source->format,
		.level = source->level, .has_baseline = source->baseline,
		.run = kb_xstrdup(source->run),
	};
	kb_auto(input) struct input in = INPUT_INIT;
	int ret = read_input(&in, source, err);

	if (kb_kernelbench_count(source->level))
		r.dataset = new_dataset();
	if (ret == 0)
		ret = make_report(&r, &in, err);
	if (ret == 0)
		ret = write_bundle(&r, id, &in, store, err);
	if (ret < 0)
		return ret;
	*out = r;
	r = (struct kb_report)KB_REPORT_INIT;
	return 0;
}

static int read_members(struct input *in, const struct kb_bundle *b,
			bool has_baseline, struct kb_err *err)
{
	int ret;

	in->results_name = KB_REPORT_RESULTS;
	in->baseline_name = KB_REPORT_BASELINE;
	ret = kb_bundle_read(&in->results, b, KB_REPORT_RESULTS,
			     KB_REPORT_BYTES_MAX, err);
	if (ret == 0 && has_baseline)
		ret = kb_bundle_read(&in->baseline, b, KB_REPORT_BASELINE,
				     KB_REPORT_BYTES_MAX, err);
	return ret;
}

static bool same_record(const struct kb_report *a, const struct kb_report *b)
{
	kb_auto(json) struct kb_json *x = kb_report_to_json(a);
	kb_auto(json) struct kb_json *y = kb_report_to_json(b);

	return kb_json_equal(x, y);
}

static int check_again(const struct kb_bundle *b, struct kb_err *err)
{
	kb_auto(report) struct kb_report claimed = KB_REPORT_INIT;
	kb_auto(report) struct kb_report again = KB_REPORT_INIT;
	kb_auto(input) struct input in = INPUT_INIT;
	int ret = kb_report_load(&claimed, b, err);

	if (ret == 0)
		ret = read_members(&in, b, claimed.has_baseline, err);
	if (ret < 0)
		return ret;
	again.tool = kb_json_copy(claimed.tool);
	again.format = claimed.format;
	again.level = claimed.level;
	again.has_baseline = claimed.has_baseline;
	again.run = kb_xstrdup(claimed.run);
	/* From its files alone, which are in the bundle: nobody needs
	 * KernelBench to verify it. */
	if (claimed.dataset && kb_kernelbench_count(claimed.level))
		again.dataset = new_dataset();
	ret = make_report(&again, &in, err);
	if (ret == 0 && !same_record(&claimed, &again))
		ret = kb_err(err, KB_ERR_INPUT,
			     "its numbers are not what its files give");
	return ret;
}

int kb_report_add_check(struct kb_checks *c, const struct kb_bundle *b,
			struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	int ret = check_again(b, &why);

	if (ret < 0 && !kb_is_answer(ret))
		return kb_err_take(err, &why);
	kb_checks_add(c, KB_LAYER_ARITHMETIC, "report",
		      ret < 0 ? KB_ANSWER_NO : KB_ANSWER_OK, "%s",
		      ret < 0 ? why.msg : "identical when made again");
	return 0;
}
