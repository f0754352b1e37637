#ifndef KB_PAGES_REMARKS_H
#define KB_PAGES_REMARKS_H

#include <stddef.h>

struct kb_buf;
struct kb_view_row;

/*
 * Append the reasons to look at a row before believing its time, separated by
 * "; ". It is advice: what cannot be so, the verdict says. Returns how many
 * remarks were appended:
 *
 * 	faster than KB_REMARK_SPEEDUP times the baseline
 * 	less time than the problem as it is stated takes at the device's peaks
 * 	an error KB_REMARK_ERROR times the reference's own against float64
 * 	drift or noise beyond KB_REMARK_RATIO_PPM
 * 	an interval of a factor of KB_REMARK_INTERVAL or more, or none
 * 	it wrote to inputs or beyond outputs, or broke the protocol
 * 	no time by the device's clock where the reference has one
 */
size_t kb_remarks_print(struct kb_buf *out, const struct kb_view_row *r);

#define KB_REMARK_SPEEDUP 10
#define KB_REMARK_ERROR 100
#define KB_REMARK_RATIO_PPM 50000
#define KB_REMARK_INTERVAL 2

/* The greatest error of a candidate's outputs and of its reference against
 * float64; negative where no record says. */
double kb_row_error(const struct kb_view_row *r);
double kb_row_reference_error(const struct kb_view_row *r);

#endif
