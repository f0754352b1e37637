#ifndef KB_MANIFEST_TIMING_H
#define KB_MANIFEST_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * The time of one call, with every sample that it was made from.
 *
 * Trials are batches of `n_small` or `n_large` calls, timed as a whole.
 * KB_METHOD_SLOPE divides the difference of the two batch times by the
 * difference of the two sizes, so that what is paid once a batch cancels.
 * KB_METHOD_SINGLE has batches of one size only: n_large equals n_small
 * and large_ns is empty.
 */
enum kb_method {
	KB_METHOD_SLOPE,
	KB_METHOD_SINGLE,
	KB_METHOD_COUNT,		/* not a method */
};

enum kb_clock {
	KB_CLOCK_CALL,			/* launch overhead counts */
	KB_CLOCK_DEVICE,		/* queued before the clock starts */
	KB_CLOCK_COUNT,			/* not a clock */
};

const char *kb_clock_name(enum kb_clock clock);

/* Fails with KB_ERR_INPUT; the message lists the names there are. */
int kb_clock_parse(enum kb_clock *out, const char *name, struct kb_err *err);

#define KB_CALLS_MAX 1000000000		/* calls in one batch */

struct kb_timing {
	enum kb_method method;
	enum kb_clock clock;
	int n_small;			/* calls in one batch, 1 or more */
	int n_large;
	int64_t *small_ns;		/* one for each trial; owned */
	size_t small_count;
	int64_t *large_ns;
	size_t large_count;
	int64_t call_time_ns;		/* 1 or more, or KB_UNKNOWN */
};

/* Without samples: a slope, or single if the sizes are the same. */
struct kb_timing *kb_timing_new(enum kb_clock clock, int n_small, int n_large);
void kb_timing_free(struct kb_timing *t);	/* NULL is allowed */

/* One more sample, of a batch of `n_large` calls or of `n_small`. */
void kb_timing_add(struct kb_timing *t, bool large, int64_t elapsed_ns);

/* NULL gives null. The caller owns the result. */
struct kb_json *kb_timing_to_json(const struct kb_timing *t);

/* The member `key`, which must be there and by this clock: null gives NULL.
 * The caller frees with kb_timing_free(). */
struct kb_timing *kb_timing_read(struct kb_fields *f, const char *key,
				 enum kb_clock clock);

#endif
