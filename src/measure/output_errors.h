#ifndef KB_MEASURE_OUTPUT_ERRORS_H
#define KB_MEASURE_OUTPUT_ERRORS_H

#include <stdbool.h>

#include "device/compare.h"
#include "manifest/result.h"

/* Add one comparison to what is known of an output: counts add up, errors
 * are the largest. */
void kb_output_error_add(struct kb_output_error *e,
			 const struct kb_compare_result *c);

/* Is `a` further off than `b`? Anything is further than nothing. */
bool kb_output_error_is_worse(const struct kb_output_error *a,
			      const struct kb_output_error *b);

#endif
