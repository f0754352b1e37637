#include "verify/derived.h"

#include "base/err.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/device_timing.h"
#include "manifest/evaluation.h"
#include "measure/time_rule.h"
#include "verify/timed.h"

#define add(c, what, answer, ...)					\
	kb_checks_add(c, KB_LAYER_ARITHMETIC, what, answer, __VA_ARGS__)

/* --- times ------------------------------------------------------------ */

static bool device_follows(const struct kb_timed *t)
{
	const struct kb_timing *timing = kb_device_time(t->device);

	return !timing ||
	       kb_time_follows(timing, kb_device_time(t->paired_device));
}

static void refuse_time(struct kb_checks *c, const struct kb_timed *t,
			const char *why)
{
	char name[KB_TIMED_NAME_SIZE];

	kb_timed_name(name, t);
	add(c, "times", KB_ANSWER_NO, "%s: %s", name, why);
}

static void check_follows(struct kb_checks *c, const struct kb_timed *t)
{
	if (t->call && !kb_time_follows(t->call, t->paired_call))
		refuse_time(c, t, "the time does not follow from its samples");
	if (!device_follows(t))
		refuse_time(c, t, "the device time does not follow from its "
			    "samples");
}

/* The device's time bounds a time by the call clock. */
static void check_device_ns(struct kb_checks *c, const struct kb_timed *t)
{
	if (!kb_device_ns_is_told(t->call, t->device))
		refuse_time(c, t, "'device_ns' is not the time by the "
			    "device's clock");
}

/* Only candidates of several ranks have a slack of their own, by the device's
 * clock; the first had none. */
static void check_slack(struct kb_derived_lines *l, const struct kb_timed *t)
{
	const struct kb_timing *device = kb_device_time(t->device);
	const int64_t ns = device ? device->one_call_slack_ns : 0;
	const bool may_have = !t->is_reference && l->rules.gpu &&
			      kb_json_find(l->rules.gpu, "links");

	if ((t->call && t->call->one_call_slack_ns) ||
	    (ns && !(may_have && ns == KB_ONE_CALL_RANKS_SLACK_NS)))
		refuse_time(&l->of_times, t, "'one_call_slack_ns' does not go "
			    "with such a timing");
}

/* --- runs ------------------------------------------------------------- */

static void check_runs(struct kb_derived_lines *l, const struct kb_timed *t)
{
	struct kb_err why = KB_ERR_INIT;
	char name[KB_TIMED_NAME_SIZE];

	if (kb_runs_check(&l->run_rules, t, &why) == 0)
		return;
	kb_timed_name(name, t);
	add(&l->of_runs, "runs", KB_ANSWER_NO, "%s: %s", name, why.msg);
}

static void end_runs(struct kb_derived_lines *l, struct kb_checks *c)
{
	kb_checks_move(c, &l->of_runs);
	if (!kb_checks_count(c, "runs", KB_ANSWER_NO))
		add(c, "runs", KB_ANSWER_OK,
		    "batches and when they stopped are by the rule: %zu",
		    l->times);
}

static void take_timed(void *into, const struct kb_timed *t)
{
	struct kb_derived_lines *l = into;

	check_follows(&l->of_times, t);
	check_device_ns(&l->of_times, t);
	check_slack(l, t);
	check_runs(l, t);
	l->times += (t->call != NULL) + (t->device != NULL);
}

static void end_times(struct kb_derived_lines *l, struct kb_checks *c)
{
	kb_checks_move(c, &l->of_times);
	if (!kb_checks_count(c, "times", KB_ANSWER_NO))
		add(c, "times", KB_ANSWER_OK,
		    "all that there are follow from their samples: %zu",
		    l->times);
}

/* --- outcomes --------------------------------------------------------- */

static void refuse_outcome(struct kb_checks *c, int ret,
			   const struct kb_err *why)
{
	if (ret < 0)
		add(c, "outcomes", KB_ANSWER_NO, "%s", why->msg);
}

static void refuse_missing(struct kb_checks *c, struct kb_key problem,
			   int sample_id)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, problem);
	add(c, "outcomes", KB_ANSWER_NO,
	    "sample %d of problem '%s': it is called missing, and there are "
	    "other lines of that problem", sample_id, key);
}

/* A problem either has candidates or has none. */
static void check_missing(struct kb_derived_lines *l,
			  const struct kb_result *r)
{
	const bool is_missing = r->outcome.status == KB_STATUS_MISSING;
	const bool is_first = !l->lines || kb_key_compare(l->problem, r->key);

	if (is_first) {
		l->problem = r->key;
		l->missing = is_missing ? r->sample_id : KB_NONE_MISSING;
		return;
	}
	if (l->missing != KB_NONE_MISSING)
		refuse_missing(&l->of_outcomes, l->problem, l->missing);
	l->missing = KB_NONE_MISSING;
	if (is_missing)
		refuse_missing(&l->of_outcomes, r->key, r->sample_id);
}

static void end_outcomes(struct kb_derived_lines *l, struct kb_checks *c)
{
	kb_checks_move(c, &l->of_outcomes);
	if (!kb_checks_count(c, "outcomes", KB_ANSWER_NO))
		add(c, "outcomes", KB_ANSWER_OK,
		    "each goes with what was compared and timed: %zu",
		    l->lines);
}

/* --- one line after the other ----------------------------------------- */

void kb_derived_lines_begin(struct kb_derived_lines *l,
			    const struct kb_conditions *conditions,
			    const struct kb_suite *suite)
{
	*l = (struct kb_derived_lines){ .lines = 0 };
	kb_line_rules_init(&l->rules, conditions, suite);
	kb_run_rules_init(&l->run_rules, conditions->policy, l->rules.is_cuda);
}

void kb_derived_lines_want_first_no(struct kb_derived_lines *l)
{
	l->of_times.first_no = true;
	l->of_runs.first_no = true;
	l->of_outcomes.first_no = true;
}

void kb_derived_lines_take(struct kb_derived_lines *l,
			   const struct kb_result *r)
{
	struct kb_err why = KB_ERR_INIT;

	kb_timed_result(r, take_timed, l);
	refuse_outcome(&l->of_outcomes,
		       kb_line_rules_check(&l->rules, r, &why), &why);
	check_missing(l, r);
	l->lines++;
}

void kb_derived_lines_end(struct kb_derived_lines *l, struct kb_checks *c)
{
	end_times(l, c);
	end_runs(l, c);
	end_outcomes(l, c);
	kb_derived_lines_release(l);
}

void kb_derived_lines_release(struct kb_derived_lines *l)
{
	kb_checks_release(&l->of_times);
	kb_checks_release(&l->of_runs);
	kb_checks_release(&l->of_outcomes);
}

void kb_derived_check_baseline(struct kb_checks *c,
			       const struct kb_baseline *b,
			       const struct kb_suite *suite)
{
	struct kb_derived_lines l;

	kb_derived_lines_begin(&l, &b->conditions, suite);
	kb_timed_each(b, take_timed, &l);
	for (; l.lines < b->result_count; l.lines++) {
		struct kb_err why = KB_ERR_INIT;

		refuse_outcome(&l.of_outcomes,
			       kb_line_rules_check_reference(
				       &l.rules, &b->results[l.lines], &why),
			       &why);
	}
	kb_derived_lines_end(&l, c);
}
