#include "manifest/score.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/lines.h"
#include "manifest/load.h"
#include "manifest/tool.h"
#include "store/bundle.h"

struct kb_json *kb_score_line_to_json(const struct kb_score_line *l)
{
	struct kb_json *line = kb_json_object();

	kb_put_key(line, l->key);
	kb_json_set_int(line, "sample_id", l->sample_id);
	kb_json_set_string(line, "status", kb_status_name(l->status));
	kb_json_set_string(line, "clock", kb_clock_name(l->clock));
	kb_json_set_string(line, "candidate_clock",
			   l->candidate_ns == KB_UNKNOWN ? NULL :
			   kb_clock_name(l->candidate_clock));
	kb_put_int(line, "candidate_ns", l->candidate_ns);
	kb_put_int(line, "baseline_ns", l->baseline_ns);
	kb_put_int(line, "reference_ns", l->reference_ns);
	kb_put_int(line, "speedup_micro", l->speedup_micro);
	if (!l->has_intervals)
		return line;
	kb_put_int(line, "candidate_low_ns", l->candidate.low_ns);
	kb_put_int(line, "candidate_high_ns", l->candidate.high_ns);
	kb_put_int(line, "baseline_low_ns", l->baseline.low_ns);
	kb_put_int(line, "baseline_high_ns", l->baseline.high_ns);
	kb_put_int(line, "noise_micro", l->noise_micro);
	return line;
}

/* Both ends or none, around a time that is there: an interval that does not
 * contain its own time was not computed from the same samples. */
static void read_interval(struct kb_interval *i, struct kb_fields *f,
			  const char *low, const char *high, int64_t time_ns)
{
	const int64_t max = KB_JSON_INT_MAX;

	i->low_ns = kb_fields_int_or_null(f, low, -max, max);
	i->high_ns = kb_fields_int_or_null(f, high, -max, max);
	if (f->ret < 0 ||
	    (i->low_ns == KB_UNKNOWN && i->high_ns == KB_UNKNOWN))
		return;
	if (time_ns == KB_UNKNOWN || i->low_ns == KB_UNKNOWN ||
	    i->low_ns > time_ns || i->high_ns < time_ns)
		kb_fields_fail(f, "'%s' and '%s' have no time between them",
			       low, high);
}

static enum kb_clock read_clock(struct kb_fields *f, const char *key)
{
	static const char *const clocks[] = { "call", "device" };

	return (enum kb_clock)kb_fields_word(f, key, clocks, KB_CLOCK_COUNT);
}

static void read_clocks(struct kb_score_line *l, struct kb_fields *f)
{
	const bool has_clock = !kb_fields_null(f, "candidate_clock");

	l->clock = read_clock(f, "clock");
	if (has_clock)
		l->candidate_clock = read_clock(f, "candidate_clock");
	if (has_clock != (l->candidate_ns != KB_UNKNOWN))
		kb_fields_fail(f, "'candidate_clock' does not go with 'candidate_ns'");
	if (has_clock && l->clock == KB_CLOCK_CALL &&
	    l->candidate_clock != KB_CLOCK_CALL)
		kb_fields_fail(f, "'candidate_clock' does not go with 'clock'");
}

static void check_line(struct kb_fields *f, const struct kb_score_line *l)
{
	if (f->ret < 0)
		return;
	if (!kb_status_of_candidate(l->status))
		kb_fields_fail(f, "no candidate ends as '%s'",
			       kb_status_name(l->status));
	if (l->candidate_ns != KB_UNKNOWN && l->status != KB_STATUS_CORRECT)
		kb_fields_fail(f, "'candidate_ns' is there though the status is '%s'",
			       kb_status_name(l->status));
	if (l->speedup_micro != KB_UNKNOWN &&
	    (l->candidate_ns == KB_UNKNOWN || l->baseline_ns == KB_UNKNOWN))
		kb_fields_fail(f, "'speedup_micro' is there without both times");
}

int kb_score_line_from_json(struct kb_score_line *l,
			    const struct kb_json *line, const char *where,
			    struct kb_err *err)
{
	const int64_t max = KB_JSON_INT_MAX;
	struct kb_fields f;

