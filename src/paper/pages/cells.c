#include "pages/cells.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/record.h"
#include "manifest/suite.h"
#include "pages/html.h"
#include "pages/outcomes.h"
#include "sheet/format.h"
#include "tables/profile_table.h"

static void format_cell(char out[KB_FORMAT_SIZE], enum kb_cell how,
			int64_t value)
{
	switch (how) {
	case KB_CELL_COUNT:
		snprintf(out, KB_FORMAT_SIZE, "%" PRId64, value);
		break;
	case KB_CELL_US:
		/* Intervals may begin below zero, where division and remainder
		 * would each have a sign. */
		out[0] = '-';
		kb_format_us(out + (value < 0), value < 0 ? -value : value);
		break;
	case KB_CELL_RATIO:
		kb_format_ratio(out, value);
		break;
	case KB_CELL_SHARE:
		kb_format_pct(out, value, 1000000);
		break;
	case KB_CELL_MB:
		kb_format_mb(out, value);
		break;
	}
}

void kb_cell_number(struct kb_buf *out, enum kb_cell how, int64_t value)
{
	char text[KB_FORMAT_SIZE];

	if (value == KB_UNKNOWN) {
		kb_buf_addstr(out, "<td data-v=\"\">-</td>");
		return;
	}
	format_cell(text, how, value);
	kb_html_addf(out, "<td data-v=\"%ld\">%s</td>", value, text);
}

/* An end that nothing bounds is said to be unknown, and not shown as a number
 * that is merely large. */
static void format_end(char out[KB_FORMAT_SIZE], enum kb_cell how, int64_t end)
{
	if (end == KB_UNKNOWN || end == INT64_MAX)
		memcpy(out, "unknown", sizeof("unknown"));
	else
		format_cell(out, how, end);
}

void kb_cell_interval(struct kb_buf *out, enum kb_cell how, int64_t low,
		      int64_t high)
{
	char from[KB_FORMAT_SIZE], to[KB_FORMAT_SIZE];

	if (low == KB_UNKNOWN && high == KB_UNKNOWN) {
		kb_buf_addstr(out, "<td data-v=\"\">-</td>");
		return;
	}
	format_end(from, how, low);
	format_end(to, how, high);
	if (low == KB_UNKNOWN)
		kb_buf_addstr(out, "<td data-v=\"\">");
	else
		kb_html_addf(out, "<td data-v=\"%ld\">", low);
	kb_html_addf(out, "%s to %s</td>", from, to);
}

void kb_cell_count(struct kb_buf *out, int64_t count, int64_t of)
{
	char pct[KB_FORMAT_SIZE];

	kb_format_pct(pct, count, of);
	kb_html_addf(out, "<td data-v=\"%ld\">%ld <span class=\"soft\">%s"
		     "</span></td>", count, count, pct);
}

void kb_cell_error(struct kb_buf *out, double error)
{
	char text[KB_FORMAT_SIZE], full[KB_FORMAT_SIZE];

	if (error < 0) {
		kb_buf_addstr(out, "<td data-v=\"\">-</td>");
		return;
	}
	kb_format_error(text, error);
	/* Nine digits, as records have them; people see two. */
	snprintf(full, sizeof(full), "%.9g", error);
	kb_html_addf(out, "<td data-v=\"%s\">%s</td>", full, text);
}

void kb_cell_bound_clock(struct kb_buf *out, const struct kb_clocked_bound *b)
{
	char text[KB_FORMAT_SIZE];

	kb_bound_clock_format(text, b);
	if (b->sm_clock_mhz == KB_UNKNOWN)
		kb_buf_addstr(out, "<td data-v=\"\">");
	else
		kb_html_addf(out, "<td data-v=\"%ld\">", b->sm_clock_mhz);
	kb_html_addf(out, "%s</td>", text);
}

void kb_cell_text(struct kb_buf *out, const char *text)
{
	kb_html_addf(out, "<td class=\"t\">%s</td>", text);
}

