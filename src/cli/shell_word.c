#include "cli/shell_word.h"

#include <string.h>

#include "base/buf.h"

#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" \
	      "0123456789_@%+=:,./-"

void kb_shell_word_print(struct kb_buf *out, const char *word)
{
	if (*word && !word[strspn(word, PLAIN)]) {
		kb_buf_addstr(out, word);
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
