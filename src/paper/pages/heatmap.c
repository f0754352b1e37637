#include "pages/heatmap.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "pages/board.h"
#include "pages/figures.h"
#include "pages/html.h"
#include "pages/outcomes.h"
#include "sheet/format.h"

/* Steps of the square root of two around 1 and of two beyond: as far apart for
 * slower as for faster. */
int kb_heat_shade(int64_t speedup_micro)
{
	static const int64_t ends_micro[KB_SHADES - 1] = {
		250000, 500000, 707107, 1000000, 1414214, 2000000, 4000000,
	};
	int shade = 0;

	while (shade < KB_SHADES - 1 && speedup_micro > ends_micro[shade])
		shade++;
	return shade;
}

/* The row that counts, or NULL. */
static const struct kb_view_row *find_row(const struct kb_view *v,
					  struct kb_key key)
{
	size_t count;
	const struct kb_view_row *r = kb_key_find(v->rows, v->row_count,
						  sizeof(*v->rows), key,
						  &count);

	for (size_t i = 0; r && i < count; i++)
		if (r[i].is_judged)
			return &r[i];
	return NULL;
}

static void add_speedup(struct kb_buf *out, const struct kb_view_row *r)
{
	const struct kb_reach *s = &r->speedup;
	const bool is_undecided = s->low_micro <= 1000000 &&
				  s->high_micro > 1000000;
	char text[KB_FORMAT_SIZE];

	kb_format_ratio(text, s->speedup_micro);
	kb_html_addf(out, "<td class=\"s%d%s\" data-v=\"%ld\">%s</td>",
		     kb_heat_shade(s->speedup_micro), is_undecided ? " u" : "",
		     s->speedup_micro, text);
}

static void add_cell(struct kb_buf *out, const struct kb_view_row *r)
{
	const enum kb_class class = r ? kb_class_of(r->status) :
					KB_CLASS_MISSING;

	if (r && r->has_speedup)
		add_speedup(out, r);
	else
		kb_html_addf(out, "<td class=\"f%d\" data-v=\"\" title=\"%s\">"
			     "%s</td>", (int)class, r ?
			     kb_status_name(r->status) : "missing",
			     kb_class_letter(class));
}

static void add_heads(struct kb_buf *out, const struct kb_board *b,
		      const struct kb_ranking *r)
{
	kb_buf_addstr(out, "<thead><tr><th scope=\"col\" class=\"t\">problem"
		      "</th>");
	for (size_t i = 0; i < r->count; i++) {
		const struct kb_view *v = &b->views[r->views[i]];
		kb_auto(buf) struct kb_buf title = KB_BUF_INIT;

		kb_view_name_print(&title, v);
		kb_html_addf(out, "<th scope=\"col\">%s</th>", title.data);
	}
	kb_buf_addstr(out, "</tr></thead>\n<tbody>\n");
}

static void add_legend(struct kb_buf *out)
{
	kb_buf_addstr(out, "<figcaption>Speedup over the baseline; underlined "
		      "where it is undecided whether it is faster. ");
	for (int c = KB_CLASS_WRONG; c < KB_CLASS_COUNT; c++)
		kb_html_addf(out, "%s%s: %s", c == KB_CLASS_WRONG ? "" : ", ",
			     kb_class_letter((enum kb_class)c),
			     kb_class_name((enum kb_class)c));
	kb_html_addf(out, ", %s: correct, without a time.</figcaption>",
		     kb_class_letter(KB_CLASS_CORRECT));
}

static void add_rows(struct kb_buf *out, const struct kb_board *b,
		     const struct kb_ranking *r)
{
	const struct kb_view *first = &b->views[r->views[0]];

	for (size_t i = 0; i < first->row_count; i++) {
		char key[KB_KEY_SIZE];

		if (!first->rows[i].is_judged)
			continue;
		kb_key_format(key, first->rows[i].key);
		kb_html_addf(out, "<tr><th scope=\"row\" class=\"t\">%s</th>",
			     key);
		for (size_t j = 0; j < r->count; j++)
			add_cell(out, find_row(&b->views[r->views[j]],
					       first->rows[i].key));
		kb_buf_addstr(out, "</tr>\n");
	}
}

void kb_heatmap_print(struct kb_buf *out, const struct kb_board *b,
		      size_t ranking)
{
	const struct kb_ranking *r = &b->rankings[ranking];

	kb_html_addf(out, "<details><summary>Problem by submission"
		     "</summary>\n<figure><div class=\"wide\" tabindex=\"0\" "
		     "role=\"region\" aria-label=\"Problem by submission of "
		     "ranking %zu\"><table class=\"heat\" id=\"heat-%zu\" "
		     "data-sort>", ranking + 1, ranking + 1);
	add_heads(out, b, r);
	add_rows(out, b, r);
	kb_buf_addstr(out, "</tbody></table></div>");
	add_legend(out);
	kb_buf_addstr(out, "</figure></details>\n");
}
