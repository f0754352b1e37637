#include "cmd/passed_over.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "import/sources.h"
#include "json/utf8.h"

/* The most names that leave room for the other output on a screen. */
#define SHOWN 8

/* Names are other people's. */
static void print_item(const char *tool, const struct kb_passed_over_item *item)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_utf8_clean_line(&text, item->text, strlen(item->text));
	fprintf(stderr, "%s: %s: %s\n", tool, text.data,
		item->is_emptied ? "an empty candidate stands for it, and fails"
				 : "passed over");
}

void kb_print_passed_over(const char *tool, const struct kb_passed_over *p)
{
	size_t shown = p->count > SHOWN + 1 ? SHOWN : p->count;

	for (size_t i = 0; i < shown; i++)
		print_item(tool, &p->items[i]);
	if (shown < p->count)
		fprintf(stderr, "%s: %zu more were passed over\n", tool,
			p->count - shown);
}
