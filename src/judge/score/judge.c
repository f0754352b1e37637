#include "score/judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/division.h"
#include "json/json.h"
#include "manifest/device_timing.h"
#include "manifest/select.h"
#include "score/metrics.h"
#include "score/speedup.h"
#include "score/stated.h"
#include "score/sums.h"
#include "score/times.h"
#include "score/verdict.h"

static struct kb_json *options_json(const struct kb_choice *c)
{
	const char *name = kb_preset_rules(c->preset)->name;
	struct kb_json *v = kb_json_object();
	char sample[16];

	snprintf(sample, sizeof(sample), "%d", c->sample_id);
	kb_json_set_string(v, "sample", sample);
	if (name)
		kb_json_set_string(v, "preset", name);
	kb_json_set_string(v, "clock", kb_clock_name(c->clock));
	if (c->is_of_sound)
		kb_json_set_string(v, "problems", KB_SELECT_SOUND);
	if (c->backend)
		kb_json_set_string(v, "backend", c->backend);
	return v;
}

static void try_sample(struct kb_tries *t, const struct kb_verdict *v)
{
	const struct kb_score_line *l = &v->line;

	t->samples += l->status != KB_STATUS_MISSING;
	t->correct += l->status == KB_STATUS_CORRECT;
	for (int i = 0; i < KB_FAST_COUNT; i++)
		t->fast[i] += kb_speedup_known(l) &&
			      kb_speedup_exceeds(l->baseline_ns,
						 l->candidate_ns,
						 kb_fast_p_milli[i]);
}

struct kb_judging {
	struct kb_judge_input in;
	struct kb_score score;		/* in the making */
	struct kb_counted counted;
	struct kb_key *problems;	/* that are judged, sorted */
	struct kb_verdict *verdicts;	/* of each */
	size_t problem_count;
	size_t begun;			/* of these; the last is in hand */
	struct kb_verdict unjudged;	/* it, with its baseline alone */
	struct kb_key tried;		/* the problem of the last result */
	int64_t attempts, attempts_most;	/* at it; at any */
	int ret;			/* of the first that is wrong */
	struct kb_err err;
};

void kb_judging_free(struct kb_judging *j)
{
	if (!j)
		return;
	kb_score_release(&j->score);
	free(j->counted.keys);
	free(j->problems);
	free(j->verdicts);
	free(j);
}

/* Every problem that counts begins as missing, with its baseline, and a result
 * takes it over: a candidate that was left out of an evaluation lowers the
 * score as one that failed. */
static int begin_problem(struct kb_judging *j, struct kb_key key)
{
	const struct kb_choice *c = &j->in.choice;
	const struct kb_reference_result *reference =
		kb_baseline_find(j->in.baseline, key);
	struct kb_verdict *v = &j->unjudged;
	int ret;

	*v = (struct kb_verdict){ .line = KB_SCORE_LINE_INIT };
	v->line.key = key;
	v->line.sample_id = c->sample_id;
	v->line.clock = reference ?
		kb_problem_clock(c->clock, reference->timing,
				 reference->device_timing) : c->clock;
	v->line.has_intervals = kb_preset_rules(c->preset)->intervals;
	ret = reference ? kb_verdict_take_reference(v, c, reference, &j->err) : 0;
	j->verdicts[j->begun++] = *v;
	return ret;
}

/* Some that count may have no results. */
static int begin_problems_to(struct kb_judging *j, struct kb_key key)
{
	int ret = 0;

	while (ret == 0 && j->begun < j->problem_count &&
	       kb_key_compare(j->problems[j->begun], key) <= 0)
		ret = begin_problem(j, j->problems[j->begun]);
	return ret;
}

/* One of the problem in hand. The sample that was chosen is its verdict, and
 * where all count, they do. */
static int take_sample(struct kb_judging *j, const struct kb_result *r)
{
	const struct kb_choice *c = &j->in.choice;
	const bool is_chosen = r->sample_id == c->sample_id;
	struct kb_verdict *v = &j->verdicts[j->begun - 1];
	struct kb_verdict one = j->unjudged;
	int ret;

	if (!is_chosen && !kb_preset_rules(c->preset)->intervals)
		return 0;
	ret = kb_verdict_take_sample(&one, c, r, &j->err);
	if (ret < 0)
		return ret;
	one.tries = v->tries;
	try_sample(&one.tries, &one);
	if (is_chosen)
		*v = one;
	else
		v->tries = one.tries;
	return 0;
}

/* Skip candidates of other backends (--backend). */
static bool is_passed_over(const struct kb_judging *j,
			   const struct kb_result *r)
{
	const char *backend = j->in.choice.backend;

	return backend && (!r->backend || strcmp(r->backend, backend));
}

/* Evaluations from before there were backends have lines that do not say. */
static int check_backend(const struct kb_judging *j, const struct kb_result *r,
			 struct kb_err *err)
{
	char key[KB_KEY_SIZE];

