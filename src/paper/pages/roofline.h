#ifndef KB_PAGES_ROOFLINE_H
#define KB_PAGES_ROOFLINE_H

#include <stdint.h>

#include "pages/svg.h"

/* One candidate by the facts of its problem and its time. All are above 0. */
struct kb_roof_dot {
	const char *name;		/* "1/19", borrowed */
	const char *link;		/* or NULL */
	int level;
	int64_t flops;			/* of one call */
	int64_t bytes;			/* that it must move at least */
	int64_t time_ns;
};

/* The peak rates of the device. The first two are both 0 if they are
 * unknown. */
struct kb_roof {
	int64_t memory_mb_per_s;	/* by its maker's data sheet */
	int64_t arithmetic_gop_per_s;	/* of the type that is fastest */
	int64_t fp32_gop_per_s;		/* without tensor cores; 0: unknown */
	int64_t sm_clock_mhz;		/* at which both are; 0: the first is
					   the data sheet's */
};

/* Arithmetic that was achieved over arithmetic intensity, both logarithmic,
 * below the roof. */
void kb_roofline_draw(struct kb_buf *out, const struct kb_chart *chart,
		      const struct kb_roof *roof,
		      const struct kb_roof_dot dots[], size_t count);

#endif
