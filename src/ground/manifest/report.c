#include "manifest/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/key.h"
#include "manifest/load.h"
#include "manifest/tool.h"
#include "store/bundle.h"

static const char *const formats[KB_REPORT_FORMAT_COUNT] = {
	[KB_REPORT_KERNELBENCH] = "kernelbench",
	[KB_REPORT_V3] = "v3",
};

const char *kb_report_format_name(enum kb_report_format format)
{
	return formats[format];
}

int kb_report_format_parse(enum kb_report_format *out, const char *name,
			   struct kb_err *err)
{
	for (int i = 0; i < KB_REPORT_FORMAT_COUNT; i++) {
		if (strcmp(formats[i], name))
			continue;
		*out = (enum kb_report_format)i;
		return 0;
	}
	return kb_err(err, KB_ERR_INPUT,
		      "no report's format is called '%s', there are: "
		      "kernelbench, v3", name);
}

void kb_report_release(struct kb_report *r)
{
	kb_json_free(r->tool);
	kb_json_free(r->dataset);
	free(r->run);
	free(r->levels);
	*r = (struct kb_report)KB_REPORT_INIT;
}

static struct kb_json *file_to_json(const struct kb_report_file *f)
{
	struct kb_json *v = kb_json_object();

	kb_put_digest(v, "sha256", &f->digest);
	kb_json_set_int(v, "size_bytes", (int64_t)f->size_bytes);
	return v;
}

static struct kb_json *level_to_json(const struct kb_report_level *l)
{
	struct kb_json *v = kb_json_object(), *fast = kb_json_array();

	for (int i = 0; i < KB_FAST_COUNT; i++) {
		struct kb_json *p = kb_json_object();

		kb_json_set_int(p, "count", l->fast[i]);
		kb_json_set_int(p, "p_milli", kb_fast_p_milli[i]);
		kb_json_append(fast, p);
	}
	kb_json_set_int(v, "level", l->level);
	kb_json_set_int(v, "problems", l->problems);
	kb_json_set_int(v, "results", l->results);
	kb_json_set_int(v, "compiled", l->compiled);
	kb_json_set_int(v, "correct", l->correct);
	kb_json_set_int(v, "with_baseline", l->with_baseline);
	kb_json_set(v, "fast", fast);
	kb_put_int(v, "geomean_speedup_nano", l->geomean_speedup_nano);
	return v;
}

struct kb_json *kb_report_to_json(const struct kb_report *r)
{
	struct kb_json *record = kb_record_new(KB_KIND_REPORT, NULL);
	struct kb_json *levels = kb_json_array();

	for (size_t i = 0; i < r->level_count; i++)
		kb_json_append(levels, level_to_json(&r->levels[i]));
	kb_json_set(record, "tool", kb_json_copy(r->tool));
	/* The member can be nothing else. It is there so that whoever reads the
	 * record without kb's manual sees that nobody measured these numbers
	 * again. */
	kb_json_set_bool(record, "self_reported", true);
	kb_json_set_string(record, "format", formats[r->format]);
	kb_put_int(record, "level", r->level ? r->level : KB_UNKNOWN);
	kb_json_set(record, "results", file_to_json(&r->results));
	kb_json_set(record, "baseline", r->has_baseline ?
		    file_to_json(&r->baseline) : kb_json_null());
	if (r->run)
		kb_json_set_string(record, "run", r->run);
	if (r->dataset)
		kb_json_set(record, "dataset", kb_json_copy(r->dataset));
	kb_json_set(record, "levels", levels);
	return record;
}

static void read_file(struct kb_report_file *out, struct kb_fields *f,
		      const char *key)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, key))
		return;
	out->digest = kb_fields_digest(&inner, "sha256");
	out->size_bytes = (uint64_t)kb_fields_int(&inner, "size_bytes", 0,
						  KB_REPORT_BYTES_MAX);
	f->ret = kb_fields_end(&inner);
}

/* The names of what upstream left out are kept as they came: problems and times
 * have names, results have sample numbers. */
static void check_elements(struct kb_fields *f, const char *key,
			   enum kb_json_type want)
{
	const struct kb_json *v = kb_fields_array(f, key);

	for (v = v ? kb_json_first(v) : NULL; v; v = kb_json_next(v))
		if (kb_json_type(v) != want)
			kb_fields_fail(f, "'%s' has %s, want %s", key,
				       kb_json_type_name(kb_json_type(v)),
				       kb_json_type_name(want));
}

static void read_dataset(struct kb_report *r, struct kb_fields *f)
{
	const struct kb_json *v = kb_fields_has(f, "dataset") ?
					  kb_fields_object(f, "dataset") : NULL;
	struct kb_fields inner;
	const char *commit;

	if (!v)
		return;
	kb_fields_begin(&inner, v, f->where, f->err);
	commit = kb_fields_text(&inner, "upstream_commit");
	if (commit && !kb_hex_valid(commit, 40))
		kb_fields_fail(&inner, "'upstream_commit' is not 40 lower-case hex digits");
	check_elements(&inner, "problems_left_out", KB_JSON_STRING);
	check_elements(&inner, "results_left_out", KB_JSON_INT);
	check_elements(&inner, "times_left_out", KB_JSON_STRING);
	f->ret = kb_fields_end(&inner);
	if (f->ret == 0)
		r->dataset = kb_json_copy(v);
}