	if (!j->in.choice.backend || r->backend ||
	    r->outcome.status == KB_STATUS_MISSING)
		return 0;
	kb_key_format(key, r->key);
	return kb_err(err, KB_ERR_INPUT,
		      "the evaluation does not say what sample %d of problem "
		      "'%s' is written in", r->sample_id, key);
}

static void count_attempt(struct kb_judging *j, struct kb_key key)
{
	j->attempts = kb_key_compare(j->tried, key) ? 1 : j->attempts + 1;
	j->tried = key;
	j->attempts_most = kb_max_i64(j->attempts_most, j->attempts);
}

/* Whoever asks kb-serve sees each verdict before he asks again. */
static bool is_served(const struct kb_evaluation *e)
{
	return kb_json_text_is(e->conditions.tool, "name", "kb-serve");
}

static int take_result(struct kb_judging *j, const struct kb_result *r)
{
	int ret = check_backend(j, r, &j->err);

	if (ret < 0)
		return ret;
	count_attempt(j, r->key);
	ret = begin_problems_to(j, r->key);
	if (ret == 0 && is_passed_over(j, r))
		return 0;
	if (ret < 0 || !j->begun ||
	    kb_key_compare(j->problems[j->begun - 1], r->key))
		return ret;		/* of a problem that does not count */
	return take_sample(j, r);
}

void kb_judging_take(struct kb_judging *j, const struct kb_result *r)
{
	if (j->ret == 0)
		j->ret = take_result(j, r);
}

static int sum_up(struct kb_judging *j, struct kb_err *err)
{
	const enum kb_preset preset = j->in.choice.preset;
	const size_t count = j->problem_count;
	struct kb_score *s = &j->score;

	s->lines = kb_xcalloc(count, sizeof(*s->lines));
	for (size_t i = 0; i < count; i++)
		s->lines[s->line_count++] = j->verdicts[i].line;
	s->has_sound = kb_choice_tells_sound(&j->in.choice);
	if (s->has_sound) {
		s->sound.suite = j->in.evaluation->suite;
		kb_sums_of_sound(&s->sound, preset, j->in.suite, j->verdicts,
				 count);
	}
	return kb_sums_of(s, preset, j->verdicts, count, err);
}

static void warn_of_drift(struct kb_score *s)
{
	const struct kb_spread *drift = &s->stated.drift;

	s->has_warnings = true;
	s->has_drifted = drift->problems &&
		(drift->median_micro > 1000000 + KB_DRIFT_LIMIT_PPM ||
		 drift->median_micro < 1000000 - KB_DRIFT_LIMIT_PPM);
	if (s->has_drifted)
		s->drift = (struct kb_drift_warning){
			.limit_ppm = KB_DRIFT_LIMIT_PPM,
			.median_micro = drift->median_micro,
			.problems = (int64_t)drift->problems,
		};
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
	const struct kb_division d =
		kb_division_of(in->evaluation, in->baseline, in->suite);

	for (size_t i = 0; i < in->allowed_count; i++)
		if (!kb_division_knows(&d, in->allowed_fields[i]))
			return kb_err(err, KB_ERR_INPUT,
				      "no match key has a field '%s': "
				      "kb-manifest(5) lists them",
				      in->allowed_fields[i]);
	return 0;
}

/* Refuse a baseline without times by this clock. Otherwise every candidate
 * would silently lose its speedup. */
static int check_clock(const struct kb_judge_input *in, struct kb_err *err)
{
	if (in->choice.clock != KB_CLOCK_DEVICE ||
	    kb_usual_clock(in->baseline) == KB_CLOCK_DEVICE)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "the baseline has no time by the clock '%s'",
		      kb_clock_name(in->choice.clock));
}

/* Upstream's analysis knows sample 0 alone, and a score by its definition must
 * be its number. */
static int check_sample(const struct kb_judge_input *in, struct kb_err *err)
{
	const struct kb_rules *rules = kb_preset_rules(in->choice.preset);

	if (!rules->upstream || !in->choice.sample_id)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "the preset '%s' judges sample 0 alone, not %d",
		      rules->name, in->choice.sample_id);
}

/* Its levels have as many problems as they have. */
static int check_selection(const struct kb_judge_input *in,
			   struct kb_err *err)
{
	if (!in->choice.is_of_sound ||
	    in->choice.preset != KB_PRESET_LEADERBOARD)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "the preset 'leaderboard' judges all problems, not the "
		      "sound ones alone");
}

/* Differences go where they belong: into the score, or back as refused. */
static int compare_conditions(struct kb_score *s,
			      struct kb_mismatches *refused,
			      const struct kb_judge_input *in,
			      struct kb_err *err)
{
	const struct kb_division d =
		kb_division_of(in->evaluation, in->baseline, in->suite);
	kb_auto(mismatches) struct kb_mismatches all = KB_MISMATCHES_INIT;
	size_t count;

