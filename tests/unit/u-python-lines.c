#include "source/python_lines.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"

/* Each token of a line, and "|" behind the line. */
static void test_lines_are_pythons(void)
{
	static const char module[] =
		"a = f(1,\n  b'2')  # c\n\n  if x <= 3.5e1: \\\n y\n"
		"z **= 2; u -> v";
	static const char want[] =
		"a = f ( 1 , b'2' ) |if x <= 3.5e1 : y |z **= 2 |u - > v |";
	kb_auto(python_line) struct kb_python_line l = KB_PYTHON_LINE_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_python_line_begin(&l, module, strlen(module));
	while (kb_python_line_read(&l, NULL) > 0) {
		for (size_t i = 0; i < l.count; i++)
			kb_buf_addf(&out, "%.*s ", (int)l.tokens[i].len,
				    l.tokens[i].text);
		kb_buf_addch(&out, '|');
	}
	check_str(out.data, want);
	check_int(l.number, 6);
}

static void test_indentation_is_that_of_the_first_of_a_line(void)
{
	static const char module[] = "if a:\n\n\tb; c\nd; e\n";
	static const bool want[] = { false, true, true, false, false };
	kb_auto(python_line) struct kb_python_line l = KB_PYTHON_LINE_INIT;
	size_t lines = 0;

	kb_python_line_begin(&l, module, strlen(module));
	while (kb_python_line_read(&l, NULL) > 0 && lines < 5)
		check_int(l.is_indented, want[lines++]);
	check_int((intmax_t)lines, 5);
}

static void test_what_is_not_followed_is_refused(void)
{
	static const char module[] = "a\nb = \"\"\"\n";
	kb_auto(python_line) struct kb_python_line l = KB_PYTHON_LINE_INIT;
	struct kb_err err = KB_ERR_INIT;

	kb_python_line_begin(&l, module, strlen(module));
	check_int(kb_python_line_read(&l, &err), 1);
	check_int(kb_python_line_read(&l, &err), -KB_ERR_INPUT);
	check_str(err.msg, "line 3: a string has no end");
}

TAP_MAIN(
	TAP(test_lines_are_pythons),
	TAP(test_indentation_is_that_of_the_first_of_a_line),
	TAP(test_what_is_not_followed_is_refused),
);
