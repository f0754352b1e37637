#include "serving/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/record.h"
#include "manifest/result.h"
#include "score/reward.h"

static const struct kb_reward *reward(const char *name)
{
	const struct kb_reward *r = NULL;

	check(kb_reward_find(&r, name, NULL) == 0);
	return r;
}

static void test_a_verdict_is_a_line(void)
{
	kb_auto(json) struct kb_json *id = kb_json_string("a\"b");
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	const struct kb_served v = {
		.status = KB_STATUS_CORRECT, .log = (char[]){ "x\n" },
		.candidate = (char[]){ "00" }, .speedup_micro = 1500000,
		.low_micro = 1250000, .high_micro = KB_UNKNOWN,
		.time_ns = 2500, .reference_ns = 3750, .clock = "device",
	};

	kb_served_print(&out, &v, &(struct kb_served_as){
			.id = id, .is_quick = true, .attempts = 3,
			.built_ns = 500000000, .measured_ns = 1000000000,
			.total_ns = 2000000000, .reward = reward("kernelgym"),
			.is_remembered = true });
	check_str(out.data,
		  "{\"id\":\"a\\\"b\",\"status\":\"correct\",\"reason\":null,"
		  "\"speedup\":1.5,\"low\":1.25,\"high\":null,"
		  "\"device_us\":2.5,\"reference_us\":3.75,\"clock\":\"device\","
		  "\"log\":\"x\\n\",\"candidate\":\"00\",\"policy\":\"screen\","
		  "\"attempts\":3,\"build_s\":0.5,\"device_s\":1.0,"
		  "\"queued_s\":0.5,\"reward\":1.25,\"remembered\":true}\n");
}

static void test_no_verdict_is_a_line(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_unserved_print(&out, NULL, "bad '\xff'\n");
	check_str(out.data, "{\"id\":null,\"error\":\"bad '?'\\n\"}\n");
}

/* It says nothing about the candidate. */
static void test_a_reference_that_failed_has_no_reward(void)
{
	kb_auto(json) struct kb_json *id = kb_json_int(1);
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	const struct kb_served v = {
		.status = KB_STATUS_REFERENCE_FAILED,
		.candidate = (char[]){ "00" }, .speedup_micro = KB_UNKNOWN,
		.low_micro = KB_UNKNOWN, .high_micro = KB_UNKNOWN,
		.time_ns = KB_UNKNOWN, .reference_ns = KB_UNKNOWN,
	};

	kb_served_print(&out, &v, &(struct kb_served_as){
			.id = id, .reward = reward("binary") });
	check(!strstr(out.data, "reward"));
}

/* Whole characters, as many as there is room for. */
static void test_a_log_is_cut(void)
{
	kb_auto(mem) char *log = kb_xcalloc(1, KB_SERVED_LOG_BYTES_MAX + 10);
	struct kb_result r = KB_RESULT_INIT;
	struct kb_served v;

	memset(log, 'x', KB_SERVED_LOG_BYTES_MAX - 1);
	strcpy(log + KB_SERVED_LOG_BYTES_MAX - 1, "\xc3\xa9z");
	r.outcome.status = KB_STATUS_BUILD_FAILED;
	r.outcome.log = log;
	kb_served_from_result(&v, &r);
	check_int(strlen(v.log), KB_SERVED_LOG_BYTES_MAX - 1);
	check_int(v.speedup_micro, KB_UNKNOWN);
	kb_served_release(&v);
}

TAP_MAIN(
	TAP(test_a_verdict_is_a_line),
	TAP(test_no_verdict_is_a_line),
	TAP(test_a_reference_that_failed_has_no_reward),
	TAP(test_a_log_is_cut),
);
