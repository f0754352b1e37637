#include "pages/html.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "pages/assets.h"
#include "pages/escape.h"
#include "sign/base64.h"
#include "store/digest.h"
#include "version.h"

/* Abort on a conversion that -Wformat accepts and this formatter does not
 * implement. */
static const char *add_conversion(struct kb_buf *out, const char *p,
				  va_list *args)
{
	static const char *const known[] = { "s", "d", "zu", "ld", ".1f", "%" };
	const char *s;
	char number[32];
	size_t which = 0;
	double v;

	while (which < KB_ARRAY_LEN(known) &&
	       strncmp(p, known[which], strlen(known[which])))
		which++;
	switch (which) {
	/* The only way in for strings, so that none can be forgotten: the
	 * format has no conversion that does not escape. */
	case 0:
		s = va_arg(*args, const char *);
		kb_escape_str(out, s ? s : "-");
		break;
	case 1:
		kb_buf_addf(out, "%d", va_arg(*args, int));
		break;
	case 2:
		kb_buf_addf(out, "%zu", va_arg(*args, size_t));
		break;
	case 3:
		kb_buf_addf(out, "%ld", va_arg(*args, long));
		break;
	case 4:
		v = va_arg(*args, double);
		/* Coordinates that round to minus zero depend on how they were
		 * summed up, and pages are compared by bytes. */
		snprintf(number, sizeof(number), "%.1f", v);
		kb_buf_addstr(out, strcmp(number, "-0.0") ? number : "0.0");
		break;
	case 5:
		kb_buf_addch(out, '%');
		break;
	default:
		KB_BUG("not a conversion of markup");
	}
	return p + strlen(known[which]);
}

void kb_html_addf(struct kb_buf *out, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	for (const char *p = fmt; *p;) {
		const size_t plain = strcspn(p, "%");

		kb_buf_add(out, p, plain);
		p += plain;
		if (*p)
			p = add_conversion(out, p + 1, &args);
	}
	va_end(args);
}

/* "'sha256-...'" of what stands between the tags. */
static void add_source(struct kb_buf *out, const void *data, size_t len)
{
	struct kb_digest d;

	kb_digest_of(&d, data, len);
	kb_buf_addstr(out, "'sha256-");
	kb_base64_encode(out, d.bytes, sizeof(d.bytes));
	kb_buf_addch(out, '\'');
}

/* Nothing is loaded, submitted or run but the two texts whose digests are
 * named: a page that somebody mails has no way to tell where it is opened, and
 * markup that got in by a mistake of ours does not run. */
static void add_policy(struct kb_buf *out, const struct kb_buf *style,
		       const struct kb_asset *script)
{
	kb_buf_addstr(out, "<meta http-equiv=\"Content-Security-Policy\" "
		      "content=\"default-src 'none'; base-uri 'none'; "
		      "form-action 'none'; style-src ");
	add_source(out, style->data, style->len);
	kb_buf_addstr(out, "; script-src ");
	add_source(out, script->data, script->len);
	kb_buf_addstr(out, "\">\n");
}

void kb_page_begin(struct kb_buf *out, const struct kb_page *p)
{
	const struct kb_asset page = kb_asset_page_style(),
			      chart = kb_asset_chart_style(),
			      script = kb_asset_script();
	kb_auto(buf) struct kb_buf style = KB_BUF_INIT;

	kb_buf_add(&style, page.data, page.len);
	kb_buf_add(&style, chart.data, chart.len);
	kb_buf_addstr(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		      "<meta charset=\"utf-8\">\n");
	add_policy(out, &style, &script);
	kb_html_addf(out, "<meta name=\"viewport\" "
		     "content=\"width=device-width, initial-scale=1\">\n"
		     "<meta name=\"referrer\" content=\"no-referrer\">\n"
		     "<meta name=\"color-scheme\" content=\"light dark\">\n"
		     KB_PAGE_GENERATOR " %s\">\n"
		     "<title>%s</title>\n<style>", KB_VERSION, p->title);
	kb_buf_add(out, style.data, style.len);
	kb_buf_addstr(out, "</style>\n</head>\n<body>\n");
	if (p->home)
		kb_html_addf(out, "<nav aria-label=\"Breadcrumb\">"
			     "<a href=\"%s\">%s</a></nav>\n",
			     p->home, p->home_title);
	kb_buf_addstr(out, "<main>\n");
}

void kb_page_end(struct kb_buf *out)
{
	const struct kb_asset script = kb_asset_script();

	kb_html_addf(out, "</main>\n<footer>Made by kb-report %s (%s%s) from "
		     "the bundles whose ids it names. The same bundles give "
		     "the same page.</footer>\n<script>", KB_VERSION,
		     *KB_GIT_COMMIT ? KB_GIT_COMMIT : "unknown commit",
		     KB_GIT_DIRTY == 1 ? ", modified" : "");
	kb_buf_add(out, script.data, script.len);
	kb_buf_addstr(out, "</script>\n</body>\n</html>\n");
}
