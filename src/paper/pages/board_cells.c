#include "pages/board_cells.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "pages/board.h"
#include "pages/cells.h"
#include "pages/html.h"
#include "pages/verdict.h"
#include "pages/view.h"

void kb_view_page_file(char out[KB_VIEW_FILE_SIZE], const struct kb_view *v)
{
	snprintf(out, KB_VIEW_FILE_SIZE, "%s.html",
		 kb_short_id(&v->bundle.id).text);
}

void kb_board_title_cell(struct kb_buf *out, const struct kb_view *v,
			 bool has_views)
{
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT;
	char file[KB_VIEW_FILE_SIZE];

	kb_view_name_print(&title, v);
	kb_view_page_file(file, v);
	if (has_views)
		kb_html_addf(out, "<td class=\"t\"><a href=\"%s\">%s</a></td>",
			     file, title.data);
	else
		kb_cell_text(out, title.data);
}

void kb_board_verdict_cell(struct kb_buf *out, const struct kb_view *v)
{
	kb_auto(buf) struct kb_buf words = KB_BUF_INIT;
	const char *class;

	kb_verdict_brief_print(&words, &v->checks);
	class = words.data[0] == 'h' ? "ok" : kb_board_holds(v) ? "open" : "no";
	kb_html_addf(out, "<td class=\"t\"><span class=\"%s\">%s</span></td>",
		     class, words.data);
}

void kb_board_id_cell(struct kb_buf *out, const struct kb_view *v)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&v->bundle.id, hex);
	kb_html_addf(out, "<td class=\"t\"><span class=\"id\" title=\"%s\">%s"
		     "</span></td>", hex, kb_short_id(&v->bundle.id).text);
}
