#ifndef KB_VERIFY_BOUND_H
#define KB_VERIFY_BOUND_H

#include <stdint.h>

#include "manifest/key.h"

struct kb_evaluation;
struct kb_suite;

/*
 * The least time that the device of an evaluation needs for a problem as its
 * suite states it, `stated_ns` of verify/floor.h. KB_UNKNOWN if the device's
 * peaks or the problem's work are unknown.
 */
struct kb_bound {
	const struct kb_suite *suite;		/* borrowed */
	const struct kb_evaluation *evaluation;	/* likewise */
};

/* `context` is a struct kb_bound. */
int64_t kb_device_bound_ns(const void *context, struct kb_key key);

#endif
