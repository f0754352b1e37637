#include "score/remeasure.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/err.h"
#include "score/speedup.h"
#include "score/times.h"

#define MICRO 1000000

static const struct again {
	const char *name;		/* for people */
	const char *member;		/* in JSON */
} answers[KB_AGAIN_COUNT] = {
	[KB_AGAIN_SAME] = { "same", "same" },
	[KB_AGAIN_FASTER] = { "faster", "faster" },
	[KB_AGAIN_SLOWER] = { "slower", "slower" },
	[KB_AGAIN_AMBIGUOUS] = { "ambiguous", "ambiguous" },
	[KB_AGAIN_DIFFERENT_STACK] = { "different stack", "different_stack" },
	[KB_AGAIN_CHANGED_STATUS] = { "changed status", "changed_status" },
};

static const struct again *find_again(enum kb_again answer)
{
	if ((unsigned)answer >= KB_AGAIN_COUNT)
		KB_BUG("no such answer");
	return &answers[answer];
}

const char *kb_again_name(enum kb_again answer)
{
	return find_again(answer)->name;
}

const char *kb_again_member(enum kb_again answer)
{
	return find_again(answer)->member;
}

/* The side whose time does not follow from its samples, by either clock; or
 * NULL. */
static const char *find_unfounded(const struct kb_result *r)
{
	for (int i = 0; i < KB_CLOCK_COUNT; i++) {
		const struct kb_timing *reference =
			kb_timing_by((enum kb_clock)i, r->reference_timing,
				     r->reference_device_timing);
		const struct kb_timing *candidate =
			kb_timing_by((enum kb_clock)i, r->timing,
				     r->device_timing);

		if (!kb_times_follow(reference, NULL))
			return "reference";
		if (!kb_times_follow(candidate, reference))
			return "candidate";
	}
	if (!kb_device_ns_is_told(r->reference_timing,
				  r->reference_device_timing))
		return "reference";
	return kb_device_ns_is_told(r->timing, r->device_timing) ? NULL :
								   "candidate";
}

int kb_remeasure_check(const struct kb_result *r, struct kb_err *err)
{
	const char *whose = find_unfounded(r);
	char key[KB_KEY_SIZE];

	if (!whose)
		return 0;
	kb_key_format(key, r->key);
	return kb_err(err, KB_ERR_INPUT,
		      "%s time of problem '%s' does not follow from its samples",
		      whose, key);
}

/* Both sessions by the clock that the claim is by. */
static enum kb_clock clock_of(const struct kb_result *claimed,
			      enum kb_clock clock)
{
	return kb_problem_clock(clock, claimed->reference_timing,
				claimed->reference_device_timing);
}

static bool has_basis(const struct kb_timing *t, enum kb_basis basis)
{
	return kb_times_median_ns(t) != KB_UNKNOWN && t->basis == basis;
}

static struct kb_bounded_time bound_time(const struct kb_timing *t,
					 const struct kb_timing *paired)
{
	struct kb_bounded_time out = {
		.time_ns = kb_times_median_ns(t),
		.is_control = has_basis(t, KB_BASIS_CONTROL),
	};

	kb_times_interval(&out.at, t, paired, KB_REMEASURE_INTERVAL_PPM);
	return out;
}

static struct kb_remeasure_side side_of(const struct kb_result *r,
					enum kb_clock clock)
{
	const struct kb_session_times
		device = kb_session_times_of(r, KB_CLOCK_DEVICE);
	struct kb_session_times t = kb_session_times_of(r, clock);

	/* A call time that is the device's, since no call takes less than its
	 * work, has the interval of that. */
	if (has_basis(t.candidate, KB_BASIS_DEVICE)) {
		t.candidate = device.candidate;
		t.paired = device.paired;
	}
	if (has_basis(t.reference, KB_BASIS_DEVICE))
		t.reference = device.reference;
	return (struct kb_remeasure_side){
		.status = r->outcome.status,
		.candidate = bound_time(t.candidate, t.paired),
		.reference = bound_time(t.reference, NULL),
	};
}

