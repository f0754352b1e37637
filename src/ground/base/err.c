#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Put ": " and `text` behind the message; what does not fit is cut off. */
static void append_text(struct kb_err *err, const char *text)
{
	size_t used = strlen(err->msg);
	size_t room = sizeof(err->msg) - 1 - used;
	size_t len = strlen(text);

	if (room < 2)
		return;
	memcpy(err->msg + used, ": ", 2);
	if (len > room - 2)
		len = room - 2;
	memcpy(err->msg + used + 2, text, len);
	err->msg[used + 2 + len] = '\0';
}

int kb_err(struct kb_err *err, enum kb_err_kind kind, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -(int)kind;

	err->kind = kind;
	err->sys_errno = 0;
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return -(int)kind;
}

int kb_err_sys(struct kb_err *err, const char *fmt, ...)
{
	/* Formatting may change errno, and the caller may look at it as
	 * well. */
	int saved = errno;
	va_list ap;

	if (!err)
		return -(int)KB_ERR_SYS;

	err->kind = KB_ERR_SYS;
	err->sys_errno = saved;
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	append_text(err, strerror(saved));
	errno = saved;
	return -(int)KB_ERR_SYS;
}

int kb_err_wrap(struct kb_err *err, const char *fmt, ...)
{
	char inner[KB_ERR_MSG_MAX];
	va_list ap;

	if (!err)
		return -(int)KB_ERR_SYS;

	/* The new phrase is written where the old one is, which then
	 * follows. */
	memcpy(inner, err->msg, sizeof(inner));
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	append_text(err, inner);
	return -(int)err->kind;
}

int kb_err_take(struct kb_err *err, const struct kb_err *from)
{
	if (err)
		*err = *from;
	return -(int)from->kind;
}