static int read_fast(int64_t *out, const struct kb_json *v, int i,
		     int64_t max, const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	kb_fields_int(&f, "p_milli", kb_fast_p_milli[i], kb_fast_p_milli[i]);
	*out = kb_fields_int(&f, "count", 0, max);
	return kb_fields_end(&f);
}

static void read_fasts(struct kb_report_level *l, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "fast"), *v;
	/* A result counts as fast only if it is correct and has a baseline to
	 * be faster than; and one that is faster by p is faster by every
	 * smaller p as well, which is why `max` falls from p to p. */
	int64_t max = l->correct < l->with_baseline ? l->correct
						    : l->with_baseline;

	if (!array)
		return;
	if (kb_json_count(array) != KB_FAST_COUNT) {
		kb_fields_fail(f, "'fast' has %zu elements, want %d",
			       kb_json_count(array), KB_FAST_COUNT);
		return;
	}
	v = kb_json_first(array);
	for (int i = 0; i < KB_FAST_COUNT && f->ret >= 0;
	     i++, v = kb_json_next(v)) {
		f->ret = read_fast(&l->fast[i], v, i, max, f->where, f->err);
		max = l->fast[i];
	}
}

static int read_level(struct kb_report_level *l, const struct kb_json *v,
		      const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	l->level = (int)kb_fields_int(&f, "level", 1, KB_LEVEL_MAX);
	l->problems = kb_fields_int(&f, "problems", 1, KB_JSON_INT_MAX);
	l->results = kb_fields_int(&f, "results", 0, l->problems);
	l->compiled = kb_fields_int(&f, "compiled", 0, l->results);
	l->correct = kb_fields_int(&f, "correct", 0, l->results);
	l->with_baseline = kb_fields_int(&f, "with_baseline", 0, l->problems);
	read_fasts(l, &f);
	l->geomean_speedup_nano = kb_fields_int_or_null(
		&f, "geomean_speedup_nano", 0, KB_JSON_INT_MAX);
	return kb_fields_end(&f);
}

static void read_levels(struct kb_report *r, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "levels");

	if (!array)
		return;
	if (!kb_json_count(array))
		kb_fields_fail(f, "'levels' is empty");
	r->levels = kb_xcalloc(kb_json_count(array), sizeof(*r->levels));
	for (const struct kb_json *v = kb_json_first(array); v && f->ret >= 0;
	     v = kb_json_next(v)) {
		struct kb_report_level *l = &r->levels[r->level_count++];

		f->ret = read_level(l, v, f->where, f->err);
		if (r->level_count > 1 && l->level <= l[-1].level)
			kb_fields_fail(f, "'levels' is not sorted, or has one twice");
	}
}

/* A report on KernelBench's file states what the file leaves out. Rows of v3
 * leave nothing out. */
static void check_format(struct kb_fields *f, const struct kb_report *r)
{
	if (r->format == KB_REPORT_V3 &&
	    (r->level || r->has_baseline || r->dataset))
		kb_fields_fail(f, "'level', 'baseline' and 'dataset' do not go with format '%s'",
			       formats[r->format]);
	if (r->format != KB_REPORT_V3 && r->run)
		kb_fields_fail(f, "'run' does not go with format '%s'",
			       formats[r->format]);
	if (r->format == KB_REPORT_KERNELBENCH &&
	    (r->level_count != 1 || r->levels[0].level != r->level))
		kb_fields_fail(f, "'levels' is not of 'level' alone");
}

int kb_report_from_json(struct kb_report *out, const struct kb_json *record,
			const char *where, struct kb_err *err)
{
	struct kb_fields f;
	int64_t level;
	int ret;

	*out = (struct kb_report)KB_REPORT_INIT;
	kb_record_begin(&f, record, KB_KIND_REPORT, NULL, where, err);
	out->tool = kb_tool_read(&f);
	if (!kb_fields_bool(&f, "self_reported"))
		kb_fields_fail(&f, "'self_reported' is not true");
	out->format = (enum kb_report_format)
		kb_fields_word(&f, "format", formats, KB_REPORT_FORMAT_COUNT);
	level = kb_fields_int_or_null(&f, "level", 1, KB_LEVEL_MAX);
	out->level = level == KB_UNKNOWN ? 0 : (int)level;
	read_file(&out->results, &f, "results");
	out->has_baseline = !kb_fields_null(&f, "baseline");
	if (out->has_baseline)
		read_file(&out->baseline, &f, "baseline");
	if (kb_fields_has(&f, "run"))
		out->run = kb_fields_string(&f, "run");
	read_dataset(out, &f);
	read_levels(out, &f);
	if (f.ret >= 0)
		check_format(&f, out);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_report_release(out);
	return ret;
}

static int check_members(const struct kb_report *r, const struct kb_bundle *b,
			 struct kb_err *err)
{
	int ret = kb_record_member(b, KB_REPORT_RESULTS, &r->results.digest,
				   r->results.size_bytes, err);

	if (ret == 0 && r->has_baseline)
		ret = kb_record_member(b, KB_REPORT_BASELINE,
				       &r->baseline.digest,
				       r->baseline.size_bytes, err);
	return ret < 0 ? ret
		       : kb_record_members(b, r->has_baseline ? 3 : 2, err);
}

KB_DEFINE_LOAD(report, check_members)
