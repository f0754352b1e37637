#include "source/python_constant.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"

/* Where a module is not refused, its constant 'n', and the module when that is
 * 67. */
static const struct {
	const char *module;
	int64_t value;
	const char *again;
} found[] = {
	{ "n = 4096", 4096, "n = 67" },
	{ "n = 0\n", 0, "n = 67\n" },
	{ "n=5", 5, "n=67" },
	{ "n = 2147483648\n", 2147483648, "n = 67\n" },
	{ "n = 5  # not 6: n = 6\n", 5, "n = 67  # not 6: n = 6\n" },
	{ "n = 5;m = n\r\n", 5, "n = 67;m = n\r\n" },
	{ "'''\nn = 6\n'''\nn = 5\n", 5, "'''\nn = 6\n'''\nn = 67\n" },
	{ "s = 'it\\'s n'\nn = 5\n", 5, "s = 'it\\'s n'\nn = 67\n" },
	{ "s = rb'\\'\\\nn = 6'\nn = 5\n", 5, "s = rb'\\'\\\nn = 6'\nn = 67\n" },
	{ "f = g(\nn=6)\nn = 5\n", 5, "f = g(\nn=6)\nn = 67\n" },
	{ "m = \\\n6\nn = \\\n5\n", 5, "m = \\\n6\nn = \\\n67\n" },
	{ "m = n == 6\nn = 5\n", 5, "m = n == 6\nn = 67\n" },
	{ "def f(n, m=n):\n    n = 6\n\nn = 5\n", 5,
	  "def f(n, m=n):\n    n = 6\n\nn = 67\n" },
	{ "class A:\n\tn = 6\n# n = 6\nn = 5\n", 5,
	  "class A:\n\tn = 6\n# n = 6\nn = 67\n" },
	{ "@f(n)\ndef g(): n = 6\nn = 5", 5, "@f(n)\ndef g(): n = 6\nn = 67" },
	{ "m = [n for n in x]\nx.n = 6\nn = 5\n", 5,
	  "m = [n for n in x]\nx.n = 6\nn = 67\n" },
};

static void test_a_constant_is_found_and_its_digits_alone_replaced(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(found); i++) {
		kb_auto(buf) struct kb_buf module = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;
		struct kb_python_constant c;

		kb_buf_addstr(&module, found[i].module);
		check_int(kb_python_constant_find(&c, module.data, module.len,
						  "n", &err), 0);
		check_str(err.msg, "");
		check_int(c.value, found[i].value);
		kb_python_constant_set(&module, &c, 67);
		check_str(module.data, found[i].again);
	}
}

