#include "verify/baseline_lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"

/* A time that is off by more than a twentieth, in a tenth of the references,
 * is more than machines differ by from run to run: of those published it was
 * 1 of 60, 1 of 59 and 9 of 242. */
#define OFF_PART 20
#define MANY_PART 10
#define ALIKE_PART 50
#define CLOCK_PERCENT 90

/* --- errors ----------------------------------------------------------- */

/* The rounding of float32: an error may be below it, or nothing, by luck. */
#define ROUNDOFF 0x1p-24

static bool is_far(double a, double b, double size)
{
	return a > KB_ERRORS_TIMES_MAX * fmax(b, ROUNDOFF * size);
}

static bool errors_differ(const struct kb_fp64_error_output *a,
			  const struct kb_fp64_error_output *b)
{
	const double size = fmax(a->max_abs, b->max_abs);

	return is_far(a->max_abs_error, b->max_abs_error, size) ||
	       is_far(b->max_abs_error, a->max_abs_error, size) ||
	       is_far(a->rms_error, b->rms_error, size) ||
	       is_far(b->rms_error, a->rms_error, size) ||
	       is_far(a->max_abs, b->max_abs, 0) ||
	       is_far(b->max_abs, a->max_abs, 0);
}

static void compare_errors(struct kb_baseline_lines *l, const struct kb_result *r,
			   const struct kb_reference_result *b)
{
	char key[KB_KEY_SIZE];

	if (!r->fp64_error || !b->fp64_error)
		return;
	for (size_t i = 0; i < r->fp64_error->output_count; i++) {
		const struct kb_fp64_error_output *own =
			kb_fp64_error_find(r->fp64_error, i);
		const struct kb_fp64_error_output *other =
			i < b->fp64_error->output_count ?
			kb_fp64_error_find(b->fp64_error, i) : NULL;

		if (!own || !other || !errors_differ(own, other))
			continue;
		kb_key_format(key, r->key);
		kb_checks_add(&l->of_errors, KB_LAYER_ARITHMETIC, "errors",
			      KB_ANSWER_NO,
			      "problem '%s': the reference is off by %.9g in "
			      "output %zu, and in the baseline by %.9g", key,
			      own->max_abs_error, i, other->max_abs_error);
	}
}

/* --- times ------------------------------------------------------------ */

static bool is_within(int64_t a_ns, int64_t b_ns, int64_t part)
{
	const int64_t off_ns = a_ns > b_ns ? a_ns - b_ns : b_ns - a_ns;

	return off_ns <= b_ns / part;
}

static bool is_slower(const struct kb_device_timing *a,
		      const struct kb_device_timing *b)
{
	const int64_t of_a = a ? a->telemetry.sm_clock_mhz_max : KB_UNKNOWN;
	const int64_t of_b = b ? b->telemetry.sm_clock_mhz_max : KB_UNKNOWN;

	return of_a != KB_UNKNOWN && of_b != KB_UNKNOWN &&
	       (__int128)of_a * 100 < (__int128)of_b * CLOCK_PERCENT;
}

static void compare_times(struct kb_baseline_lines *l, const struct kb_result *r,
			  const struct kb_reference_result *b)
{
	const struct kb_timing *own = kb_device_time(r->reference_device_timing);
	const struct kb_timing *other = kb_device_time(b->device_timing);

	if (!r->reference_timing || !b->timing)
		return;
	l->references++;
	l->other_clock += !own != !other;
	l->slower_clock += is_slower(b->device_timing,
				     r->reference_device_timing);
	if (!own || !other) {
		own = r->reference_timing;
		other = b->timing;
	}
	if (own->time_ns == KB_UNKNOWN || other->time_ns == KB_UNKNOWN)
		return;
	/* A CPU that others use as well is no steadier than that. */
	l->off += b->device_timing && !is_within(other->time_ns, own->time_ns, OFF_PART);
	l->alike += is_within(other->time_ns, own->time_ns, ALIKE_PART);
}

/* --- one line after the other ----------------------------------------- */

static int64_t seed_of(const struct kb_conditions *k)
{
	const struct kb_json *v = kb_json_find(k->policy, "weights_seed");

	return v && kb_json_type(v) == KB_JSON_INT ? kb_json_int_value(v)
						   : KB_UNKNOWN;
}

void kb_baseline_lines_begin(struct kb_baseline_lines *l,
			     const struct kb_evaluation *e,
			     const struct kb_baseline *b, bool is_one_stack)
{
	*l = (struct kb_baseline_lines){ .baseline = b };
	/* Under further seeds a candidate may have failed, whose errors it has. */
	l->is_one_seed = b && is_one_stack && b->mode == KB_MODE_EAGER &&
			 !kb_json_find(e->conditions.policy, "seeds") &&
			 seed_of(&e->conditions) != KB_UNKNOWN &&
			 seed_of(&e->conditions) == seed_of(&b->conditions);
	l->has_two_boards = b && kb_conditions_differ_in_board(
		&e->conditions, &b->conditions);
	if (b && !kb_digest_equal(&e->suite, &b->suite))
		l->baseline = NULL;
}

void kb_baseline_lines_take(struct kb_baseline_lines *l, const struct kb_result *r)
{
	const struct kb_reference_result *b =
		l->baseline ? kb_baseline_find(l->baseline, r->key) : NULL;

	l->unselected += l->baseline && !b &&
			 r->outcome.status == KB_STATUS_CORRECT;
	if (!b)
		return;
	if (l->is_one_seed)
		compare_errors(l, r, b);
	compare_times(l, r, b);
}

void kb_baseline_lines_end_errors(struct kb_baseline_lines *l, struct kb_checks *c)
{
	kb_checks_move(c, &l->of_errors);
}

#define note(c, ...)							\
	kb_checks_add(c, KB_LAYER_PLAUSIBILITY, "baseline", KB_ANSWER_NOTE, \
		      __VA_ARGS__)

static bool is_many(const struct kb_baseline_lines *l, int64_t count)
{
	return count * MANY_PART > l->references;
}

void kb_baseline_lines_end_notes(const struct kb_baseline_lines *l,
				 struct kb_checks *c)
{
	const bool is_eager = l->baseline && l->baseline->mode == KB_MODE_EAGER;

	if (l->has_two_boards)
		note(c, "it is of a GPU of the same name and another board, "
		     "whose memory may have another speed");
	if (l->unselected)
		note(c, "the problems of %" PRId64 " correct candidates are "
		     "not in it: they have no speedup", l->unselected);
	if (!l->references)
		return;
	if (is_eager && is_many(l, l->off))
		note(c, "%" PRId64 " of %" PRId64 " references took 5 %% more "
		     "or less than beside the candidates", l->off,
		     l->references);
	if (!is_eager && 2 * l->alike > l->references)
		note(c, "it is '%s', and %" PRId64 " of %" PRId64 " references "
		     "took as long as eager ones beside the candidates, within "
		     "2 %%", kb_mode_name(l->baseline->mode), l->alike,
		     l->references);
	if (is_many(l, l->slower_clock))
		note(c, "%" PRId64 " of %" PRId64 " references had an SM clock "
		     "below %d %% of that beside the candidates",
		     l->slower_clock, l->references, CLOCK_PERCENT);
	if (is_eager && is_many(l, l->other_clock))
		note(c, "%" PRId64 " of %" PRId64 " references have a time by "
		     "the device's clock in one of evaluation and baseline "
		     "alone", l->other_clock, l->references);
}

void kb_baseline_lines_release(struct kb_baseline_lines *l)
{
	kb_checks_release(&l->of_errors);
}
