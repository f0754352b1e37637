#include "score/judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "measure/call_time.h"
#include "measure/device_time.h"
#include "score/metrics.h"
#include "score/speedup.h"

/* Scores by the call clock are what they were when it was the only one. */
static void add_clock(struct kb_json *object, enum kb_clock clock)
{
	if (clock != KB_CLOCK_CALL)
		kb_json_set_string(object, "clock", kb_clock_name(clock));
}

/*
 * Every choice that another scorer could have made differently, so that a
 * score says by which definition it was computed.
 */
static struct kb_json *definition_json(const struct kb_judge_input *in)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "baseline_mode",
			   kb_mode_name(in->baseline->mode));
	kb_json_set_string(v, "denominator", "selected problems");
	kb_json_set_string(v, "fast_comparison", "strictly greater");
	kb_json_set_bool(v, "fast_without_time", false);
	kb_json_set_string(v, "geomean_over", "correct with both times");
	kb_json_set_int(v, "sample_id", in->sample_id);
	kb_json_set_string(v, "speedup", "baseline_ns / candidate_ns");
	add_clock(v, in->clock);
	return v;
}

static struct kb_json *options_json(const struct kb_judge_input *in)
{
	struct kb_json *v = kb_json_object();
	char sample[16];

	snprintf(sample, sizeof(sample), "%d", in->sample_id);
	kb_json_set_string(v, "sample", sample);
	add_clock(v, in->clock);
	return v;
}

/* The times of somebody's calls by one clock or by the other. */
struct times {
	const struct kb_timing *call;			/* or NULL */
	const struct kb_device_timing *device;		/* or NULL */
};

static const struct times no_times;

/* The time that a record claims, or KB_UNKNOWN. `beside` is what the times
 * of a candidate were taken beside; `whose` is for messages. */
static int checked_time_ns(int64_t *out_ns, const struct times *t,
			   const struct times *beside, struct kb_key key,
			   const char *whose, struct kb_err *err)
{
	char name[KB_KEY_SIZE];
	bool follows = true;

	*out_ns = KB_UNKNOWN;
	if (t->call) {
		*out_ns = t->call->call_time_ns;
		follows = kb_call_time_follows(t->call, beside->call);
	} else if (t->device) {
		*out_ns = t->device->time_ns;
		follows = kb_device_time_follows(t->device, beside->device);
	}
	if (follows)
		return 0;

	kb_key_format(name, key);
	return kb_err(err, KB_ERR_INPUT,
		      "%s time of problem '%s' does not follow from its samples",
		      whose, name);
}

static const struct kb_result *find_sample(const struct kb_evaluation *e,
					   struct kb_key key, int sample_id)
{
	size_t count;
	const struct kb_result *r = kb_evaluation_find(e, key, &count);

	for (size_t i = 0; r && i < count; i++)
		if (r[i].sample_id == sample_id)
			return &r[i];
	return NULL;
}

static struct times times_by(enum kb_clock clock, const struct kb_timing *call,
			     const struct kb_device_timing *device)
{
	return clock == KB_CLOCK_DEVICE ? (struct times){ .device = device }
					: (struct times){ .call = call };
}

static int judge_result(struct kb_verdict *v, enum kb_clock clock,
			const struct kb_result *r, struct kb_err *err)
{
	const struct times candidate =
		times_by(clock, r->timing, r->device_timing);
	const struct times reference =
		times_by(clock, r->reference_timing,
			 r->reference_device_timing);
	struct kb_score_line *l = &v->line;
	int ret;

	l->status = r->outcome.status;
	v->compiled = kb_status_compiled(l->status, r->outcome.phase);

	ret = checked_time_ns(&l->reference_ns, &reference, &no_times, l->key,
			      "reference", err);
	if (ret < 0 || l->status != KB_STATUS_CORRECT)
		return ret;
	return checked_time_ns(&l->candidate_ns, &candidate, &reference,
			       l->key, "candidate", err);
}

