#include "cli/shell_word.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" \
	      "0123456789_@%+=:,./-"

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == '\x7f';
}

static bool has_control(const char *word)
{
	while (*word && !is_control(*word))
		word++;
	return *word != '\0';
}

static void print_escaped(struct kb_buf *out, const char *word)
{
	kb_buf_addstr(out, "$'");
	for (; *word; word++)
		if (is_control(*word))
			kb_buf_addf(out, "\\%03o", (unsigned char)*word);
		else if (*word == '\'' || *word == '\\')
			kb_buf_addf(out, "\\%c", *word);
		else
			kb_buf_addch(out, *word);
	kb_buf_addch(out, '\'');
}

void kb_shell_word_print(struct kb_buf *out, const char *word)
{
	if (*word && !word[strspn(word, PLAIN)]) {
		kb_buf_addstr(out, word);
		return;
	}
	if (has_control(word)) {
		print_escaped(out, word);
		return;
	}
	kb_buf_addch(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			kb_buf_addstr(out, "'\\''");
		else
			kb_buf_addch(out, *word);
	kb_buf_addch(out, '\'');
}
