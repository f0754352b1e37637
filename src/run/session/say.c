/* Messages of a session: see session/session.h. */

#include "session/session.h"

#include <stdarg.h>

#include "base/alloc.h"
#include "base/cleanup.h"

void kb_session_say(const struct kb_session *s, const char *fmt, ...)
{
	kb_auto(mem) char *line = NULL;
	va_list ap;

	if (!s->say)
		return;
	va_start(ap, fmt);
	line = kb_xvasprintf(fmt, ap);
	va_end(ap);
	s->say(line);
}
