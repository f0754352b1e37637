#include "verify/plausible.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/suite.h"
#include "verify/checks.h"
#include "verify/clocks.h"
#include "verify/floor.h"
#include "verify/lineage.h"
#include "verify/peaks.h"
#include "verify/timed.h"
#include "verify/trials.h"

#define add(c, answer, ...)						\
	kb_checks_add(c, KB_LAYER_PLAUSIBILITY, "floor", answer, __VA_ARGS__)

/* One record, under its conditions. */
struct floors {
	struct kb_checks *checks;
	const struct kb_suite *suite;
	const struct kb_peak *peak;
	enum kb_precision precision;
	int64_t above, without;		/* times; those without a floor */
};

static void check_time(struct floors *f, const struct kb_timed *t,
		       const struct kb_floor *floor, int64_t time_ns,
		       const char *which)
{
	const bool is_below = time_ns < floor->floor_ns;
	char name[KB_TIMED_NAME_SIZE];

	if (time_ns == KB_UNKNOWN)
		return;
	if (time_ns >= floor->stated_ns) {
		f->above++;
		return;
	}
	kb_timed_name(name, t);
	add(f->checks,
	    is_below && floor->binds ? KB_ANSWER_NO : KB_ANSWER_NOTE,
	    "%s: %" PRId64 " ns by the %s clock, '%s' needs %" PRId64 " ns%s",
	    name, time_ns, which, f->peak->name,
	    is_below ? floor->floor_ns : floor->stated_ns,
	    !is_below ? " for the problem as it is stated" :
	    floor->binds ? "" : " unless the work can be left out");
}

static void check_timed(void *into, const struct kb_timed *t)
{
	struct floors *f = into;
	const struct kb_problem *p = kb_suite_find(f->suite, t->key);
	struct kb_floor floor;

	if (!p || !p->facts) {
		f->without++;
		return;
	}
	kb_floor_of(&floor, p->facts, f->precision, f->peak);
	if (t->call)
		check_time(f, t, &floor, t->call->time_ns, "call");
	if (t->device && t->device->timing)
		check_time(f, t, &floor, t->device->timing->time_ns,
			   "device");
}

static const char *text_of(const struct kb_json *object, const char *name)
{
	const struct kb_json *v = object ? kb_json_find(object, name) : NULL;

	return v && kb_json_type(v) == KB_JSON_STRING ?
		       kb_json_string_value(v) : "";
}

static void check_floors(struct kb_checks *c, const struct kb_suite *suite,
			 const struct kb_baseline *b,
			 const struct kb_evaluation *e)
{
	const struct kb_conditions *k = b ? &b->conditions : &e->conditions;
	const char *kind = kb_timed_kind(b);
	const char *device = text_of(kb_json_find(k->environment, "gpu"),
				     "name");
	struct floors f = {
		.checks = c, .suite = suite,
		.peak = kb_peak_find(device),
		.precision = kb_precision_find(text_of(k->policy, "precision")),
	};

	if (!f.peak) {
		add(c, KB_ANSWER_NOT_CHECKED,
		    "what the device of the %s, '%s', can do at most is not "
		    "known", kind, *device ? device :
		    text_of(kb_json_find(k->environment, "device"), "kind"));
		return;
	}
	if (!suite) {
		add(c, KB_ANSWER_NOT_CHECKED,
		    "the suite, which says how much work there is, is not "
		    "there");
		return;
	}
	if (f.precision == KB_PRECISION_COUNT) {
		add(c, KB_ANSWER_NOT_CHECKED,
		    "the policy of the %s does not say at which precision",
		    kind);
		return;
	}
	kb_timed_each(b, e, check_timed, &f);
	if (f.without)
		add(c, KB_ANSWER_NOT_CHECKED,
		    "the suite does not say how much work it is; in the %s: %"
		    PRId64, kind, f.without);
	add(c, KB_ANSWER_OK, "times of the %s within what '%s' can do: %"
	    PRId64, kind, f.peak->name, f.above);
}

static void take_trials(void *into, const struct kb_timed *t)
{
	kb_trial_lines_take(into, t);
}

static void check_trials(struct kb_checks *c, const struct kb_baseline *b,
			 const struct kb_evaluation *e)
{
	struct kb_trial_lines l;

	kb_trial_lines_begin(&l, b ? KB_KIND_BASELINE : KB_KIND_EVALUATION,
			     b ? b->conditions.policy : e->conditions.policy);
	kb_timed_each(b, e, take_trials, &l);
	for (size_t i = 0; b && i < b->result_count; i++)
		kb_trial_lines_take_seeds(&l, &b->results[i].outcome);
	for (size_t i = 0; e && i < e->result_count; i++)
		kb_trial_lines_take_seeds(&l, &e->results[i].outcome);
	kb_trial_lines_end(&l, c);
}

static void take_clocks(void *into, const struct kb_timed *t)
{
	kb_clock_lines_take(into, t);
}

static void check_clocks(struct kb_checks *c, const struct kb_baseline *b,
			 const struct kb_evaluation *e)
{
	struct kb_clock_lines l;

	kb_clock_lines_begin(&l, b ? KB_KIND_BASELINE : KB_KIND_EVALUATION,
			     b ? b->conditions.environment
			       : e->conditions.environment);
	kb_timed_each(b, e, take_clocks, &l);
	kb_clock_lines_end(&l, c);
}

static void check_record(struct kb_checks *c, const struct kb_suite *suite,
			 const struct kb_baseline *b,
			 const struct kb_evaluation *e)
{
	check_floors(c, suite, b, e);
	check_trials(c, b, e);
	check_clocks(c, b, e);
}

void kb_plausible_check(struct kb_checks *c, const struct kb_lineage *l)
{
	if (l->evaluation)
		check_record(c, l->suite, NULL, l->evaluation);
	if (l->baseline)
		check_record(c, l->suite, l->baseline, NULL);
	if (l->kind == KB_KIND_REPORT)
		kb_checks_add(c, KB_LAYER_PLAUSIBILITY, "plausibility",
			      KB_ANSWER_NOT_CHECKED,
			      "self-reported: nothing of it was measured by kb");
	else if (l->kind == KB_KIND_SCORE && !(l->evaluation && l->baseline))
		kb_checks_add(c, KB_LAYER_PLAUSIBILITY, "plausibility",
			      KB_ANSWER_NOT_CHECKED,
			      "the times are those of parents that are not "
			      "there");
	else if (!l->evaluation && !l->baseline)
		kb_checks_add(c, KB_LAYER_PLAUSIBILITY, "plausibility",
			      KB_ANSWER_OK, "there are no times");
}