	*l = (struct kb_score_line)KB_SCORE_LINE_INIT;
	kb_fields_begin(&f, line, where, err);
	l->key = kb_fields_key(&f);
	l->sample_id = (int)kb_fields_int(&f, "sample_id", 0,
					  KB_SAMPLE_ID_MAX);
	l->status = kb_fields_status(&f, "status");
	l->candidate_ns = kb_fields_int_or_null(&f, "candidate_ns", 1, max);
	read_clocks(l, &f);
	l->baseline_ns = kb_fields_int_or_null(&f, "baseline_ns", 1, max);
	l->reference_ns = kb_fields_int_or_null(&f, "reference_ns", 1, max);
	l->speedup_micro = kb_fields_int_or_null(&f, "speedup_micro", 0, max);
	/* Upstream's presets have none of the five members. */
	l->has_intervals = kb_fields_has(&f, "noise_micro");
	if (l->has_intervals) {
		read_interval(&l->candidate, &f, "candidate_low_ns",
			      "candidate_high_ns", l->candidate_ns);
		read_interval(&l->baseline, &f, "baseline_low_ns",
			      "baseline_high_ns", l->baseline_ns);
		l->noise_micro = kb_fields_int_or_null(&f, "noise_micro", 0,
						       max);
	}
	check_line(&f, l);
	return kb_fields_end(&f);
}

void kb_score_release(struct kb_score *s)
{
	kb_json_free(s->tool);
	kb_json_free(s->options);
	kb_json_free(s->match_key);
	kb_json_free(s->definition);
	free(s->model);
	kb_spent_release(&s->spent);
	kb_mismatches_release(&s->allowed);
	for (size_t i = 0; i < s->level_count; i++)
		kb_metrics_release(&s->levels[i].metrics);
	kb_metrics_release(&s->overall);
	kb_metrics_release(&s->sound.metrics);
	kb_stated_release(&s->stated);
	free(s->levels);
	free(s->lines);
	*s = (struct kb_score)KB_SCORE_INIT;
}

void kb_score_name_model(struct kb_score *s, const char *model)
{
	free(s->model);
	s->has_model = true;
	s->model = kb_xstrdup(model);
}

void kb_score_name_spent(struct kb_score *s, const struct kb_spent *spent)
{
	kb_spent_release(&s->spent);
	s->has_spent = true;
	kb_spent_copy(&s->spent, spent);
}

const char *kb_score_model_text(const struct kb_score *s)
{
	if (!s->has_model)
		return "not recorded";
	return s->model ? s->model : "not stated";
}

static struct kb_json *levels_to_json(const struct kb_score *s)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < s->level_count; i++) {
		struct kb_json *v = kb_json_object();

		kb_json_set_int(v, "level", s->levels[i].level);
		kb_metrics_to_json(v, &s->levels[i].metrics);
		kb_json_append(array, v);
	}
	return array;
}

/* A list, though there is one warning today: a second one then changes no
 * reader. */
static struct kb_json *warnings_to_json(const struct kb_score *s)
{
	struct kb_json *array = kb_json_array(), *v;

	if (!s->has_drifted)
		return array;
	v = kb_json_object();
	kb_json_set_string(v, "warning", "drift");
	kb_json_set_int(v, "limit_ppm", s->drift.limit_ppm);
	kb_json_set_int(v, "median_micro", s->drift.median_micro);
	kb_json_set_int(v, "problems", s->drift.problems);
	kb_json_append(array, v);
	return array;
}

static const char *const verdicts_names[KB_VERDICTS_COUNT] = {
	[KB_VERDICTS_KNOWN] = "known",
	[KB_VERDICTS_SUITE_ABSENT] = "suite_absent",
	[KB_VERDICTS_NOT_AUDITED] = "not_audited",
};

static const char *verdicts_name(enum kb_verdicts verdicts)
{
	return verdicts_names[verdicts];
}

/* Metrics over sound problems alone are there only if somebody audited the
 * suite. Otherwise null stands beside the reason, since a score of zero
 * problems would read as a bad score. */
static struct kb_json *sound_to_json(const struct kb_sound_metrics *m)
{
	struct kb_json *v = kb_json_object(), *metrics = kb_json_null();

	if (m->verdicts == KB_VERDICTS_KNOWN) {
		kb_json_free(metrics);
		metrics = kb_json_object();
		kb_metrics_to_json(metrics, &m->metrics);
	}
	kb_json_set_string(v, "verdicts", verdicts_name(m->verdicts));
	kb_put_digest(v, "suite", &m->suite);
	kb_json_set_int(v, "unsound", m->unsound);
	kb_json_set_int(v, "unknown", m->unknown);
	kb_json_set(v, "metrics", metrics);
	return v;
}

