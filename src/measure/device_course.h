#ifndef KB_MEASURE_DEVICE_COURSE_H
#define KB_MEASURE_DEVICE_COURSE_H

#include "manifest/device_timing.h"
#include "measure/device_turn.h"

/*
 * Inside the bench, on a CUDA device: the way from warm-ups to times, for
 * the reference alone or for a candidate beside it. Reference and candidate
 * go it by the same code; they take turns, who is first changing from trial
 * to trial.
 */

enum kb_runner {
	KB_RUNNER_REFERENCE,
	KB_RUNNER_CANDIDATE,
	KB_RUNNER_COUNT,
};

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
	struct kb_lane lanes[KB_RUNNER_COUNT];
	bool has_candidate;
	uint8_t seed[KB_SEED_BYTES];	/* that of turn i derives from it */
	uint32_t turns;
	bool remedied;			/* the round under way is */
	struct kb_output_error *worst;	/* of the candidate; owned */
	struct kb_remedy_trials *remedy;	/* likewise; borrowed, or NULL */

	/* if something failed */
	enum kb_culprit culprit;
	struct kb_fault fault;
};

/* Draw the seed and add it to `outcome`. Fails with KB_ERR_SYS. */
int kb_course_begin(struct kb_course *c, struct kb_bench *b,
		    struct kb_outcome *outcome, struct kb_err *err);
void kb_course_release(struct kb_course *c);

/* The rest return 1; 0 if one of the two failed, as `culprit` and `fault`
 * say; or fail. */

/* First calls, which load, build and allocate what is done once. */
int kb_course_warm_up(struct kb_course *c, enum kb_runner who,
		      struct kb_err *err);

/* Find out how many calls a batch takes. The reference's are kept by the
 * bench for its next course. */
int kb_course_pilot(struct kb_course *c, enum kb_runner who,
		    struct kb_err *err);

/* The reference's time from a few trials, now; KB_UNKNOWN without a gate. */
int kb_course_look(struct kb_course *c, int64_t *time_ns,
		   struct kb_err *err);

/* All trials that count, and those on remedy inputs among them. Then times
 * are decided. */
int kb_course_measure(struct kb_course *c, struct kb_err *err);

static inline void kb_cleanup_course(struct kb_course *c)
{
	kb_course_release(c);
}

#endif
