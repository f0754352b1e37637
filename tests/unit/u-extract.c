/* Blocks of code in a model's text, and which of them is the candidate. */

#include "generate/block.h"
#include "generate/complete.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"

static const struct {
	const char *text;
	bool python, c;
} texts[] = {
	{ "", true, true },
	{ "f(x[1], {2: 3})", true, true },
	{ "f(x", false, false },
	{ "f x)", false, false },
	{ "f(x]", false, false },
	{ "\"a (\"", true, true },
	{ "\"a \\\" (\"", true, true },
	{ "\"a", false, false },
	{ "\"a\\", false, false },
	{ "\"a\n\"", false, false },
	{ "\"a\\\nb\"", true, true },
	{ "\"\"\"a ( \n ' \"\"\"", true, false },
	{ "'''a \" \n ( '''", true, false },
	{ "\"\"\"a\"\"", false, false },
	{ "# it's (", true, false },
	{ "// it's (", false, true },
	{ "/* it's (\n */", false, true },
	{ "/* (", false, false },
	{ "/*/ (", false, false },
	{ "#error it's (", true, true },
	{ "# warning it's", true, true },
	{ "#include \"x\"", true, true },
	{ "#define f(", true, false },
	{ "1'000'000 + 0xff'ff", false, true },
	{ "'('", true, true },
	{ "R\"(a \" ( )\"", false, true },
	{ "u8R\"x(a )\" )x\"", false, true },
	{ "R\"x(a )\"", true, false },
	{ "BAR\"a\"", true, true },
	{ "r'\\d('", true, true },
	{ "x = [\n1,\n", false, false },
};

static void test_what_begins_also_ends(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		const char *t = texts[i].text;

		check_int(kb_complete_python(t, strlen(t)), texts[i].python);
		check_int(kb_complete_c(t, strlen(t)), texts[i].c);
	}
	check(kb_complete_python("\0", 1));
	check(kb_complete_c("\0", 1));
}

static void test_brackets_have_a_limit(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	for (int i = 0; i < KB_BRACKETS_MAX; i++)
		kb_buf_addstr(&text, i % 2 ? "[" : "(");
	for (int i = KB_BRACKETS_MAX - 1; i >= 0; i--)
		kb_buf_addstr(&text, i % 2 ? "]" : ")");
	check(kb_complete_python(text.data, text.len));
	kb_buf_clear(&text);
	for (int i = 0; i <= KB_BRACKETS_MAX; i++)
		kb_buf_addch(&text, '(');
	for (int i = 0; i <= KB_BRACKETS_MAX; i++)
		kb_buf_addch(&text, ')');
	check(!kb_complete_python(text.data, text.len));
}

static const struct {
	const char *text, *blocks;	/* "<tag>|<code>;" each, '!' if open */
} blocks[] = {
	{ "", "" },
	{ "no fence", "" },
	{ "```\na\n```", "|a\n;" },
	{ "```python\na\n```\n", "python|a\n;" },
	{ "   ```Python x\n   a\n    b\n  c\n   ```", "python|a\n b\nc\n;" },
	{ "    ```\na\n```", "" },
	{ "x ```\na\n```\n", "" },
	{ "``\na\n``", "" },
	{ "~~~ {.c}\n```\n~~~", "c|```\n;" },
	{ "````\n```\na\n```\n````", "|```\na\n```\n;" },
	{ "```\na\n`````  \nb", "|a\n;" },
	{ "```\na\n```b\nc\n```", "|a\n```b\nc\n;" },
	{ "```a`b\nc\n```\nd", "|d\n!;" },
	{ "```\r\na\r\n\r\nb\r\n```\r\n", "|a\n\nb\n;" },
	{ "```py\na", "py|a\n!;" },
	{ "```py\n\n \t\n```\n```c\nx\n```", "c|x\n;" },
	{ "```\n\n\n a \n\n```", "| a\n;" },
	{ "```py\na\n```\n```\nb\n```", "py|a\n;|b\n;" },
	{ "```averyverylongtagindeed\na\n```", "averyverylongta|a\n;" },
	{ "```c++:x.cu\na\n```", "c++|a\n;" },
	{ "```", "" },
	{ "```\n", "" },
};

static void test_blocks_begin_and_end_at_lines(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(blocks); i++) {
		const char *at = blocks[i].text, *end = at + strlen(at);
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct kb_block b;

		while (kb_block_next(&b, &at, end)) {
			kb_buf_addf(&out, "%s|", b.tag);
			kb_block_code(&out, &b);
			kb_buf_addstr(&out, b.is_open ? "!;" : ";");
		}
		check_str(out.data, blocks[i].blocks);
	}
}

#define PY "```py\np = (1)\n```\n"
#define PY_CODE "p = (1)\n"
#define HALF "```py\np = (\n```\n"
#define C "```c\nint x;\n```\n"
#define CU "```cuda\nint y;\n```\n"
#define BARE "```\nz\n```\n"

static const struct {
	const char *text;
	enum kb_backend backend;
	bool was_cut;
	const char *code;		/* NULL: cut off; "": none */
} cases[] = {
	{ "", KB_BACKEND_CUDA, false, "" },
	{ "words", KB_BACKEND_CUDA, true, "" },
	{ PY, KB_BACKEND_CUDA, false, PY_CODE },
	{ PY C, KB_BACKEND_TRITON, false, PY_CODE },
	{ C PY BARE, KB_BACKEND_HIP, false, PY_CODE },
	{ PY HALF, KB_BACKEND_CUTE, false, PY_CODE },
	{ HALF, KB_BACKEND_CUTE, false, "p = (\n" },
	{ HALF C, KB_BACKEND_CUTE, false, "int x;\n" },
	{ C BARE, KB_BACKEND_TILELANG, false, "z\n" },
	{ PY C, KB_BACKEND_NATIVE_C, false, "int x;\n" },
	{ C PY, KB_BACKEND_NATIVE_C, false, "int x;\n" },
	{ CU PY, KB_BACKEND_NATIVE_CUDA, false, "int y;\n" },
	{ C PY, KB_BACKEND_NATIVE_CUDA, false, "int x;\n" },
	{ CU PY, KB_BACKEND_NATIVE_C, false, PY_CODE },
	{ PY "```py\nq", KB_BACKEND_CUDA, false, "q\n" },
	{ PY "```py\nq", KB_BACKEND_CUDA, true, NULL },
	{ PY "```py\nq(", KB_BACKEND_CUDA, false, PY_CODE },
	{ PY "and so", KB_BACKEND_CUDA, true, PY_CODE },
};

static void test_the_last_that_is_tagged_and_whole_else_the_last(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf code = KB_BUF_INIT;
		const char *want = cases[i].code;
		enum kb_extracted got = kb_extract(
			&code, cases[i].text, strlen(cases[i].text),
			cases[i].was_cut, cases[i].backend);

		printf("# %zu\n", i);
		check_int(got, !want ? KB_EXTRACTED_CUT_OFF :
			       *want ? KB_EXTRACTED_CODE :
				       KB_EXTRACTED_NONE);
		check_str(code.data, want ? want : "");
	}
}

TAP_MAIN(TAP(test_what_begins_also_ends),
	 TAP(test_brackets_have_a_limit),
	 TAP(test_blocks_begin_and_end_at_lines),
	 TAP(test_the_last_that_is_tagged_and_whole_else_the_last));
