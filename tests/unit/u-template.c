#include "prompts/template.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"

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
	{ "{c}", "", "a template has a place '{c}' that nothing fills" },
	{ "{}", "", "a template has a place '{}' that nothing fills" },
	{ "{none}", "", "a template has a place '{none}' that nothing fills" },
	{ "{a!r}", "", "a template has a place '{a!r}' that nothing fills" },
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

TAP_MAIN(
	TAP(test_templates_are_filled_once),
	TAP(test_white_space_is_what_python_strips),
);
