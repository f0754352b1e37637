#ifndef KB_PAGES_TIMING_TEXT_H
#define KB_PAGES_TIMING_TEXT_H

#include <stddef.h>

struct kb_buf;
struct kb_timing;

struct kb_named_timing {
	const char *name;
	const struct kb_timing *timing;	/* borrowed, or NULL: left out */
	const struct kb_timing *paired;	/* the reference's that decided a
					   candidate's; borrowed, or NULL */
};

/* A table of times and, below it, a chart of the samples that they were made
 * from, and every sample. Nothing if there is none. */
void kb_timings_print(struct kb_buf *out, const char *id,
		      const struct kb_named_timing times[], size_t count);

#endif
