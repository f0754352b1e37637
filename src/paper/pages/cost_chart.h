#ifndef KB_PAGES_COST_CHART_H
#define KB_PAGES_COST_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pages/svg.h"

/* The fast_1 of a score, and the tokens of its candidates. */
struct kb_cost_point {
	const char *name;
	int64_t output_tokens;		/* above 0 */
	int64_t fast_1, problems;
};

/* No other came to as much with fewer tokens, or to more with as many: it is
 * on the frontier of Pareto. */
bool kb_cost_is_best(const struct kb_cost_point points[], size_t count,
		     size_t i);

/* fast_1 over tokens, on a logarithmic axis, and the frontier as steps. */
void kb_cost_chart_draw(struct kb_buf *out, const struct kb_chart *chart,
			const struct kb_cost_point points[], size_t count);

#endif