static int judge_reference(struct kb_verdict *v, enum kb_clock clock,
			   const struct kb_reference_result *r,
			   struct kb_err *err)
{
	const struct times reference =
		times_by(clock, r->timing, r->device_timing);

	if (r->outcome.status != KB_STATUS_TIMED)
		return 0;
	return checked_time_ns(&v->line.baseline_ns, &reference, &no_times,
			       v->line.key, "baseline", err);
}

static int judge_problem(struct kb_verdict *v, const struct kb_judge_input *in,
			 struct kb_key key, struct kb_err *err)
{
	const struct kb_result *result =
		find_sample(in->evaluation, key, in->sample_id);
	const struct kb_reference_result *reference =
		kb_baseline_find(in->baseline, key);
	struct kb_score_line *l = &v->line;
	int ret;

	*v = (struct kb_verdict){ .line = KB_SCORE_LINE_INIT };
	l->key = key;
	l->sample_id = in->sample_id;

	ret = result ? judge_result(v, in->clock, result, err) : 0;
	if (ret < 0)
		return ret;
	ret = reference ? judge_reference(v, in->clock, reference, err) : 0;
	if (ret < 0)
		return ret;

	if (kb_speedup_known(l))
		l->speedup_micro = kb_ratio_micro(l->baseline_ns,
						  l->candidate_ns);
	return 0;
}

/* Verdicts are sorted by key, so each level is one run of them. */
static void sum_up(struct kb_score *s, const struct kb_verdict verdicts[],
		   size_t count)
{
	size_t capacity = 0, first = 0;

	kb_metrics_of(&s->overall, verdicts, count);

	for (size_t i = 1; i <= count; i++) {
		struct kb_level_metrics *m;

		if (i < count && verdicts[i].line.key.level ==
				 verdicts[first].line.key.level)
			continue;
		s->levels = kb_grow(s->levels, s->level_count, &capacity,
				    sizeof(*s->levels));
		m = &s->levels[s->level_count++];
		m->level = verdicts[first].line.key.level;
		kb_metrics_of(&m->metrics, verdicts + first, i - first);
		first = i;
	}
}

static int judge_all(struct kb_score *s, const struct kb_judge_input *in,
		     struct kb_err *err)
{
	const struct kb_evaluation *e = in->evaluation;
	kb_auto(mem) struct kb_verdict *verdicts =
		kb_xcalloc(e->problem_count, sizeof(*verdicts));

	s->lines = kb_xcalloc(e->problem_count, sizeof(*s->lines));
	for (size_t i = 0; i < e->problem_count; i++) {
		int ret = judge_problem(&verdicts[i], in, e->problems[i], err);

		if (ret < 0)
			return ret;
		s->lines[s->line_count++] = verdicts[i].line;
	}
	sum_up(s, verdicts, e->problem_count);
	return 0;
}

static bool is_allowed(const struct kb_judge_input *in, const char *field)
{
	for (size_t i = 0; i < in->allowed_count; i++)
		if (!strcmp(in->allowed_fields[i], field))
			return true;
	return false;
}

/* An allowance for a field that does not exist is a typing mistake, and
 * would silently allow nothing. */
static int check_allowed_fields(const struct kb_judge_input *in,
				struct kb_err *err)
{
	for (size_t i = 0; i < in->allowed_count; i++) {
		const char *field = in->allowed_fields[i];

		if (!kb_json_find(in->evaluation->conditions.match_key,
				  field) &&
		    !kb_json_find(in->baseline->conditions.match_key, field))
			return kb_err(err, KB_ERR_INPUT,
				      "no match key has a field '%s'", field);
	}
	return 0;
}

/* A baseline of a device that has no such clock: every candidate would come
 * out without a speedup, as if that were its fault. */
static int check_clock(const struct kb_judge_input *in, struct kb_err *err)
{
	const struct kb_baseline *b = in->baseline;

	if (in->clock != KB_CLOCK_DEVICE)
		return 0;
	for (size_t i = 0; i < b->result_count; i++)
		if (b->results[i].device_timing)
			return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "the baseline has no time by the clock '%s'",
		      kb_clock_name(in->clock));
}

