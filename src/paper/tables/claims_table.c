#include "tables/claims_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/report.h"
#include "sheet/format.h"
#include "store/quote.h"
#include "tables/table.h"

#define FIXED_COLUMNS 4	/* before those of fast_p */
#define COLUMNS (FIXED_COLUMNS + KB_FAST_COUNT + 1)

static void add_rate(struct kb_table *t, int64_t part, int64_t whole)
{
	char pct[KB_FORMAT_SIZE];

	kb_format_pct(pct, part, whole);
	kb_table_addf(t, "%" PRId64 " %s", part, pct);
}

int64_t kb_claims_fast_of(const struct kb_report *r,
			  const struct kb_report_level *l)
{
	return r->format == KB_REPORT_V3 ? l->problems : l->with_baseline;
}

void kb_claims_geomean_format(char out[KB_FORMAT_SIZE],
			      const struct kb_report_level *l)
{
	/* KernelBench's analysis has 0 for the mean of no speedup. */
	if (l->geomean_speedup_nano > 0)
		kb_format_ratio(out, (l->geomean_speedup_nano + 500) / 1000);
	else
		strcpy(out, "-");
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
		add_rate(t, l->fast[i], kb_claims_fast_of(r, l));
	kb_claims_geomean_format(geomean, l);
	kb_table_add(t, geomean);
}

static void add_element(struct kb_buf *out, const struct kb_json *v)
{
	if (kb_json_type(v) == KB_JSON_INT)
		kb_buf_addf(out, "%" PRId64, kb_json_int_value(v));
	else
		kb_buf_addf(out, "'%s'",
			    kb_quote_str(kb_json_string_value(v)).text);
}

/* As many as fit on a few lines; the record has all. */
#define SHOWN 8

/* If all `whole` are left out, the list is not printed. */
static void add_left_out(struct kb_buf *out, const struct kb_json *list,
			 const char *what, int64_t whole)
{
	const char *comma = "";
	size_t count = 0;

	if (!kb_json_count(list))
		return;
	kb_buf_addf(out, "left out: %s: %zu", what, kb_json_count(list));
	if ((int64_t)kb_json_count(list) == whole) {
		kb_buf_addstr(out, ", which is all\n");
		return;
	}
	kb_buf_addstr(out, ": ");
	for (const struct kb_json *v = kb_json_first(list); v && count < SHOWN;
	     v = kb_json_next(v), count++) {
		kb_buf_addstr(out, comma);
		add_element(out, v);
		comma = ", ";
	}
	if (count < kb_json_count(list))
		kb_buf_addf(out, " and %zu more", kb_json_count(list) - count);
	kb_buf_addch(out, '\n');
}

void kb_claims_left_out_print(struct kb_buf *out, const struct kb_report *r)
{
	const struct kb_json *d = r->dataset;

	if (!d)
		return;
	kb_buf_addf(out, "problems: those of KernelBench at commit %s\n",
		    kb_json_string_value(kb_json_find(d, "upstream_commit")));
	add_left_out(out, kb_json_find(d, "problems_left_out"),
		     "problems without a time by the name of their file",
		     r->levels[0].problems);
	add_left_out(out, kb_json_find(d, "times_left_out"),
		     "times of files that are none of its problems",
		     KB_UNKNOWN);
	add_left_out(out, kb_json_find(d, "results_left_out"),
		     "results of problems that it does not have", KB_UNKNOWN);
}

void kb_claims_table_print(struct kb_buf *out, const struct kb_report *r,
			   struct kb_look look)
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
	kb_table_print(out, t, look);
	if (r->dataset)
		kb_buf_addch(out, '\n');
	kb_claims_left_out_print(out, r);
}
