#include "verify/gpus.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/taken_out.h"
#include "score/remeasure.h"
#include "unit/verify_world.h"

static void test_an_id_is_what_stands_before_the_reason(void)
{
	static const struct {
		const char *text, *id;	/* NULL: it is no such text */
	} cases[] = {
		{ "", NULL },
		{ "GPU-1", NULL },
		{ "GPU-1:", NULL },
		{ "GPU-1: ", NULL },
		{ ": lost", NULL },
		{ "GPU-1:lost", NULL },
		{ "GPU-1: lost", "GPU-1" },
		{ "GPU-1: Xid 79: lost", "GPU-1" },
		{ "sha256:ab: lost", "sha256:ab" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(mem) char *id = kb_taken_out_id(cases[i].text);

		check_str(id ? id : "none",
			  cases[i].id ? cases[i].id : "none");
	}
}

static void test_a_text_is_taken_apart_as_it_was_made(void)
{
	kb_auto(mem) char *text = kb_taken_out_text("GPU-1", "Xid 79: lost");
	kb_auto(mem) char *id = kb_taken_out_id(text);

	check_str(text, "GPU-1: Xid 79: lost");
	check_str(id, "GPU-1");
}

static void check_replaced(const char *environment, const char *texts,
			   const char *want)
{
	kb_auto(json) struct kb_json *before = parse(environment);
	kb_auto(json) struct kb_json *list = parse(texts);
	kb_auto(json) struct kb_json *after = kb_taken_out_replace(before,
								   list);
	kb_auto(json) struct kb_json *wanted = parse(want);

	if (!kb_json_equal(after, wanted))
		tap_fail("%s and %s", environment, texts);
}

static void test_an_environment_has_each_once_and_no_others(void)
{
	check_replaced("{\"cpu\":{}}", "[]", "{\"cpu\":{}}");
	check_replaced("{\"cpu\":{}}", "[\"a: b\"]", "{\"cpu\":{}}");
	check_replaced("{\"gpu\":{\"ecc\":true}}", "[]",
		       "{\"gpu\":{\"ecc\":true}}");
	check_replaced("{\"gpu\":{\"ecc\":true}}",
		       "[\"a: b\",\"c: d\",\"a: b\"]",
		       "{\"gpu\":{\"ecc\":true,"
		       "\"taken_out\":[\"a: b\",\"c: d\"]}}");
	check_replaced("{\"gpu\":{\"taken_out\":[\"a: b\"]}}", "[\"c: d\"]",
		       "{\"gpu\":{\"taken_out\":[\"c: d\"]}}");
	check_replaced("{\"gpu\":{\"taken_out\":[\"a: b\"]}}", "[]",
		       "{\"gpu\":{}}");
}

#define GPUS "\"uuid\":\"GPU-0\",\"uuids\":[\"GPU-0\",\"GPU-1\"]"

static void test_those_that_were_taken_out_are_the_run_s(void)
{
	static const struct {
		const char *gpu;
		int ret;
		const char *message;
	} cases[] = {
		{ "{}", 0, "" },
		{ "{" GPUS "}", 0, "" },
		{ "{\"unavailable\":\"why\"}", 0, "" },
		{ "{\"uuid\":\"GPU-0\",\"uuids\":[\"GPU-0\",5,\"GPU-1\"]}",
		  -KB_ERR_INPUT, "'uuids' is no list of several GPUs" },
		{ "{\"uuid\":\"GPU-0\",\"uuids\":[\"GPU-0\",null]}",
		  -KB_ERR_INPUT, "'uuids' is no list of several GPUs" },
		{ "{" GPUS ",\"taken_out\":[\"GPU-0: lost\"]}", 1, "" },
		{ "{" GPUS ",\"taken_out\":[\"GPU-0: lost\",\"GPU-1: lost\","
		  "\"GPU-1: Xid 79\"]}", 1, "" },
		{ "{\"uuid\":\"GPU-0\",\"taken_out\":[\"GPU-0: lost\"]}", 1,
		  "" },
		{ "{" GPUS ",\"taken_out\":[\"GPU-2: lost\"]}", -KB_ERR_INPUT,
		  "'taken_out' has 'GPU-2', which is none of the environment's "
		  "GPUs" },
		{ "{" GPUS ",\"taken_out\":[\"GPU-0: lost\",\"GPU-1\"]}",
		  -KB_ERR_INPUT, "'taken_out' has 'GPU-1', which is no id and "
				 "a reason" },
		{ "{" GPUS ",\"taken_out\":[\"GPU-1: a\",\"GPU-1: a\"]}",
		  -KB_ERR_INPUT, "'taken_out' has 'GPU-1: a' twice" },
		{ "{" GPUS ",\"taken_out\":[]}", -KB_ERR_INPUT,
		  "'taken_out' is no list of GPUs" },
		{ "{" GPUS ",\"taken_out\":\"GPU-1: a\"}", -KB_ERR_INPUT,
		  "'taken_out' is no list of GPUs" },
		{ "{" GPUS ",\"taken_out\":{\"unavailable\":\"why\"}}",
		  -KB_ERR_INPUT, "'taken_out' is no list of GPUs" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(json) struct kb_json *gpu = parse(cases[i].gpu);
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_gpus_check(gpu, &err), cases[i].ret);
		check_str(err.msg, cases[i].message);
	}
}

static void test_gpus_are_told_by_ids_of_one_kind(void)
{
	static const char *const plain[] = { "GPU-0", "GPU-1", "GPU-2" };
	static const char *const hashes[] = { "sha256:a", "sha256:b" };
	static const struct {
		const char *gpu;	/* of the record */
		const char *const *here;
		size_t count;
		bool is_salted;
		struct kb_gpus_again want;
	} cases[] = {
		{ "{\"uuid\":\"GPU-0\"}", plain, 1, false, { 1, 1, 1 } },
		{ "{\"uuid\":\"GPU-3\"}", plain, 3, false, { 1, 3, 0 } },
		{ "{" GPUS "}", plain, 3, false, { 2, 3, 2 } },
		{ "{\"uuid\":\"GPU-2\",\"uuids\":[]}", plain, 3, false,
		  { 1, 3, 1 } },
		{ "{\"uuid\":\"sha256:b\"}", hashes, 2, true, { 1, 2, 1 } },
		/* Nothing is known. */
		{ "{\"uuid\":\"sha256:b\"}", plain, 1, false, { 0 } },
		{ "{\"uuid\":\"GPU-0\"}", hashes, 1, true, { 0 } },
		{ "{\"uuid\":\"GPU-0\"}", plain, 0, false, { 0 } },
		{ "{\"uuid\":{\"unavailable\":\"why\"}}", plain, 1, false,
		  { 0 } },
		{ "{\"unavailable\":\"why\"}", plain, 1, false, { 0 } },
		{ "{}", hashes, 1, true, { 0 } },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(json) struct kb_json *gpu = parse(cases[i].gpu);
		struct kb_gpus_again got = { 9, 9, 9 };

		kb_gpus_compare(&got, gpu, cases[i].here, cases[i].count,
				cases[i].is_salted);
		check_int(got.claimed, cases[i].want.claimed);
		check_int(got.here, cases[i].want.here);
		check_int(got.same, cases[i].want.same);
	}
}

static void test_a_record_of_a_cpu_has_no_gpus(void)
{
	static const char *const here[] = { "GPU-0" };
	struct kb_gpus_again got = { 9, 9, 9 };

	kb_gpus_compare(&got, NULL, here, 1, false);
	check_int(got.claimed, 0);
	check_int(got.here, 0);
	check_int(got.same, 0);
}

TAP_MAIN(TAP(test_an_id_is_what_stands_before_the_reason),
	 TAP(test_a_text_is_taken_apart_as_it_was_made),
	 TAP(test_an_environment_has_each_once_and_no_others),
	 TAP(test_those_that_were_taken_out_are_the_run_s),
	 TAP(test_gpus_are_told_by_ids_of_one_kind),
	 TAP(test_a_record_of_a_cpu_has_no_gpus));
