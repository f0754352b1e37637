#ifndef KB_VERIFY_TIMED_H
#define KB_VERIFY_TIMED_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/key.h"
#include "manifest/timing.h"

struct kb_baseline;
struct kb_device_timing;
struct kb_result;

/* A candidate or a reference, as one clock or both timed it. Paired timings are
 * of the reference that was timed with a candidate. All are borrowed, and NULL
 * where there is none. */
struct kb_timed {
	struct kb_key key;
	int sample_id;			/* of the candidate; baseline: -1 */
	bool is_reference;		/* of a baseline, or paired */
	const struct kb_timing *call, *paired_call;
	const struct kb_device_timing *device, *paired_device;
	int64_t wall_ns;		/* of the line; KB_UNKNOWN: not told */
	bool by_device;			/* the device's clock counts: all that
					   were timed in this line have a timing
					   by it */
};

/* "1/19", "1/19 sample 0" or "1/19 sample 0, reference". */
#define KB_TIMED_NAME_SIZE 48

/* "the call clock", "the device clock" */
extern const char *const kb_timed_clocks[KB_CLOCK_COUNT];

void kb_timed_name(char out[KB_TIMED_NAME_SIZE], const struct kb_timed *t);

/* Call `take` for all that was timed in a baseline. */
void kb_timed_each(const struct kb_baseline *b,
		   void (*take)(void *into, const struct kb_timed *t),
		   void *into);

/* The same of one result of an evaluation, the candidate first. */
void kb_timed_result(const struct kb_result *r,
		     void (*take)(void *into, const struct kb_timed *t),
		     void *into);

#endif
