#ifndef KB_CLI_TERMINAL_H
#define KB_CLI_TERMINAL_H

#include <stddef.h>

#include "cli/look.h"

/*
 * How wide the terminal at `fd` is, or is to be taken for: what it says, else
 * what the variable COLUMNS says, else 80. 0 for what is no terminal, unless
 * COLUMNS is set.
 */
size_t kb_columns_of(int fd);

/*
 * For whom standard output is. There are colours on a terminal, unless NO_COLOR
 * is set or TERM is "dumb"; and wherever CLICOLOR_FORCE is, if it is not 0.
 */
struct kb_look kb_stdout_look(void);

/* Text to standard output, at once, so that what goes to standard error next
 * comes behind it. On a terminal lines that are longer are broken between
 * words. */
void kb_stdout_print(const char *text);

/* A line to standard error, broken in the same way. */
void kb_stderr_say(const char *line);

/* Let programs that we run, and whose output we pass on, look as ours. */
void kb_terminal_hand_on(void);

#endif
