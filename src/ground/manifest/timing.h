#ifndef KB_MANIFEST_TIMING_H
#define KB_MANIFEST_TIMING_H

#include <stddef.h>
#include <stdint.h>

struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * The time of one call, with every sample that it was made from. A sample is
 * what one run took, one batch of calls that is timed as a whole; how samples
 * become a time is told in measure/time_rule.h.
 *
 * A trial is two runs, one of `n_small` calls and one of `n_large`, so that
 * what is paid once a run cancels.
 */

enum kb_clock {
	KB_CLOCK_CALL,			/* launch overhead counts */
	KB_CLOCK_DEVICE,		/* queued before the clock starts */
	KB_CLOCK_COUNT,			/* not a clock */
};

/* The rule that decided a time. */
enum kb_basis {
	KB_BASIS_SLOPE,			/* its runs of many calls */
	KB_BASIS_ONE_CALL,		/* its runs of one call, beside the
					   reference's */
	KB_BASIS_DEVICE,		/* the device's clock: no call takes
					   less than its work */
	KB_BASIS_CONTROL,		/* of a reference: what it takes with
					   no candidate alive */
	KB_BASIS_COUNT,			/* not a basis */
};

/* Why no more trials were made. */
enum kb_stop_reason {
	KB_STOP_INTERVAL,		/* the interval was narrow enough */
	KB_STOP_TRIALS,			/* as many as allowed were made */
	KB_STOP_BUDGET,			/* time was up */
	KB_STOP_SLOW,			/* far slower than its reference */
	KB_STOP_COUNT,			/* not a reason */
};

/* As in records. */
const char *kb_clock_name(enum kb_clock clock);
const char *kb_basis_name(enum kb_basis basis);
const char *kb_stop_reason_name(enum kb_stop_reason reason);

/* Fails with KB_ERR_INPUT; the message lists the names there are. */
int kb_clock_parse(enum kb_clock *out, const char *name, struct kb_err *err);

#define KB_CALLS_MAX 1000000000		/* calls in one batch */

/*
 * On a GPU a run begins with copying the inputs of its calls to where they
 * are read. What that takes alone has been subtracted from every sample, so
 * that a sample may be zero or below. Samples and costs are within
 * +-(2^53 - 1).
 */
struct kb_timing {
	enum kb_clock clock;
	int n_small, n_large;		/* calls in one run; 0 and 1 where no
					   more fit or one is long */
	int64_t *small_ns, *large_ns;	/* one of each a trial; owned */
	size_t small_count, large_count;
	int n_one_call;			/* calls in the runs of one call: 1, or
					   0 of a reference whose one call takes
					   so long that no more than what a run
					   costs without calls is wanted */
	int64_t *one_call_ns;		/* runs of one call: sample i of one
					   side beside sample i of the other;
					   owned */
	size_t one_call_count;
	int64_t *alone_ns;		/* of a reference beside a candidate:
					   the same while no candidate is
					   alive; owned */
	size_t alone_count;
	int64_t copy_in_small_ns;	/* what was subtracted; KB_UNKNOWN on */
	int64_t copy_in_large_ns;	/* the CPU, where nothing is */
	int64_t copy_in_one_call_ns;	/* KB_UNKNOWN without such runs, too */
	int64_t one_call_slack_ns;	/* of a candidate of several ranks: the
					   least slack of its bound by the
					   device's clock; 0: one rank's */
	int64_t device_ns;		/* by the call clock: the same side's
					   time by the device's, or KB_UNKNOWN */
	int64_t control_ns;		/* of a reference beside a candidate, by
					   the device's clock: the longer of its
					   control timings, or KB_UNKNOWN; in
					   records beside the timing */
	int64_t time_ns;		/* 1 or more, or KB_UNKNOWN */
	enum kb_basis basis;		/* no matter without a time */
	int64_t low_ns, high_ns;	/* of what decided, at 95 %; possibly
					   negative; both KB_UNKNOWN if there
					   are too few samples to say */
	enum kb_stop_reason stop_reason;
};

/* The series of samples. */
enum kb_series {
	KB_SERIES_SMALL,
	KB_SERIES_LARGE,
	KB_SERIES_ONE_CALL,
	KB_SERIES_ALONE,
};

/* Without samples, time and costs; n_large is above n_small. */
struct kb_timing *kb_timing_new(enum kb_clock clock, int n_small, int n_large);
void kb_timing_free(struct kb_timing *t);	/* NULL is allowed */

/* One more sample. */
void kb_timing_add(struct kb_timing *t, enum kb_series series,
		   int64_t elapsed_ns);

/* All samples of a series. */
void kb_timing_drop(struct kb_timing *t, enum kb_series series);

/* NULL gives null. The caller owns the result. */
struct kb_json *kb_timing_to_json(const struct kb_timing *t);

/*
 * The member `key`, which must be there and by this clock: null gives NULL.
 * Refuses what contradicts itself: two sizes that do not have equally many
 * samples, a basis without its samples, an interval upside down. Whether the
 * time follows from the samples is not asked here. The caller frees with
 * kb_timing_free().
 */
struct kb_timing *kb_timing_read(struct kb_fields *f, const char *key,
				 enum kb_clock clock);

static inline void kb_cleanup_timing(struct kb_timing **t)
{
	kb_timing_free(*t);
}

#endif
