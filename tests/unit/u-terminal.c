/* What goes to a terminal, or to what COLUMNS says is as wide as one. */

#include "cli/terminal.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/tap.h"

static void check_said(const char *line, const char *want)
{
	const int saved = dup(STDERR_FILENO);
	char text[256] = "";
	int fds[2];

	check(!pipe(fds));
	check(dup2(fds[1], STDERR_FILENO) >= 0);
	kb_stderr_say(line);
	check(dup2(saved, STDERR_FILENO) >= 0);
	close(fds[1]);
	check(read(fds[0], text, sizeof(text) - 1) >= 0);
	close(fds[0]);
	close(saved);
	check_str(text, want);
}

static void test_a_note_is_broken_between_words(void)
{
	static const char note[] = "note: memory is limited for each process";

	unsetenv("COLUMNS");
	check_said(note, "note: memory is limited for each process\n");
	setenv("COLUMNS", "30", 1);
	check_said(note, "note: memory is limited for\n    each process\n");
	check_said("short", "short\n");
	unsetenv("COLUMNS");
}

TAP_MAIN(TAP(test_a_note_is_broken_between_words));