/* A fraction of two products of two times each. 128 bits hold them with a
 * factor of 2^21 to spare. `under` 0 is no bound. */
struct fraction {
	unsigned __int128 over, under;
};

static unsigned __int128 product_of(int64_t a, int64_t b)
{
	return a > 0 && b > 0 ? (unsigned __int128)a * (uint64_t)b : 0;
}

static int64_t micro_of(const struct fraction *f)
{
	unsigned __int128 whole, rest;

	if (!f->under)
		return KB_SPEEDUP_MICRO_MAX;
	whole = f->over * MICRO / f->under;
	rest = f->over * MICRO % f->under;
	if (rest >= f->under - rest)
		whole++;
	return whole > KB_SPEEDUP_MICRO_MAX ? KB_SPEEDUP_MICRO_MAX
					    : (int64_t)whole;
}

static int64_t end_micro(double end)
{
	return end * MICRO < (double)KB_SPEEDUP_MICRO_MAX ?
		       (int64_t)llround(end * MICRO) : KB_SPEEDUP_MICRO_MAX;
}

/* a b / (c d), and how far its ends are from it, as factors of 1 or more. */
struct quotient {
	struct fraction median;
	double below, above;
};

static const struct kb_bounded_time one = { .time_ns = 1, .at = { 1, 1 } };

static bool is_known(const struct kb_bounded_time *t)
{
	return t->time_ns != KB_UNKNOWN;
}

static bool is_bounded(const struct kb_bounded_time *t)
{
	return is_known(t) && t->at.low_ns != KB_UNKNOWN;
}

/* The square of how far two times are apart, as logarithms. One that is not
 * above zero is as far as can be. */
static double gap_between(int64_t a, int64_t b)
{
	const double d = a > 0 && b > 0 ? log((double)b / (double)a) : INFINITY;

	return d * d;
}

static double to_low(const struct kb_bounded_time *t)
{
	return gap_between(t->at.low_ns, t->time_ns);
}

static double to_high(const struct kb_bounded_time *t)
{
	return gap_between(t->time_ns, t->at.high_ns);
}

static struct quotient divide_times(const struct kb_bounded_time *a,
				    const struct kb_bounded_time *b,
				    const struct kb_bounded_time *c,
				    const struct kb_bounded_time *d)
{
	return (struct quotient){
		{ product_of(a->time_ns, b->time_ns),
		  product_of(c->time_ns, d->time_ns) },
		exp(sqrt(to_low(a) + to_low(b) + to_high(c) + to_high(d))),
		exp(sqrt(to_high(a) + to_high(b) + to_low(c) + to_low(d))),
	};
}

/* The median, or its inverse, in floating point. */
static double value_of(const struct quotient *q)
{
	return (double)q->median.over / (double)q->median.under;
}

static double inverse_of(const struct quotient *q)
{
	return (double)q->median.under / (double)q->median.over;
}

static struct kb_change change_of(const struct quotient *q, bool known,
				  bool has_ends)
{
	struct kb_change out = { KB_UNKNOWN, KB_UNKNOWN, KB_UNKNOWN };

	if (known)
		out.micro = micro_of(&q->median);
	if (has_ends) {
		out.low_micro = end_micro(value_of(q) / q->below);
		out.high_micro = end_micro(value_of(q) * q->above);
	}
	return out;
}

/* The plain one, of two times of the same thing. */
static struct kb_change plain_change(const struct kb_bounded_time *now,
				     const struct kb_bounded_time *claimed)
{
	const struct quotient q = divide_times(now, &one, claimed, &one);

	return change_of(&q, is_known(now) && is_known(claimed),
			 is_bounded(now) && is_bounded(claimed));
}

/* The ends and not what they are rounded to; of the inverse where the margin is
 * below one, so that nothing depends on which session is which. */
#define MARGIN (1 + KB_REMEASURE_MARGIN_PPM / 1e6)

