/* Words that a shell reads as they were. */

#include "cli/shell_word.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"

static const struct {
	const char *word, *text;
} words[] = {
	{ "plain-0.1_x/@last:score", "plain-0.1_x/@last:score" },
	{ "", "''" },
	{ "two words", "'two words'" },
	{ "$HOME", "'$HOME'" },
	{ "~", "'~'" },
	{ "it's", "'it'\\''s'" },
	{ "a*b", "'a*b'" },
	{ "-x", "-x" },
	{ "a\n\x1b[2J'\\", "$'a\\012\\033[2J\\'\\\\'" },
	{ "\xc3\xa9", "'\xc3\xa9'" },
};

static void test_what_a_shell_would_change_is_quoted(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(words); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		kb_shell_word_print(&out, words[i].word);
		check_str(out.data, words[i].text);
	}
}

TAP_MAIN(TAP(test_what_a_shell_would_change_is_quoted));
