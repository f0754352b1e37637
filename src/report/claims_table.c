#include "report/claims_table.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/report.h"
#include "report/format.h"
#include "report/table.h"

#define FIXED_COLUMNS 4	/* before those of fast_p */
#define COLUMNS (FIXED_COLUMNS + KB_FAST_COUNT + 1)

static void add_rate(struct kb_table *t, int64_t part, int64_t whole)
{
	char pct[KB_FORMAT_SIZE];

	kb_format_pct(pct, part, whole);
	kb_table_addf(t, "%" PRId64 " %s", part, pct);
}

/* KernelBench divides fast_p by the problems with a baseline time, and v3 by
 * all of them. */
static int64_t fast_denominator(const struct kb_report *r,
				const struct kb_report_level *l)
{
	return r->format == KB_REPORT_V3 ? l->problems : l->with_baseline;
}

static void add_level(struct kb_table *t, const struct kb_report *r,
		      const struct kb_report_level *l)
{
	char geomean[KB_FORMAT_SIZE];

	kb_table_addf(t, "%d", l->level);
	kb_table_addf(t, "%" PRId64, l->problems);
	add_rate(t, l->compiled, l->problems);
	add_rate(t, l->correct, l->problems);
	for (int i = 0; i < KB_FAST_COUNT; i++)
		add_rate(t, l->fast[i], fast_denominator(r, l));
	if (l->geomean_speedup_nano == KB_UNKNOWN) {
		kb_table_add(t, "-");
		return;
	}
	kb_format_ratio(geomean, (l->geomean_speedup_nano + 500) / 1000);
	kb_table_add(t, geomean);
}

void kb_claims_table_print(struct kb_buf *out, const struct kb_report *r)
{
	char names[KB_FAST_COUNT][2 * KB_FORMAT_SIZE];
	struct kb_column columns[COLUMNS] = {
		{ "level", KB_ALIGN_RIGHT }, { "problems", KB_ALIGN_RIGHT },
		{ "compiled", KB_ALIGN_RIGHT }, { "correct", KB_ALIGN_RIGHT },
		[COLUMNS - 1] = { "geomean", KB_ALIGN_RIGHT },
	};
	kb_auto(table) struct kb_table *t = NULL;

	for (int i = 0; i < KB_FAST_COUNT; i++) {
		char p[KB_FORMAT_SIZE];

		kb_format_milli(p, kb_fast_p_milli[i]);
		snprintf(names[i], sizeof(names[i]), "fast_%s", p);
		columns[FIXED_COLUMNS + i] =
			(struct kb_column){ names[i], KB_ALIGN_RIGHT };
	}
	t = kb_table_new(columns, COLUMNS);
	for (size_t i = 0; i < r->level_count; i++)
		add_level(t, r, &r->levels[i]);
	kb_buf_addstr(out, "self-reported: nothing of this was measured by "
			   "kb\n\n");
	kb_table_print(out, t);
}