struct kb_json *kb_score_to_json(const struct kb_score *s)
{
	const struct kb_digest parents[] = { s->evaluation, s->baseline };
	struct kb_json *record = kb_record_new(KB_KIND_SCORE, parents);
	struct kb_json *overall = kb_json_object();

	kb_metrics_to_json(overall, &s->overall);
	kb_json_set(record, "tool", kb_json_copy(s->tool));
	kb_json_set(record, "options", kb_json_copy(s->options));
	kb_json_set(record, "match_key", kb_json_copy(s->match_key));
	kb_json_set(record, "allowed_mismatches",
		    kb_mismatches_to_json(&s->allowed));
	kb_json_set(record, "definition", kb_json_copy(s->definition));
	if (s->has_model)
		kb_json_set_string(record, "model", s->model);
	if (s->has_spent)
		kb_json_set(record, "spent", kb_spent_to_json(&s->spent));
	kb_json_set(record, "levels", levels_to_json(s));
	kb_json_set(record, "overall", overall);
	kb_json_set(record, "stated", kb_stated_to_json(&s->stated));
	if (s->has_sound)
		kb_json_set(record, "sound", sound_to_json(&s->sound));
	if (s->has_warnings)
		kb_json_set(record, "warnings", warnings_to_json(s));
	return record;
}

static int level_from_json(struct kb_level_metrics *l,
			   const struct kb_json *v, const char *where,
			   struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	l->level = (int)kb_fields_int(&f, "level", 1, KB_LEVEL_MAX);
	kb_metrics_read(&l->metrics, &f);
	return kb_fields_end(&f);
}

static void read_levels(struct kb_score *s, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "levels");

	if (!array)
		return;
	s->levels = kb_xcalloc(kb_json_count(array), sizeof(*s->levels));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		struct kb_level_metrics *l = &s->levels[s->level_count++];

		f->ret = level_from_json(l, v, f->where, f->err);
		if (s->level_count > 1 && !f->ret && l[-1].level >= l->level)
			kb_fields_fail(f, "'levels' is not sorted, or has one twice");
	}
}

static void read_metrics(struct kb_metrics *m, struct kb_fields *f,
			 const char *key)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, key))
		return;
	kb_metrics_read(m, &inner);
	f->ret = kb_fields_end(&inner);
}

/* All problems are sound, unsound or unknown. */
static void check_sound(struct kb_fields *f, const struct kb_sound_metrics *m,
			const struct kb_metrics *overall)
{
	const bool known = m->verdicts == KB_VERDICTS_KNOWN;
	const int64_t sound = known ? m->metrics.problems : 0;

	if (f->ret < 0)
		return;
	if (sound + m->unsound + m->unknown != overall->problems)
		kb_fields_fail(f, "'sound' has other problems than 'overall'");
	else if (known != (m->unknown < overall->problems))
		kb_fields_fail(f, "'verdicts' does not go with 'unknown'");
}

static void read_sound(struct kb_score *s, struct kb_fields *f)
{
	struct kb_sound_metrics *m = &s->sound;
	const struct kb_json *v;
	struct kb_fields inner;

	s->has_sound = kb_fields_has(f, "sound");
	v = s->has_sound ? kb_fields_object(f, "sound") : NULL;
	if (!v)
		return;
	kb_fields_begin(&inner, v, f->where, f->err);
	m->verdicts = (enum kb_verdicts)kb_fields_word(
		&inner, "verdicts", verdicts_names, KB_VERDICTS_COUNT);
	m->suite = kb_fields_digest(&inner, "suite");
	m->unsound = kb_fields_int(&inner, "unsound", 0, KB_JSON_INT_MAX / 4);
	m->unknown = kb_fields_int(&inner, "unknown", 0, KB_JSON_INT_MAX / 4);
	if (m->verdicts == KB_VERDICTS_KNOWN)
		read_metrics(&m->metrics, &inner, "metrics");
	else if (!kb_fields_null(&inner, "metrics"))
		kb_fields_fail(&inner, "'metrics' does not go with 'verdicts'");
	f->ret = kb_fields_end(&inner);
	check_sound(f, m, &s->overall);
	if ((m->verdicts == KB_VERDICTS_SUITE_ABSENT) !=
	    (s->stated.suite_problems == KB_UNKNOWN))
		kb_fields_fail(f, "'sound' and 'stated' do not agree whether the suite was there");
}

