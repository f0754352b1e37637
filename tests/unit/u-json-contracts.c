/* What no caller may do with JSON aborts. */

#include "json/json.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/dies.h"
#include "lib/tap.h"

static void print_a_float(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_json *v = NULL;

	if (kb_json_parse(&v, "0.5", 3, KB_JSON_FOREIGN, "t", NULL) == 0)
		kb_json_print(&out, v);
}

static void print_a_repeated_key(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_json *o = kb_json_object();

	kb_json_set_int(o, "a", 1);
	kb_json_set_int(o, "a", 1);
	kb_json_print(&out, o);
}

static void print_too_deep(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_json *v = kb_json_array();

	for (int i = 0; i < KB_JSON_DEPTH_MAX; i++) {
		struct kb_json *around = kb_json_array();

		kb_json_append(around, v);
		v = around;
	}
	kb_json_print(&out, v);
}

static void build_a_large_integer(void)
{
	kb_json_int(KB_JSON_INT_MAX + 1);
}

static void build_a_string_of_bad_utf8(void)
{
	kb_json_string("\xff");
}

static void build_a_key_of_bad_utf8(void)
{
	kb_json_set(kb_json_object(), "\xc0\x80", kb_json_null());
}

static void put_a_value_twice(void)
{
	struct kb_json *list = kb_json_array(), *v = kb_json_null();

	kb_json_append(list, v);
	kb_json_append(list, v);
}

static void free_a_child(void)
{
	struct kb_json *list = kb_json_array(), *v = kb_json_null();

	kb_json_append(list, v);
	kb_json_free(v);
}

static void append_to_an_object(void)
{
	kb_json_append(kb_json_object(), kb_json_null());
}

static void look_for_a_string_in_an_integer(void)
{
	kb_json_string_value(kb_json_int(1));
}

static void test_broken_contracts_abort(void)
{
	check(dies(print_a_float));
	check(dies(print_a_repeated_key));
	check(dies(print_too_deep));
	check(dies(build_a_large_integer));
	check(dies(build_a_string_of_bad_utf8));
	check(dies(build_a_key_of_bad_utf8));
	check(dies(put_a_value_twice));
	check(dies(free_a_child));
	check(dies(append_to_an_object));
	check(dies(look_for_a_string_in_an_integer));
}

TAP_MAIN(TAP(test_broken_contracts_abort));