void kb_cell_status(struct kb_buf *out, enum kb_status status)
{
	kb_html_addf(out, "<td class=\"t\"><span class=\"status c%d\">%s"
		     "</span></td>", (int)kb_class_of(status),
		     kb_status_name(status));
}

void kb_table_begin(struct kb_buf *out, const char *id, const char *caption,
		    const struct kb_head heads[], size_t count, bool has_filters)
{
	/* A table that is wider than the window is scrolled in its own box, by
	 * the keyboard too, which needs the focus, and a name for who does not
	 * see it. */
	kb_html_addf(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		     "aria-labelledby=\"%s-c\"><table id=\"%s\" data-sort%s>\n"
		     "<caption id=\"%s-c\"><span>%s</span></caption>\n<thead><tr>", id, id,
		     has_filters ? " data-filters" : "", id, caption);
	for (size_t i = 0; i < count; i++) {
		kb_html_addf(out, "<th scope=\"col\" data-of=\"%s\"",
			     heads[i].of);
		kb_buf_addstr(out, heads[i].is_text ? " class=\"t\"" : "");
		kb_buf_addstr(out, heads[i].is_filter ? " data-filter" : "");
		kb_html_addf(out, ">%s</th>", heads[i].text);
	}
	kb_buf_addstr(out, "</tr></thead>\n<tbody>\n");
}

void kb_table_end(struct kb_buf *out)
{
	kb_buf_addstr(out, "</tbody></table></div>\n");
}

void kb_fact_begin(struct kb_buf *out, const char *name)
{
	kb_html_addf(out, "<dt>%s</dt><dd>", name);
}

void kb_fact_end(struct kb_buf *out)
{
	kb_buf_addstr(out, "</dd>\n");
}

void kb_fact(struct kb_buf *out, const char *name, const char *text)
{
	kb_fact_begin(out, name);
	kb_html_addf(out, "%s", text);
	kb_fact_end(out);
}

void kb_fact_suite(struct kb_buf *out, const struct kb_suite *s)
{
	kb_fact_begin(out, "suite");
	kb_html_addf(out, "%s", s->name);
	if (s->world > 1)
		kb_html_addf(out, ", %d ranks a problem", s->world);
	kb_fact_end(out);
}

void kb_fact_id(struct kb_buf *out, const char *name,
		const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	kb_fact_begin(out, name);
	kb_html_addf(out, "<span class=\"id\">%s</span>", hex);
	kb_fact_end(out);
}

/* As canonical JSON but for strings, which stand without quotes. */
static void add_value(struct kb_buf *out, const struct kb_json *v)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (kb_json_type(v) == KB_JSON_STRING) {
		kb_html_addf(out, "%s", kb_json_string_value(v));
		return;
	}
	kb_json_print(&text, v);
	kb_html_addf(out, "%s", text.data);
}

static void add_members(struct kb_buf *out, const struct kb_json *object,
			const char *section)
{
	for (const struct kb_json *m = kb_json_first(object); m;
	     m = kb_json_next(m)) {
		kb_html_addf(out, "<dt>%s%s%s</dt><dd>", section ? section : "",
			     section ? "." : "", kb_json_key(m));
		add_value(out, m);
		kb_fact_end(out);
	}
}

void kb_facts_of_json(struct kb_buf *out, const char *summary,
		      const struct kb_json *object)
{
	kb_html_addf(out, "<details><summary>%s</summary>"
		     "<dl class=\"facts\">\n", summary);
	for (const struct kb_json *m = kb_json_first(object); m;
	     m = kb_json_next(m)) {
		if (kb_json_type(m) == KB_JSON_OBJECT) {
			add_members(out, m, kb_json_key(m));
			continue;
		}
		kb_fact_begin(out, kb_json_key(m));
		add_value(out, m);
		kb_fact_end(out);
	}
	kb_buf_addstr(out, "</dl></details>\n");
}
