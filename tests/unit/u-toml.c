/* TOML, literals of Python, and templates. */

#include "generate/toml.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "generate/python_literal.h"
#include "generate/template.h"
#include "json/json.h"
#include "lib/tap.h"

static const struct {
	const char *text, *json;	/* or a message */
} toml[] = {
	{ "", "{}" },
	{ "# only a comment", "{}" },
	{ "a = 1\r\nb=-2 # c\n", "{\"a\":1,\"b\":-2}" },
	{ "a.b = true\na.\"c d\" = false", "{\"a\":{\"b\":true,\"c d\":false}}" },
	{ "[a]\nx = 1\n[a.b]\ny = 2\n[c-d_1]\n",
	  "{\"a\":{\"b\":{\"y\":2},\"x\":1},\"c-d_1\":{}}" },
	{ "a = \"x\\t\\\"\\u00e9\\U0001F600\"", "{\"a\":\"x\\t\\\"é😀\"}" },
	{ "a = 'x\\n'", "{\"a\":\"x\\\\n\"}" },
	{ "a = \"\"\"\nx\n\"\"y\"\"\"", "{\"a\":\"x\\n\\\"\\\"y\"}" },
	{ "a = \"\"\"x\\\n   \n  y\"\"\"", "{\"a\":\"xy\"}" },
	{ "a = \"\"\"x\"\"\"\"\"", "{\"a\":\"x\\\"\\\"\"}" },
	{ "a = '''\r\n\\x\r\n'''", "{\"a\":\"\\\\x\\n\"}" },
	{ "a = [1, 'b', # c\n  [],\n]", "{\"a\":[1,\"b\",[]]}" },
	{ "a = {b = 1, c.d = 'e'}\n", "{\"a\":{\"b\":1,\"c\":{\"d\":\"e\"}}}" },
	{ "a = {}", "{\"a\":{}}" },
	{ "a = 1\na = 2", "line 2 of f: the key is there twice" },
	{ "a = 1\n[a]", "line 2 of f: the key is no table" },
	{ "a = 1\na.b = 2", "line 2 of f: the key is no table" },
	{ "[[a]]", "line 1 of f: arrays of tables are not read" },
	{ "[a", "line 1 of f: ']' is wanted" },
	{ "a", "line 1 of f: '=' is wanted after the key" },
	{ "a =", "line 1 of f: a value is wanted" },
	{ "= 1", "line 1 of f: a key is wanted" },
	{ "a = 1 2", "line 1 of f: there is more after the value" },
	{ "a = 1.5", "line 1 of f: of numbers, plain integers are read alone" },
	{ "a = 2026-11-21",
	  "line 1 of f: of numbers, plain integers are read alone" },
	{ "a = 9007199254740992", "line 1 of f: the integer is too large" },
	{ "a = \"x", "line 1 of f: the string has no end" },
	{ "a = \"x\n\"", "line 1 of f: the string has no end" },
	{ "a = \"\"\"x\"\"", "line 1 of f: the string has no end" },
	{ "a = \"\\q\"",
	  "line 1 of f: the string has an escape that TOML does not have" },
	{ "a = \"\\u0000\"",
	  "line 1 of f: the string has an escape that TOML does not have" },
	{ "a = \"\\ud800\"",
	  "line 1 of f: the string has an escape that TOML does not have" },
	{ "a = '\x01'", "line 1 of f: the string has a control character" },
	{ "\n\na = [1 2]", "line 3 of f: ',' or ']' is wanted" },
	{ "a = {b = 1", "line 1 of f: ',' or '}' is wanted" },
	{ "a = \xff", "f: is not UTF-8 text" },
	{ "a = [[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]",
	  "line 1 of f: values are nested too deep" },
	{ "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s = 1",
	  "line 1 of f: the key has too many parts" },
};

