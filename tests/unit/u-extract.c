/* Blocks of code in a model's text, and which of them is the candidate. */

#include "answers/block.h"
#include "answers/complete.h"

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

		while (kb_block_next(&b, &at, end, KB_EXTRACTION_BLOCKS_1)) {
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
			cases[i].was_cut,
			(struct kb_extraction){ cases[i].backend,
						KB_EXTRACTION_BLOCKS_1 });

		printf("# %zu\n", i);
		check_int(got, !want ? KB_EXTRACTED_CUT_OFF :
			       *want ? KB_EXTRACTED_CODE :
				       KB_EXTRACTED_NONE);
		check_str(code.data, want ? want : "");
	}
}

/* --- blocks-2 ------------------------------------------------------------ */

static const struct {
	const char *text, *blocks;	/* as above */
} listed[] = {
	{ "    ```\na\n```", "|a\n;" },
	{ "1.  **Code**\n\n    ```py\n    a:\n      b\n    ```\n\n2. c",
	  "py|a:\n  b\n;" },
	{ "- ```py\n  a\n  ```\n", "py|a\n;" },
	{ "12) * ```py\n      a\n      ```\n", "py|a\n;" },
	{ "\t```py\n\ta\n\t\tb\n\t```\n", "py|a\n\tb\n;" },
	{ "    ```py\na:\n    b\n    ```\n", "py|a:\n    b\n;" },
	{ "      ```py\n\n    a:\n      b\n```\n", "py|a:\n  b\n;" },
	{ "```py\na = \"\"\"\n    ```\n    b\n    ```\n\"\"\"\n```\n",
	  "py|a = \"\"\"\n    ```\n    b\n    ```\n\"\"\"\n;" },
	{ "```py\n- ```\na\n```\n", "py|- ```\na\n;" },
	{ "-```\na\n1.```\n", "" },
	{ "a - ```\nb\n", "" },
	{ "- ", "" },
	{ "7", "" },
};

static void test_blocks_may_be_in_lists(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(listed); i++) {
		const char *at = listed[i].text, *end = at + strlen(at);
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct kb_block b;

		while (kb_block_next(&b, &at, end, KB_EXTRACTION_BLOCKS_2)) {
			kb_buf_addf(&out, "%s|", b.tag);
			kb_block_code(&out, &b);
			kb_buf_addstr(&out, b.is_open ? "!;" : ";");
		}
		check_str(out.data, listed[i].blocks);
	}
}

static const struct {
	const char *text;
	bool python, c;			/* defines it */
} definitions[] = {
	{ "", false, false },
	{ "class it:", true, false },
	{ "import x\nclass  it(nn.Module):", true, false },
	{ "if x:\n    class it:", true, false },
	{ "class it", true, false },
	{ "x = ((\nclass it:", true, false },
	{ "it = compile(x)", true, false },
	{ "it=x", true, false },
	{ "it == x", false, false },
	{ "f(\nit=x)", false, false },
	{ "class items:", false, false },
	{ "class item(it):", false, false },
	{ "m = it()", false, false },
	{ "# class it:", false, false },
	{ "\"\"\"\nclass it:\n\"\"\"", false, false },
	{ "from x import it", false, false },
	{ "int it(int x) {", false, true },
	{ "int it(int (*f)(int))\n/* so */\n{\n}", false, true },
	{ "extern \"C\" {\nint it(void)\n{", false, true },
	{ "int it(int x);", false, false },
	{ "int main(void) { if (it(1)) { } }", false, false },
	{ "// int it(int x) {\n", false, false },
	{ "/* int it(int x) { */", false, false },
	{ "\"int it(int x) {\"", false, false },
	{ "int it2(int x) {", false, false },
	{ "int x = it;", false, false },
	{ "it(", false, false },
};

static void test_a_definition_is_no_use_and_no_text(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(definitions); i++) {
		const char *t = definitions[i].text;

		printf("# %zu\n", i);
		check_int(kb_defines_python(t, strlen(t), "it"),
			  definitions[i].python);
		check_int(kb_defines_c(t, strlen(t), "it"), definitions[i].c);
	}
}

