#include "verify/plausible.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/device_timing.h"
#include "manifest/evaluation.h"
#include "manifest/suite.h"
#include "verify/checks.h"
#include "verify/floor.h"
#include "verify/line_checks.h"
#include "verify/lineage.h"
#include "verify/peaks.h"
#include "verify/timed.h"

#define add(c, answer, ...)						\
	kb_checks_add(c, KB_LAYER_PLAUSIBILITY, "floor", answer, __VA_ARGS__)

static void check_time(struct kb_floor_lines *f, const struct kb_timed *t,
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
	add(&f->of_floors,
	    is_below && floor->binds ? KB_ANSWER_NO : KB_ANSWER_NOTE,
	    "%s: %" PRId64 " ns by the %s clock, '%s' needs %" PRId64 " ns%s",
	    name, time_ns, which, f->peak->name,
	    is_below ? floor->floor_ns : floor->stated_ns,
	    !is_below ? " for the problem as it is stated" :
	    floor->binds ? "" : " unless the work can be left out");
}

/* At the highest SM clock that was read meanwhile the device does so much and no
 * more. */
static void check_clock(struct kb_floor_lines *f, const struct kb_timed *t,
			const struct kb_floor *floor)
{
	const struct kb_device_timing *d = t->device;
	const int64_t mhz = d ? d->telemetry.sm_clock_mhz_max : KB_UNKNOWN;
	char name[KB_TIMED_NAME_SIZE];

	if (!d || !d->timing || mhz == KB_UNKNOWN || !floor->binds ||
	    f->multiprocessors == KB_UNKNOWN ||
	    d->timing->time_ns == KB_UNKNOWN ||
	    (__int128)d->timing->time_ns * mhz * f->multiprocessors *
		    f->peak->operations_per_cycle >=
		    (__int128)floor->needed_operations * 1000)
		return;
	kb_timed_name(name, t);
	add(&f->of_floors, KB_ANSWER_NO,
	    "%s: %" PRId64 " ns, and %" PRId64 " SMs at %" PRId64 " MHz, which "
	    "they had at most, need longer", name, d->timing->time_ns,
	    f->multiprocessors, mhz);
}

static void check_timed(struct kb_floor_lines *f, const struct kb_timed *t)
{
	const struct kb_problem *p = kb_suite_find(f->suite, t->key);
	struct kb_floor floor;

	if (!p || !p->facts) {
		f->without++;
		return;
	}
	kb_floor_of(&floor, p->facts, f->precision, f->peak);
	check_clock(f, t, &floor);
	if (t->call)
		check_time(f, t, &floor, t->call->time_ns, "call");
	if (t->device && t->device->timing)
		check_time(f, t, &floor, t->device->timing->time_ns,
			   "device");
}

/* At its highest clock a GPU does about a tenth more than its data sheet says, which is
 * for a lower clock. Half more is another GPU. */
#define SHEET_TIMES 1.5

static void check_sheet(struct kb_floor_lines *f, const struct kb_conditions *k)
{
	const struct kb_json *gpu = kb_json_find(k->environment, "gpu");
	const int64_t mhz = kb_json_int_or(gpu, "max_sm_clock_mhz", KB_UNKNOWN);
	double most_gop_per_s;

	if (!f->peak || f->multiprocessors == KB_UNKNOWN || mhz == KB_UNKNOWN)
		return;
	most_gop_per_s = (double)f->multiprocessors * (double)mhz / 1e3 *
			 (double)f->peak->operations_per_cycle;
	if (most_gop_per_s > SHEET_TIMES * (double)f->peak->arithmetic_gop_per_s)
		add(&f->of_floors, KB_ANSWER_NO, "%" PRId64 " SMs at %" PRId64
		    " MHz are more than '%s' has", f->multiprocessors, mhz,
		    f->peak->name);
}

static void begin_floors(struct kb_floor_lines *f,
			 const struct kb_conditions *k,
			 const struct kb_suite *suite)
{
	*f = (struct kb_floor_lines){
		.suite = suite,
		.device = kb_json_text_or(kb_json_find(k->environment, "gpu"),
					  "name", ""),
		.precision = kb_precision_find(
			kb_json_text_or(k->policy, "precision", "")),
	};
	f->multiprocessors = kb_json_int_or(kb_json_find(k->environment, "gpu"),
				    "multiprocessors", KB_UNKNOWN);
	f->peak = kb_peak_find(f->device);
	check_sheet(f, k);
	if (!*f->device)
		f->device = kb_json_text_or(kb_json_find(k->environment,
							 "device"), "kind", "");
	f->binds = f->peak && suite && f->precision != KB_PRECISION_COUNT;
}