/* Differences go where they belong: into the score, or back as refused. */
static int compare_match_keys(struct kb_score *s,
			      struct kb_mismatches *refused,
			      const struct kb_judge_input *in,
			      struct kb_err *err)
{
	kb_auto(mismatches) struct kb_mismatches all = KB_MISMATCHES_INIT;
	size_t count;

	kb_match_key_diff(&all, in->evaluation->conditions.match_key,
			  in->baseline->conditions.match_key);
	count = all.count;
	s->allowed.items = kb_xcalloc(count, sizeof(*s->allowed.items));
	refused->items = kb_xcalloc(count, sizeof(*refused->items));

	for (size_t i = 0; i < count; i++) {
		struct kb_mismatches *to =
			is_allowed(in, all.items[i].field) ? &s->allowed :
							     refused;

		to->items[to->count++] = all.items[i];
		all.items[i] = (struct kb_mismatch){ .field = NULL };
	}
	if (!refused->count)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "the baseline does not match the evaluation: "
		      "%zu of their conditions differ%s", refused->count,
		      refused->count == 1 ? "s" : "");
}

int kb_judge(struct kb_score *out, struct kb_mismatches *refused,
	     const struct kb_judge_input *in, struct kb_err *err)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	int ret;

	*refused = (struct kb_mismatches)KB_MISMATCHES_INIT;

	if (!kb_digest_equal(&in->evaluation->suite, &in->baseline->suite))
		return kb_err(err, KB_ERR_INPUT,
			      "the baseline is of another suite than the "
			      "evaluation");
	ret = check_clock(in, err);
	if (ret < 0)
		return ret;
	ret = check_allowed_fields(in, err);
	if (ret < 0)
		return ret;
	ret = compare_match_keys(&s, refused, in, err);
	if (ret < 0)
		return ret;
	ret = judge_all(&s, in, err);
	if (ret < 0)
		return ret;

	s.evaluation = in->evaluation_id;
	s.baseline = in->baseline_id;
	s.tool = kb_json_copy(in->tool);
	s.options = options_json(in);
	s.match_key = kb_json_copy(in->evaluation->conditions.match_key);
	s.definition = definition_json(in);

	*out = s;
	s = (struct kb_score)KB_SCORE_INIT;
	return 0;
}

static int read_clock(enum kb_clock *out, const struct kb_score *claimed,
		      struct kb_err *err)
{
	const char *name;
	int ret;

	*out = KB_CLOCK_CALL;
	if (!kb_json_find(claimed->definition, "clock"))
		return 0;
	ret = kb_json_read_string(&name, claimed->definition, "clock",
				  "definition", err);
	if (ret < 0)
		return ret;
	ret = kb_clock_parse(out, name, err);
	return ret < 0 ? kb_err_wrap(err, "definition") : 0;
}

int kb_judge_again(struct kb_score *out, const struct kb_score *claimed,
		   const struct kb_judge_input *in, struct kb_err *err)
{
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(mem) const char **fields =
		kb_xcalloc(claimed->allowed.count, sizeof(*fields));
	struct kb_judge_input again = *in;
	int64_t sample_id;
	int ret;

	ret = kb_json_read_int(&sample_id, claimed->definition, "sample_id",
			       0, KB_SAMPLE_ID_MAX, "definition", err);
	if (ret < 0)
		return ret;

	ret = read_clock(&again.clock, claimed, err);
	if (ret < 0)
		return ret;

	for (size_t i = 0; i < claimed->allowed.count; i++)
		fields[i] = claimed->allowed.items[i].field;
	again.tool = claimed->tool;
	again.sample_id = (int)sample_id;
	again.allowed_fields = fields;
	again.allowed_count = claimed->allowed.count;
	return kb_judge(out, &refused, &again, err);
}