static enum kb_again answer_of(const struct quotient *q)
{
	if (value_of(q) / q->below > MARGIN)
		return KB_AGAIN_SLOWER;
	if (inverse_of(q) / q->above > MARGIN)
		return KB_AGAIN_FASTER;
	return value_of(q) * q->above > MARGIN ||
		       inverse_of(q) * q->below > MARGIN
		   ? KB_AGAIN_AMBIGUOUS
		   : KB_AGAIN_SAME;
}

/* Why it cannot be told, before looking at numbers; or NULL. */
static const char *doubt_about(const struct kb_remeasure_side *claimed,
			       const struct kb_remeasure_side *now)
{
	const struct kb_bounded_time *const all[] = {
		&claimed->candidate, &claimed->reference, &now->candidate,
		&now->reference
	};

	if (!is_known(&claimed->candidate))
		return "a time only now";
	if (!is_known(&now->candidate))
		return "a time only as claimed";
	if (!is_known(&claimed->reference) || !is_known(&now->reference))
		return "no time of the reference";
	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		if (is_bounded(all[i]))
			continue;
		return all[i]->is_control ?
			       "a reference has the time of its control timing, "
			       "and no interval" :
			       "too few trials for an interval";
	}
	return NULL;
}

static void judge_times(struct kb_remeasured *r)
{
	const struct kb_remeasure_side *claimed = &r->claimed, *now = &r->now;
	const struct quotient q =
		divide_times(&now->candidate, &claimed->reference, &now->reference,
			 &claimed->candidate);

	r->candidate = plain_change(&now->candidate, &claimed->candidate);
	r->reference = plain_change(&now->reference, &claimed->reference);
	r->why = doubt_about(claimed, now);
	r->change = change_of(&q, r->candidate.micro != KB_UNKNOWN &&
				  r->reference.micro != KB_UNKNOWN, !r->why);
	r->answer = r->why ? KB_AGAIN_AMBIGUOUS : answer_of(&q);
	if (r->answer == KB_AGAIN_AMBIGUOUS && !r->why)
		r->why = "the interval reaches over the margin";
	if (!is_known(&claimed->candidate) && !is_known(&now->candidate)) {
		r->answer = KB_AGAIN_SAME;
		r->why = NULL;
	}
}

void kb_remeasure_claim(struct kb_remeasured *out,
			const struct kb_result *claimed, enum kb_clock clock)
{
	static const struct kb_bounded_time no_time = {
		.time_ns = KB_UNKNOWN, .at = KB_INTERVAL_INIT
	};
	static const struct kb_change no_change = {
		KB_UNKNOWN, KB_UNKNOWN, KB_UNKNOWN
	};

	*out = (struct kb_remeasured){
		.key = claimed->key,
		.sample_id = claimed->sample_id,
		.answer = KB_AGAIN_DIFFERENT_STACK,
		.claimed = side_of(claimed, clock_of(claimed, clock)),
		.now = { KB_STATUS_MISSING, no_time, no_time },
		.change = no_change,
		.candidate = no_change,
		.reference = no_change,
	};
}

void kb_remeasure_compare(struct kb_remeasured *out,
			  const struct kb_result *claimed,
			  const struct kb_result *now, enum kb_clock clock)
{
	kb_remeasure_claim(out, claimed, clock);
	out->now = side_of(now, clock_of(claimed, clock));
	if (now->outcome.detail)
		out->detail = kb_xstrdup(now->outcome.detail);
	if (out->claimed.status == out->now.status)
		judge_times(out);
	else
		out->answer = KB_AGAIN_CHANGED_STATUS;
}

void kb_remeasurement_release(struct kb_remeasurement *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->items[i].detail);
	free(m->items);
	free(m->why_not);
	kb_mismatches_release(&m->refused);
	kb_mismatches_release(&m->allowed);
	kb_mismatches_release(&m->noted);
	*m = (struct kb_remeasurement)KB_REMEASUREMENT_INIT;
}

void kb_remeasurement_count(size_t counts[KB_AGAIN_COUNT],
			    const struct kb_remeasurement *m)
{
	for (int a = 0; a < KB_AGAIN_COUNT; a++)
		counts[a] = 0;
	for (size_t i = 0; i < m->count; i++)
		counts[m->items[i].answer]++;
}
