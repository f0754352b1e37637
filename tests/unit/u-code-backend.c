#include "manifest/code_words.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"

/* Names and characters, those of strings behind a quote; statements and strings
 * begin behind a bar. */
static void check_words(const char *code, const char *want)
{
	kb_auto(code_words) struct kb_code_words w = KB_CODE_WORDS_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_code_words_read(&w, code, strlen(code));
	for (size_t i = 0; i < w.count; i++)
		kb_buf_addf(&text, "%s%s%.*s ", w.items[i].is_first ? "|" : "",
			    w.items[i].in_string ? "'" : "",
			    (int)w.items[i].len, w.items[i].text);
	check_str(text.data ? text.data : "", want);
}

static void test_words_of_python(void)
{
	static const struct {
		const char *code, *words;
	} table[] = {
		{ "", "" },
		{ "a = b1", "|a = b1 " },
		{ "a; b\nc", "|a |b |c " },
		{ "f(a,\nb)\nc", "|f ( a , b ) |c " },
		{ "a \\\nb", "|a b " },
		{ "if a: b", "|if a : |b " },
		{ "a # b 'c\nd", "|a |d " },
		{ "\"doc\"\na", "|a " },
		{ "def f():\n  '''doc\n\"'''\n  a", "|def f ( ) : |a " },
		{ "f('a b')", "|f ( |'a 'b ) " },
		{ "x = 'a' # b", "|x = |'a " },
		{ "x = r'a\\' b", "|x = |'a '\\ '' 'b " },
		{ "x = rb\"\"\"a\n\"b\"\"\"\ny", "|x = |'a |y " },
		{ "x = '''a", "|x = |'a " },
		{ "x = 'a\ny", "|x = |'a |y " },
		{ "'a' + 'b'", "|'a + |'b " },
		{ ")", "|) " },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		check_words(table[i].code, table[i].words);
}

static void test_words_of_strings_are_those_of_c(void)
{
	static const struct {
		const char *code, *words;
	} table[] = {
		{ "x = '''// a\nb'''", "|x = |'b " },
		{ "x = '''/* a\n b */c'''", "|x = |'c " },
		{ "x = '''/* a'''", "|x = " },
		{ "x = '''f(\"a b\") c'''", "|x = |'f '( ') 'c " },
		{ "x = '''#include <a.h>'''",
		  "|x = |'# 'include '< 'a '. 'h '> " },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		check_words(table[i].code, table[i].words);
}

TAP_MAIN(TAP(test_words_of_python), TAP(test_words_of_strings_are_those_of_c));
