#ifndef KB_TESTS_REMEASURE_SIDES_H
#define KB_TESTS_REMEASURE_SIDES_H

/* Candidates as one session claims them and as another finds them. */

#include "score/remeasure.h"

#include <stdint.h>

#include "manifest/timing.h"
#include "measure/time_rule.h"

#define TRIALS 8
#define NONE KB_UNKNOWN

/* Trials of one call each, whose median is `time_ns` and whose extremes are
 * `spread_ns` from it. NULL for no time. */
static inline struct kb_timing *timing(enum kb_clock clock, int64_t time_ns,
				int64_t spread_ns, size_t trials)
{
	struct kb_timing *t;

	if (time_ns == NONE)
		return NULL;
	t = kb_timing_new(clock, 0, 1);
	for (size_t i = 0; i < trials; i++) {
		kb_timing_add(t, KB_SERIES_SMALL, 5000);
		kb_timing_add(t, KB_SERIES_LARGE, 5000 +
			      time_ns + (i == 0 ? -spread_ns :
					 i == 1 ? spread_ns : 0));
	}
	kb_time_decide(t, NULL);
	return t;
}

struct side {
	int64_t candidate_ns, reference_ns;
	int64_t spread_ns;		/* of the candidate */
};

static inline struct kb_result result(const struct side *s, size_t trials)
{
	struct kb_result r = KB_RESULT_INIT;

	r.key = (struct kb_key){ .level = 1, .problem_id = 19 };
	r.sample_id = 3;
	r.outcome.status = KB_STATUS_CORRECT;
	r.timing = timing(KB_CLOCK_CALL, s->candidate_ns, s->spread_ns,
			  trials);
	r.reference_timing = timing(KB_CLOCK_CALL, s->reference_ns, 0, trials);
	return r;
}

static inline enum kb_again compare(struct kb_remeasured *out,
			     const struct side *claimed,
			     const struct side *now, size_t trials)
{
	struct kb_result a = result(claimed, trials);
	struct kb_result b = result(now, trials);

	kb_remeasure_compare(out, &a, &b, KB_CLOCK_CALL);
	kb_result_release(&a);
	kb_result_release(&b);
	return out->answer;
}

#define MOST INT64_C(9007199254740991)

#endif