/* Why nothing is below what cannot be told. */
static void end_without_floors(const struct kb_floor_lines *f, const char *kind,
			       struct kb_checks *c)
{
	if (!f->peak)
		add(c, KB_ANSWER_NOT_CHECKED,
		    "what the device of the %s, '%s', can do at most is not "
		    "known", kind, f->device);
	else if (!f->suite)
		add(c, KB_ANSWER_NOT_CHECKED,
		    "the suite, which says how much work there is, is not "
		    "there");
	else
		add(c, KB_ANSWER_NOT_CHECKED,
		    "the policy of the %s does not say at which precision",
		    kind);
}

static void end_floors(struct kb_floor_lines *f, enum kb_kind of,
		       struct kb_checks *c)
{
	const char *kind = kb_kind_name(of);

	if (!f->binds) {
		end_without_floors(f, kind, c);
		return;
	}
	kb_checks_move(c, &f->of_floors);
	if (f->without)
		add(c, KB_ANSWER_NOT_CHECKED,
		    "the suite does not say how much work it is; in the %s: %"
		    PRId64, kind, f->without);
	add(c, KB_ANSWER_OK, "times of the %s within what '%s' can do: %"
	    PRId64, kind, f->peak->name, f->above);
}

/* --- one line after the other ----------------------------------------- */

static void begin_lines(struct kb_plausible_lines *l, enum kb_kind kind,
			const struct kb_conditions *k,
			const struct kb_suite *suite)
{
	l->kind = kind;
	begin_floors(&l->floors, k, suite);
	kb_trial_lines_begin(&l->trials, kind, k->policy);
	kb_clock_lines_begin(&l->clocks, kind, k->environment);
}

static void take_timed(void *into, const struct kb_timed *t)
{
	struct kb_plausible_lines *l = into;

	if (l->floors.binds)
		check_timed(&l->floors, t);
	kb_trial_lines_take(&l->trials, t);
	kb_clock_lines_take(&l->clocks, t);
}

void kb_plausible_lines_begin(struct kb_plausible_lines *l,
			      const struct kb_evaluation *e,
			      const struct kb_suite *suite)
{
	begin_lines(l, KB_KIND_EVALUATION, &e->conditions, suite);
}

void kb_plausible_lines_take(struct kb_plausible_lines *l,
			     const struct kb_result *r)
{
	kb_timed_result(r, take_timed, l);
}

void kb_plausible_lines_take_seeds(struct kb_plausible_lines *l,
				   const struct kb_result *r)
{
	kb_trial_lines_take_seeds(&l->trials, &r->outcome);
}

void kb_plausible_lines_want_first_no(struct kb_plausible_lines *l)
{
	l->floors.of_floors.first_no = true;
	l->trials.of_samples.first_no = true;
	l->trials.counts.checks.first_no = true;
	l->clocks.of_clocks.first_no = true;
	l->clocks.of_drift.first_no = true;
}

void kb_plausible_lines_end(struct kb_plausible_lines *l, struct kb_checks *c)
{
	end_floors(&l->floors, l->kind, c);
	kb_trial_lines_end(&l->trials, c);
	kb_clock_lines_end(&l->clocks, c);
	kb_plausible_lines_release(l);
}

void kb_plausible_lines_release(struct kb_plausible_lines *l)
{
	kb_checks_release(&l->floors.of_floors);
	kb_trial_lines_release(&l->trials);
	kb_clock_lines_release(&l->clocks);
}

void kb_plausible_check_baseline(struct kb_checks *c,
				 const struct kb_baseline *b,
				 const struct kb_suite *suite)
{
	struct kb_plausible_lines l;

	begin_lines(&l, KB_KIND_BASELINE, &b->conditions, suite);
	kb_timed_each(b, take_timed, &l);
	for (size_t i = 0; i < b->result_count; i++)
		kb_trial_lines_take_seeds(&l.trials, &b->results[i].outcome);
	kb_plausible_lines_end(&l, c);
}

void kb_plausible_check(struct kb_checks *c, const struct kb_lineage *l)
{
	if (l->evaluation)
		kb_plausible_lines_end(&l->lines->plausible, c);
	if (l->baseline)
		kb_plausible_check_baseline(c, l->baseline, l->suite);
	if (l->lines)
		kb_baseline_lines_end_notes(&l->lines->baseline_lines, c);
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
