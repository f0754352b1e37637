#include "measure/output_errors.h"

#include <math.h>

void kb_output_error_add(struct kb_output_error *e,
			 const struct kb_compare_result *c)
{
	e->elements += (int64_t)c->elements;
	e->mismatched += (int64_t)c->mismatched;
	e->nan += (int64_t)c->not_finite;
	e->max_abs_error = fmax(e->max_abs_error, c->max_abs_error);
	e->max_rel_error = fmax(e->max_rel_error, c->max_rel_error);
	e->rms_error = fmax(e->rms_error, c->rms_error);
}

bool kb_output_error_is_worse(const struct kb_output_error *a,
			      const struct kb_output_error *b)
{
	if (a->mismatched + a->nan != b->mismatched + b->nan)
		return a->mismatched + a->nan > b->mismatched + b->nan;
	return a->max_abs_error > b->max_abs_error || !b->elements;
}