	kb_division_diff(&all, &d);
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

/* Whether the two can be compared at all. */
static int check_input(struct kb_score *s, struct kb_mismatches *refused,
		       const struct kb_judge_input *in, struct kb_err *err)
{
	int ret;

	if (!kb_digest_equal(&in->evaluation->suite, &in->baseline->suite))
		return kb_err(err, KB_ERR_INPUT,
			      "the baseline is of another suite than the "
			      "evaluation");
	ret = check_sample(in, err);
	if (ret < 0)
		return ret;
	ret = check_selection(in, err);
	if (ret < 0)
		return ret;
	ret = check_clock(in, err);
	if (ret < 0)
		return ret;
	ret = check_allowed_fields(in, err);
	return ret < 0 ? ret : compare_conditions(s, refused, in, err);
}

static int choose_problems(struct kb_judging *j, struct kb_err *err)
{
	const struct kb_judge_input *in = &j->in;
	struct kb_counted *all = &j->counted;

	all->keys = kb_problems_of(&all->count, in->choice.preset,
				   in->evaluation, in->baseline);
	j->problems = kb_xcalloc(all->count, sizeof(*j->problems));
	j->problem_count = all->count;
	for (size_t i = 0; i < all->count; i++)
		j->problems[i] = all->keys[i];
	return in->choice.is_of_sound ?
		       kb_problems_keep_sound(j->problems, &j->problem_count,
					      in->suite, err) : 0;
}

int kb_judging_begin(struct kb_judging **out, struct kb_mismatches *refused,
		     const struct kb_judge_input *in, struct kb_err *err)
{
	kb_auto(judging) struct kb_judging *j = kb_xcalloc(1, sizeof(*j));
	int ret;

	*refused = (struct kb_mismatches)KB_MISMATCHES_INIT;
	j->in = *in;
	j->score = (struct kb_score)KB_SCORE_INIT;
	ret = check_input(&j->score, refused, in, err);
	if (ret < 0)
		return ret;
	ret = choose_problems(j, err);
	if (ret < 0)
		return ret;
	j->verdicts = kb_xcalloc(j->problem_count, sizeof(*j->verdicts));
	*out = kb_steal(j);
	return 0;
}

int kb_judging_end(struct kb_judging *j, struct kb_score *out,
		   struct kb_err *err)
{
	const struct kb_key last = { KB_LEVEL_MAX, KB_PROBLEM_ID_MAX };
	const struct kb_judge_input *in = &j->in;
	struct kb_score *s = &j->score;
	int ret;

	if (j->ret == 0)
		j->ret = begin_problems_to(j, last);
	if (j->ret < 0)
		return kb_err_take(err, &j->err);
	ret = sum_up(j, err);
	if (ret < 0)
		return ret;

	s->evaluation = in->evaluation_id;
	s->baseline = in->baseline_id;
	s->tool = kb_json_copy(in->tool);
	s->options = options_json(&in->choice);
	s->match_key = kb_json_copy(in->evaluation->conditions.match_key);
	s->definition = kb_preset_definition(&in->choice, in->baseline->mode,
					    in->evaluation->conditions.policy);
	kb_score_state(s, in->evaluation, &j->counted, in->suite);
	s->stated.attempts = is_served(in->evaluation) ? j->attempts_most : 0;
	if (in->choice.preset != KB_PRESET_FIRST)
		warn_of_drift(s);

	*out = *s;
	*s = (struct kb_score)KB_SCORE_INIT;
	return 0;
}

static int judge_results(struct kb_judging *j, struct kb_score *out,
			 struct kb_err *err)
{
	const struct kb_evaluation *e = j->in.evaluation;

	for (size_t i = 0; i < e->result_count; i++)
		kb_judging_take(j, &e->results[i]);
	return kb_judging_end(j, out, err);
}

int kb_judge(struct kb_score *out, struct kb_mismatches *refused,
	     const struct kb_judge_input *in, struct kb_err *err)
{
	kb_auto(judging) struct kb_judging *j = NULL;
	int ret = kb_judging_begin(&j, refused, in, err);

	return ret < 0 ? ret : judge_results(j, out, err);
}

int kb_judging_begin_again(struct kb_judging **out,
			   const struct kb_score *claimed,
			   const struct kb_judge_input *in, struct kb_err *err)
{
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(mem) const char **fields =
		kb_xcalloc(claimed->allowed.count, sizeof(*fields));
	struct kb_judge_input again = *in;
	int ret;

	ret = kb_preset_read(&again.choice, claimed->definition, err);
	if (ret < 0)
		return ret;

	/* The suite may have come into the store since. A score that was made
	 * without it is made again without it, or the two would differ in what
	 * they state. */
	if (claimed->stated.suite_problems == KB_UNKNOWN)
		again.suite = NULL;
	for (size_t i = 0; i < claimed->allowed.count; i++)
		fields[i] = claimed->allowed.items[i].field;
	again.tool = claimed->tool;
	again.allowed_fields = fields;
	again.allowed_count = claimed->allowed.count;
	return kb_judging_begin(out, &refused, &again, err);
}

int kb_judge_again(struct kb_score *out, const struct kb_score *claimed,
		   const struct kb_judge_input *in, struct kb_err *err)
{
	kb_auto(judging) struct kb_judging *j = NULL;
	int ret = kb_judging_begin_again(&j, claimed, in, err);

	return ret < 0 ? ret : judge_results(j, out, err);
}
