#ifndef KB_PAGES_SAMPLES_CHART_H
#define KB_PAGES_SAMPLES_CHART_H

#include <stddef.h>

#include "pages/timing_text.h"

struct kb_buf;

/*
 * Draw a strip of marks for each timing: its samples on one axis of time, and a
 * line at their median, which is the timing's time. Nothing without samples. `id`
 * is the chart's element.
 */
void kb_samples_draw(struct kb_buf *out, const char *id,
		     const struct kb_named_timing times[], size_t count);

#endif
