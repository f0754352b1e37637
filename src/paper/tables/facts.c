#include "tables/facts.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "sheet/format.h"

void kb_fact_print(struct kb_buf *out, const char *name, const char *fmt, ...)
{
	kb_auto(mem) char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = kb_xvasprintf(fmt, ap);
	va_end(ap);
	kb_buf_addf(out, "%-*s", KB_FACT_NAME_WIDTH, name);
	kb_format_text(out, text);
	kb_buf_addch(out, '\n');
}
