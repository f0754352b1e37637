#ifndef KB_MEASURE_DEVICE_PAIR_H
#define KB_MEASURE_DEVICE_PAIR_H

#include "manifest/device_timing.h"
#include "measure/device_turn.h"

/* One of the two. */
struct kb_lane {
	struct kb_subject subject;
	struct kb_batches batches;	/* behind the gate */
	const char *no_gate;		/* static text, or NULL */
	int64_t plain_ns;		/* of a call, at most; for patience */
	uint64_t heap_peak_bytes;	/* of a call, with what it returns */
	struct kb_device_timing *device;	/* owned until taken */
	struct kb_timing *call;		/* likewise */
};

struct kb_course {
	struct kb_bench *bench;
	struct kb_lane lanes[KB_SIDE_COUNT];
	bool has_candidate;
	uint8_t seed[KB_SEED_BYTES];	/* that of turn i derives from it */
	uint32_t turns;
	bool remedied;			/* the round under way is */
	struct kb_output_error *worst;	/* of the candidate; owned */
	struct kb_remedy_trials *remedy;	/* likewise; borrowed, or NULL */

	/* if something failed */
	struct kb_fault fault;
};

/*
 * What a course is made of: turns, and pairs of them, on as many slots as it
 * takes. For device_course.c, which says when. Those that return an int
 * return as functions of device_course.h do.
 */

/* At least `count` slots, known to all that take part. */
int kb_course_need_slots(struct kb_course *c, uint32_t count,
			 struct kb_err *err);

/* How many calls a batch may have for want of memory, at least 1. */
uint32_t kb_course_calls_that_fit(const struct kb_course *c);

/*
 * One turn of `n` calls, again if it saw the device slow down. `*elapsed_ns`
 * receives its time, or KB_UNKNOWN if it has none, and then `*why_not` a
 * reason, static text.
 */
int kb_course_take_turn(struct kb_course *c, enum kb_side who,
			enum kb_turn_clock clock, uint32_t n,
			int64_t *elapsed_ns, const char **why_not,
			struct kb_err *err);

/*
 * A trial: a small batch and, if `t` has slopes, a large one, both or none
 * added to `t`. If the subject cannot stay behind its gate after all, its
 * lane's `no_gate` is set.
 */
int kb_course_take_pair(struct kb_course *c, enum kb_side who,
			enum kb_turn_clock clock, struct kb_timing *t,
			struct kb_err *err);

#endif