static const struct {
	const char *module;
	const char *why;
} refused[] = {
	{ "", "'n' is not assigned at top level" },
	{ "m = 5\n", "'n' is not assigned at top level" },
	{ "def f():\n    n = 5\n", "'n' is not assigned at top level" },
	{ "# n = 5\n", "'n' is not assigned at top level" },
	{ "nn = 5\n", "'n' is not assigned at top level" },
	{ "'n = 5'\n", "'n' is not assigned at top level" },
	{ "n = 5\nn = 5\n", "line 2: 'n' is assigned once more" },
	{ "n = 5; n = 6\n", "line 1: 'n' is assigned once more" },
	{ "n = -5\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = +5\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = 5.\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = 05\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = 0x5\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = 1_0\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = 5 * 2\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = (5)\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = [5]\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = '5'\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = m = 5\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = 5 if x else 6\n",
	  "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n =\n", "line 1: 'n' is not assigned a decimal integer alone" },
	{ "n = 2147483649\n", "line 1: 'n' is more than 2147483648" },
	{ "n = 99999999999999999999999999\n",
	  "line 1: 'n' is more than 2147483648" },
	{ "m = n = 5\n", "line 1: 'n' may get another value here" },
	{ "n = 5\n\nn += 1\n", "line 3: 'n' may get another value here" },
	{ "n = 5\nn: int = 6\n", "line 2: 'n' may get another value here" },
	{ "n = 5\nn, m = 6, 7\n", "line 2: 'n' may get another value here" },
	{ "n = 5\nm, n = 6, 7\n", "line 2: 'n' may get another value here" },
	{ "n = 5\nfor n in x: pass\n", "line 2: 'n' may get another value here" },
	{ "n = 5\nimport m as n\n", "line 2: 'n' may get another value here" },
	{ "n = 5\ndel n\n", "line 2: 'n' may get another value here" },
	{ "n = 5\ndef n(): pass\n", "line 2: 'n' may get another value here" },
	{ "n = 5\nasync def n(): pass\n",
	  "line 2: 'n' may get another value here" },
	{ "n = 5\nclass n: pass\n", "line 2: 'n' may get another value here" },
	{ "if x:\n    n = 5\n", "line 2: 'n' may get another value here" },
	{ "if x: n = 5\n", "line 1: 'n' may get another value here" },
	{ "def f():\n    pass\nif x:\n    n = 5\n",
	  "line 4: 'n' may get another value here" },
	{ "n = 5\ndef f():\n    global m, n\n",
	  "line 3: 'n' may get another value here" },
	{ "n = 5\ndef f(): global n\n", "line 2: 'n' may get another value here" },
	{ "n = 5\nm = (n := 6)\n", "line 2: 'n' may get another value here" },
	{ "n = 5\ndef f(x=(n := 6)): pass\n",
	  "line 2: 'n' may get another value here" },
	{ "from m import *\nn = 5\n",
	  "line 1: 'import *' may give 'n' another value" },
	{ "m = '''\n", "line 2: a string has no end" },
	{ "m = '\n'\nn = 5\n", "line 1: a string has no end" },
	{ "m = 'a\\", "line 1: a string has no end" },
	{ "n = 5)\n", "line 1: a bracket is closed that is not open" },
	{ "m = (\nn = 5\n", "line 3: a bracket is open at the end" },
	{ "\xef\xbb\xbfn = 5\n", "line 1: byte 0xef is not read here" },
	{ "m = 1\n\xc3\xb1 = 5\n", "line 2: byte 0xc3 is not read here" },
	{ "\fn = 5\n", "line 1: byte 0x0c is not read here" },
	{ "\\\nn = 5\n", "line 1: byte 0x5c is not read here" },
	{ "n = 5;;\n", "line 1: byte 0x3b is not read here" },
	{ "n = 5 \\ \n", "line 1: byte 0x5c is not read here" },
	{ "n = 5 ?\n", "line 1: byte 0x3f is not read here" },
};

static void test_what_may_be_another_value_is_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(refused); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_python_constant c;

		check_int(kb_python_constant_find(&c, refused[i].module,
						  strlen(refused[i].module),
						  "n", &err), -KB_ERR_INPUT);
		check_str(err.msg, refused[i].why);
	}
}

static void test_a_nul_ends_nothing(void)
{
	static const char outside[] = "n = 5\n\0\nn = 6\n";
	static const char inside[] = "m = '\0'\nn = 6\n";
	struct kb_err err = KB_ERR_INIT;
	struct kb_python_constant c;

	check_int(kb_python_constant_find(&c, outside, sizeof(outside) - 1,
					  "n", &err), -KB_ERR_INPUT);
	check_str(err.msg, "line 2: byte 0x00 is not read here");
	check_int(kb_python_constant_find(&c, inside, sizeof(inside) - 1,
					  "n", &err), -KB_ERR_INPUT);
	check_str(err.msg, "line 1: a string has no end");
}

static void test_names_are_of_ascii_and_not_too_long(void)
{
	char name[KB_CONSTANT_NAME_BYTES_MAX + 2];

	memset(name, 'a', sizeof(name));
	name[KB_CONSTANT_NAME_BYTES_MAX + 1] = '\0';
	check(!kb_constant_name_valid(name));
	name[KB_CONSTANT_NAME_BYTES_MAX] = '\0';
	check(kb_constant_name_valid(name));
	check(kb_constant_name_valid("_n1"));
	check(!kb_constant_name_valid(""));
	check(!kb_constant_name_valid("1n"));
	check(!kb_constant_name_valid("n.m"));
	check(!kb_constant_name_valid("\xc3\xb1"));
}

TAP_MAIN(
	TAP(test_a_constant_is_found_and_its_digits_alone_replaced),
	TAP(test_what_may_be_another_value_is_refused),
	TAP(test_a_nul_ends_nothing),
	TAP(test_names_are_of_ascii_and_not_too_long),
);
