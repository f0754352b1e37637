#include "cli/terminal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/variable.h"
#include "cli/wrap.h"

#define COLUMNS_MIN 20		/* less is a mistake, or no help */
#define COLUMNS_MAX 10000
#define INDENT 4		/* of lines that go on */

/* The value of COLUMNS, if it is a plausible width. */
static size_t stated_columns(void)
{
	const char *text = kb_variable("COLUMNS");
	char *end;
	long v;

	if (!text || text[strspn(text, "0123456789")])
		return 0;
	v = strtol(text, &end, 10);
	return v >= COLUMNS_MIN && v <= COLUMNS_MAX ? (size_t)v : 0;
}

size_t kb_columns_of(int fd)
{
	const size_t stated = stated_columns();
	struct winsize size;

	if (!isatty(fd))
		return stated;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= COLUMNS_MIN)
		return size.ws_col;
	return stated ? stated : 80;
}

/* As no-color.org and bixense.com/clicolors have it. */
static bool has_colour(int fd)
{
	const char *term = kb_variable("TERM");
	const char *force = kb_variable("CLICOLOR_FORCE");

	if (kb_variable("NO_COLOR"))
		return false;
	if (force && strcmp(force, "0"))
		return true;
	return isatty(fd) && term && strcmp(term, "dumb");
}

struct kb_look kb_stdout_look(void)
{
	return (struct kb_look){ .columns = kb_columns_of(STDOUT_FILENO),
				 .has_colour = has_colour(STDOUT_FILENO) };
}

static void print_wrapped(FILE *to, const char *text)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_wrap_lines_print(&out, text, INDENT, kb_columns_of(fileno(to)));
	fputs(out.data, to);
}

void kb_stdout_print(const char *text)
{
	print_wrapped(stdout, text);
	fflush(stdout);
}

void kb_stderr_say(const char *line)
{
	kb_auto(mem) char *text = kb_xasprintf("%s\n", line);

	print_wrapped(stderr, text);
}

void kb_terminal_hand_on(void)
{
	const struct kb_look look = kb_stdout_look();
	char columns[24];

	if (look.columns) {
		snprintf(columns, sizeof(columns), "%zu", look.columns);
		(void)setenv("COLUMNS", columns, 1);
	}
	if (look.has_colour)
		(void)setenv("CLICOLOR_FORCE", "1", 1);
}
