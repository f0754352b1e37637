#include "tables/certainty_table.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "manifest/score.h"
#include "sheet/format.h"
#include "sheet/score_parts.h"
#include "tables/table.h"

/* All are faster than 0: that row would say nothing. */
static void add_fast(struct kb_table *t, const struct kb_score *s, int p)
{
	char text[KB_FORMAT_SIZE];

	if (!kb_fast_p_milli[p])
		return;
	kb_format_milli(text, kb_fast_p_milli[p]);
	kb_table_addf(t, "fast_%s", text);
	for (size_t i = 0; i < kb_score_part_count(s); i++) {
		const struct kb_certainty *c = &kb_score_part(s, i)->certainty;

		kb_table_addf(t, "%" PRId64 " to %" PRId64, c->certain[p],
			      c->certain[p] + c->undecided[p]);
	}
}

static void add_geomean(struct kb_table *t, const struct kb_score *s)
{
	kb_table_add(t, "geomean");
	for (size_t i = 0; i < kb_score_part_count(s); i++) {
		const struct kb_certainty *c = &kb_score_part(s, i)->certainty;
		char bounds[KB_FORMAT_BOUNDS_SIZE];

		kb_format_bounds(bounds, c->geomean_low_micro,
				 c->geomean_high_micro);
		kb_table_add(t, bounds);
	}
}

void kb_certainty_table_print(struct kb_buf *out, const struct kb_score *s,
			      struct kb_look look)
{
	const size_t count = 1 + kb_score_part_count(s);
	kb_auto(mem) char (*heads)[KB_FORMAT_SIZE] =
		kb_xcalloc(count, sizeof(*heads));
	kb_auto(mem) struct kb_column *columns =
		kb_xcalloc(count, sizeof(*columns));
	kb_auto(table) struct kb_table *t = NULL;

	if (!s->overall.has_certainty)
		return;
	columns[0] = (struct kb_column){ "at 95%", KB_ALIGN_LEFT };
	for (size_t i = 1; i < count; i++) {
		kb_score_part_head(heads[i], s, i - 1);
		columns[i] = (struct kb_column){ heads[i], KB_ALIGN_RIGHT };
	}

	t = kb_table_new(columns, count);
	for (int p = 0; p < KB_FAST_COUNT; p++)
		add_fast(t, s, p);
	add_geomean(t, s);
	kb_table_print(out, t, look);
}
