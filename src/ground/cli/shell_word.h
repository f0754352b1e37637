#ifndef KB_CLI_SHELL_WORD_H
#define KB_CLI_SHELL_WORD_H

struct kb_buf;

/* Append `word` as a shell reads it as one word: as it is if it has nothing
 * that a shell takes for something else, or between single quotes; with control
 * characters, which are not for a terminal, as $'a\033b' of bash, ksh and
 * zsh. */
void kb_shell_word_print(struct kb_buf *out, const char *word);

#endif