static const struct {
	const char *text, *json;
} literals[] = {
	{ "", "{}" },
	{ "\"\"\"What\nit is\"\"\"\n\nA = 1\n", "{\"A\":1}" },
	{ "A = {'b': \"c\", # d\n 'e': [1, -2, (True, False, None),],\n}",
	  "{\"A\":{\"b\":\"c\",\"e\":[1,-2,[true,false,null]]}}" },
	{ "A = ('x' \"y\"\n  'z')", "{\"A\":[\"xyz\"]}" },
	{ "A = r'\\d' u'e'", "{\"A\":\"\\\\de\"}" },
	{ "A = 'it\\'s \\u00e9\\\n'", "{\"A\":\"it's é\"}" },
	{ "A = '''x\n'''", "{\"A\":\"x\\n\"}" },
	{ "A = 1\r\nB = 2\r\n", "{\"A\":1,\"B\":2}" },
	{ "import os", "line 1 of f: an assignment of a literal is wanted" },
	{ "A = f(1)", "line 1 of f: a literal is wanted" },
	{ "A = os.environ", "line 1 of f: a literal is wanted" },
	{ "A = 1 + 2", "line 1 of f: there is more after the literal" },
	{ "A = 1.5", "line 1 of f: there is more after the literal" },
	{ "A = 1\nA = 2", "line 2 of f: the name is assigned twice" },
	{ "A = {1: 2}", "line 1 of f: a string is wanted for a key" },
	{ "A = {'b' 2}", "line 1 of f: ':' is wanted after the key" },
	{ "A = {'b': 1, 'b': 2}", "line 1 of f: the key is there twice" },
	{ "A = [1 2]",
	  "line 1 of f: ',' or the closing bracket is wanted" },
	{ "A = [", "line 1 of f: a literal is wanted" },
	{ "A = 'x", "line 1 of f: the string has no end" },
	{ "A = 'x\n'", "line 1 of f: the string has no end" },
	{ "A = '\\x41'",
	  "line 1 of f: the string has an escape that is not read" },
	{ "A = [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]",
	  "line 1 of f: values are nested too deep" },
};

typedef int parser(struct kb_json **out, const void *data, size_t len,
		   const char *name, struct kb_err *err);

static void check_parsed(parser *parse, const char *text, const char *want)
{
	kb_auto(json) struct kb_json *v = NULL;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = parse(&v, text, strlen(text), "f", &err);

	if (ret == 0)
		kb_json_print(&out, v);
	check_int(ret, *want == '{' ? 0 : -KB_ERR_INPUT);
	check_str(ret < 0 ? err.msg : out.data, want);
}

static void test_toml_is_read_or_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(toml); i++)
		check_parsed(kb_toml_parse, toml[i].text, toml[i].json);
}

static void test_members_keep_their_order(void)
{
	static const char text[] = "[b]\nz = 1\na = 2\n[a]\n";
	kb_auto(json) struct kb_json *v = NULL;

	check_int(kb_toml_parse(&v, text, strlen(text), "f", NULL), 0);
	check_str(kb_json_key(kb_json_first(v)), "b");
	check_str(kb_json_key(kb_json_first(kb_json_first(v))), "z");
}

static void test_literals_are_read_or_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(literals); i++)
		check_parsed(kb_python_literals_parse, literals[i].text,
			     literals[i].json);
}

static const struct kb_placeholder with[] = {
	{ "a", "1" }, { "b", "{a}" }, { "none", NULL }, { NULL, NULL },
};

static const struct {
	const char *text, *filled, *msg;
} templates[] = {
	{ "", "", "" },
	{ "x{a}y{a}", "x1y1", "" },
	{ "{b}", "{a}", "" },
	{ "{{a}} {{{a}}}", "{a} {1}", "" },
	{ "{c}", "", "a template wants '{c}', which there is none of" },
	{ "{}", "", "a template wants '{}', which there is none of" },
	{ "{none}", "", "a template wants '{none}', which there is none of" },
	{ "{a!r}", "", "a template wants '{a!r}', which there is none of" },
	{ "{a", "", "a template has a '{' without '}'" },
	{ "x}", "x", "a template has a '}' without '{'" },
};

static void test_templates_are_filled_once(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(templates); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;
		int ret = kb_template_fill(&out, templates[i].text, with,
					   &err);

		check_int(ret, *templates[i].msg ? -KB_ERR_INPUT : 0);
		check_str(out.data, templates[i].filled);
		check_str(err.msg, templates[i].msg);
	}
}

static void test_white_space_is_what_python_strips(void)
{
	static const char text[] = " \t\r\n\v\f\x1c\x1f" "a b" "\x1d\n";
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_template_strip(&out, text, strlen(text));
	check_str(out.data, "a b");
	kb_buf_clear(&out);
	kb_template_strip(&out, " \n", 2);
	check_str(out.data, "");
}

TAP_MAIN(TAP(test_toml_is_read_or_refused),
	 TAP(test_members_keep_their_order),
	 TAP(test_literals_are_read_or_refused),
	 TAP(test_templates_are_filled_once),
	 TAP(test_white_space_is_what_python_strips));