static int drift_from_json(struct kb_drift_warning *d,
			   const struct kb_json *v, const char *where,
			   struct kb_err *err)
{
	static const char *const words[] = { "drift" };
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	kb_fields_word(&f, "warning", words, 1);
	d->limit_ppm = kb_fields_int(&f, "limit_ppm", 1, KB_JSON_INT_MAX);
	d->median_micro = kb_fields_int(&f, "median_micro", 0,
					KB_JSON_INT_MAX);
	d->problems = kb_fields_int(&f, "problems", 1, KB_JSON_INT_MAX);
	return kb_fields_end(&f);
}

static void read_warnings(struct kb_score *s, struct kb_fields *f)
{
	const struct kb_json *array;

	s->has_warnings = kb_fields_has(f, "warnings");
	array = s->has_warnings ? kb_fields_array(f, "warnings") : NULL;
	if (!array)
		return;
	if (kb_json_count(array) > 1)
		kb_fields_fail(f, "'warnings' has a warning twice");
	s->has_drifted = kb_json_count(array) == 1;
	if (s->has_drifted && !f->ret)
		f->ret = drift_from_json(&s->drift, kb_json_first(array),
					 f->where, f->err);
}

int kb_score_from_json(struct kb_score *s, const struct kb_json *record,
		       const char *where, struct kb_err *err)
{
	struct kb_digest parents[KB_PARENTS_MAX];
	struct kb_fields f;
	int ret;

	*s = (struct kb_score)KB_SCORE_INIT;
	kb_record_begin(&f, record, KB_KIND_SCORE, parents, where, err);
	s->tool = kb_tool_read(&f);
	s->options = kb_fields_strings(&f, "options");
	s->match_key = kb_fields_strings(&f, "match_key");
	kb_mismatches_read(&s->allowed, &f, "allowed_mismatches");
	s->definition = kb_fields_scalars(&f, "definition");
	s->has_model = kb_fields_has(&f, "model");
	if (s->has_model)
		s->model = kb_fields_string_or_null(&f, "model");
	s->has_spent = kb_fields_has(&f, "spent");
	if (s->has_spent)
		kb_spent_read(&s->spent, &f, "spent");
	read_levels(s, &f);
	read_metrics(&s->overall, &f, "overall");
	kb_stated_read(&s->stated, &f, "stated");
	read_sound(s, &f);
	read_warnings(s, &f);
	ret = kb_fields_end(&f);
	if (ret < 0) {
		kb_score_release(s);
		return ret;
	}
	s->evaluation = parents[0];
	s->baseline = parents[1];
	return 0;
}

static int compare_lines(const void *pa, const void *pb)
{
	const struct kb_score_line *a = pa, *b = pb;

	return kb_sample_compare(a->key, a->sample_id, b->key, b->sample_id);
}

struct lines {
	struct kb_score *s;
	size_t capacity;
};

/* The number of lines is not in the record, so that there may be any; their
 * order shows one that is there twice. */
static int take_line(void *into, const struct kb_json *line,
		     const char *where, struct kb_err *err)
{
	struct lines *lines = into;
	struct kb_score *s = lines->s;
	struct kb_score_line l;
	int ret;

	ret = kb_score_line_from_json(&l, line, where, err);
	if (ret < 0)
		return ret;
	if (s->line_count > 0 &&
	    compare_lines(&s->lines[s->line_count - 1], &l) >= 0)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: out of order, or there twice", where);
	s->lines = kb_grow(s->lines, s->line_count, &lines->capacity,
			   sizeof(*s->lines));
	s->lines[s->line_count++] = l;
	return 0;
}

static int load_lines(struct kb_score *s, const struct kb_bundle *b,
		      struct kb_err *err)
{
	struct lines lines = { .s = s };
	int ret = kb_lines_load(b, KB_SCORES_MEMBER, take_line, &lines, err);

	return ret < 0 ? ret : kb_record_members(b, 2, err);
}

KB_DEFINE_LOAD(score, load_lines)

int kb_score_write(struct kb_bundle_writer *w, struct kb_score *s,
		   struct kb_err *err)
{
	kb_auto(buf) struct kb_buf lines = KB_BUF_INIT;
	int ret;

	if (s->line_count)
		qsort(s->lines, s->line_count, sizeof(*s->lines),
		      compare_lines);
	for (size_t i = 0; i < s->line_count; i++)
		kb_lines_add(&lines, kb_score_line_to_json(&s->lines[i]));

	ret = kb_bundle_writer_add(w, KB_SCORES_MEMBER, lines.data, lines.len,
				   err);
	if (ret < 0)
		return ret;
	return kb_record_write(w, kb_score_to_json(s), err);
}