#define NEW_CODE "class ModelNew(nn.Module):\n    x = 1\n"
#define NEW "```python\n" NEW_CODE "```\n"
#define NEW_BARE "```\n" NEW_CODE "```\n"
#define NEW_HALF_CODE "class ModelNew(nn.Module):\n    x = (1\n"
#define NEW_HALF "```python\n" NEW_HALF_CODE "```\n"
#define NEW_OPEN "```python\n" NEW_CODE
#define USE "```python\nm = ModelNew()\n```\n"
#define OLD "```python\nclass Model(nn.Module):\n    x = 1\n```\n"
#define KB_CODE "int kb_forward(const struct kb_native_call *call)\n{\n}\n"
#define KB "```c\n" KB_CODE "```\n"
#define CALL "```c\nint main(void) { return kb_forward(0); }\n```\n"

static const struct {
	const char *text;
	enum kb_backend backend;
	bool was_cut;
	const char *code;		/* NULL: cut off; "": none */
} asked[] = {
	{ NEW USE, KB_BACKEND_TRITON, false, NEW_CODE },
	{ NEW OLD, KB_BACKEND_TRITON, false, NEW_CODE },
	{ OLD NEW USE OLD, KB_BACKEND_CUDA, false, NEW_CODE },
	{ NEW_HALF NEW USE, KB_BACKEND_CUDA, false, NEW_CODE },
	{ NEW NEW_HALF USE, KB_BACKEND_CUDA, false, NEW_CODE },
	{ NEW_HALF USE, KB_BACKEND_CUDA, false, NEW_HALF_CODE },
	{ NEW_BARE USE, KB_BACKEND_CUDA, false, NEW_CODE },
	{ NEW "```python\nclass ModelNew: y = 2\n```\n", KB_BACKEND_CUDA,
	  false, "class ModelNew: y = 2\n" },
	{ "1. x\n\n    ```python\n    class ModelNew: y = 2\n    ```\n2. " USE,
	  KB_BACKEND_CUDA, false, "class ModelNew: y = 2\n" },
	{ OLD, KB_BACKEND_CUDA, false,
	  "class Model(nn.Module):\n    x = 1\n" },
	{ PY C, KB_BACKEND_TRITON, false, PY_CODE },
	{ PY HALF, KB_BACKEND_CUTE, false, PY_CODE },
	{ KB CALL, KB_BACKEND_NATIVE_C, false, KB_CODE },
	{ KB NEW, KB_BACKEND_NATIVE_CUDA, false, KB_CODE },
	{ KB NEW, KB_BACKEND_CUDA, false, NEW_CODE },
	/* cut off */
	{ NEW "```python\nm = Mod", KB_BACKEND_CUDA, true, NEW_CODE },
	{ NEW NEW_OPEN, KB_BACKEND_CUDA, true, NULL },
	{ NEW NEW_OPEN, KB_BACKEND_CUDA, false, NEW_CODE },
	{ USE "```python\nm = (", KB_BACKEND_CUDA, true, NULL },
	{ NEW_OPEN, KB_BACKEND_CUDA, true, NULL },
	{ NEW_OPEN, KB_BACKEND_CUDA, false, NEW_CODE },
	/* reasoning */
	{ "```python\nclass ModelNew:\nno.\n</think>\n\n" NEW,
	  KB_BACKEND_CUDA, false, NEW_CODE },
	{ "<think>" NEW "</think>" USE, KB_BACKEND_CUDA, false,
	  "m = ModelNew()\n" },
	{ "<think>" NEW "</think> </think> That is all.", KB_BACKEND_CUDA,
	  false, "" },
	{ " <think>\n" NEW, KB_BACKEND_CUDA, true, "" },
	{ " <think>\n" NEW, KB_BACKEND_CUDA, false, NEW_CODE },
	{ "<think", KB_BACKEND_CUDA, true, "" },
	{ "<think></think>" NEW, KB_BACKEND_CUDA, true, NEW_CODE },
};

static void test_the_last_that_defines_what_is_asked_for(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(asked); i++) {
		kb_auto(buf) struct kb_buf code = KB_BUF_INIT;
		const char *want = asked[i].code;
		enum kb_extracted got = kb_extract(
			&code, asked[i].text, strlen(asked[i].text),
			asked[i].was_cut,
			(struct kb_extraction){ asked[i].backend,
						KB_EXTRACTION_BLOCKS_2 });

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
	 TAP(test_the_last_that_is_tagged_and_whole_else_the_last),
	 TAP(test_blocks_may_be_in_lists),
	 TAP(test_a_definition_is_no_use_and_no_text),
	 TAP(test_the_last_that_defines_what_is_asked_for));
