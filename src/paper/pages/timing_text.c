#include "pages/timing_text.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "pages/cells.h"
#include "pages/html.h"
#include "pages/samples_chart.h"

static const struct kb_head heads[] = {
	{ "whose", "whose", true, false },
	{ "time_ns", "time, us", false, false },
	{ "interval", "interval at 95 %, us", false, false },
	{ "basis", "decided by", true, false },
	{ "trials", "trials", false, false },
	{ "n_small", "calls in a small batch", false, false },
	{ "n_large", "in a large one", false, false },
	{ "stop_reason", "ended by", true, false },
};

static void add_timing(struct kb_buf *out, const char *name,
		       const struct kb_timing *t)
{
	kb_buf_addstr(out, "<tr>");
	kb_cell_text(out, name);
	kb_cell_number(out, KB_CELL_US, t->time_ns);
	kb_cell_interval(out, KB_CELL_US, t->low_ns, t->high_ns);
	kb_cell_text(out, t->time_ns == KB_UNKNOWN ? NULL :
		     kb_basis_name(t->basis));
	kb_cell_number(out, KB_CELL_COUNT, (int64_t)t->large_count);
	kb_cell_number(out, KB_CELL_COUNT, t->n_small);
	kb_cell_number(out, KB_CELL_COUNT, t->n_large);
	kb_cell_text(out, kb_stop_reason_name(t->stop_reason));
	kb_buf_addstr(out, "</tr>\n");
}

static void add_series(struct kb_buf *out, const char *name,
		       const int64_t *samples, size_t count)
{
	if (!count)
		return;
	kb_fact_begin(out, name);
	for (size_t i = 0; i < count; i++)
		kb_html_addf(out, "%s%ld", i ? ", " : "", samples[i]);
	kb_fact_end(out);
}

static void add_samples(struct kb_buf *out, const char *name,
			const struct kb_timing *t)
{
	kb_html_addf(out, "<details><summary>Samples: %s, ns</summary>"
		     "<dl class=\"facts\">\n", name);
	add_series(out, "small batches", t->small_ns, t->small_count);
	add_series(out, "large batches", t->large_ns, t->large_count);
	add_series(out, "one call", t->one_call_ns, t->one_call_count);
	add_series(out, "alone", t->alone_ns, t->alone_count);
	kb_buf_addstr(out, "</dl></details>\n");
}

void kb_timings_print(struct kb_buf *out, const char *id,
		      const struct kb_named_timing times[], size_t count)
{
	kb_auto(buf) struct kb_buf chart = KB_BUF_INIT;
	size_t there = 0;

	for (size_t i = 0; i < count; i++)
		there += times[i].timing != NULL;
	if (!there)
		return;
	kb_table_begin(out, id, "Times of one call", heads,
		       KB_ARRAY_LEN(heads), false);
	for (size_t i = 0; i < count; i++)
		if (times[i].timing)
			add_timing(out, times[i].name, times[i].timing);
	kb_table_end(out);
	kb_buf_addf(&chart, "%s-samples", id);
	kb_samples_draw(out, chart.data, times, count);
	for (size_t i = 0; i < count; i++)
		if (times[i].timing)
			add_samples(out, times[i].name, times[i].timing);
}
