#include "manifest/baseline_v1.h"

#include "base/cleanup.h"
#include "lib/records.h"
#include "lib/tap.h"
#include "manifest/reference_result.h"
#include "measure/time_rule.h"

#define TIMING(method, n_small, n_large, small, large, time)		\
	"{\"call_time_ns\":" time ",\"clock\":\"call\","		\
	"\"large_ns\":[" large "],\"method\":\"" method "\","		\
	"\"n_large\":" n_large ",\"n_small\":" n_small ","		\
	"\"small_ns\":[" small "]}"
#define LINE(timing)							\
	"{\"detail\":null,\"exit_status\":null,\"key\":\"1/1\","	\
	"\"level\":1,\"log\":\"\",\"log_truncated\":false,"		\
	"\"mode\":\"eager\",\"oracle\":null,\"phase\":null,"		\
	"\"problem_id\":1,\"signal\":null,\"status\":\"timed\","	\
	"\"timing\":" timing ",\"trial_seeds\":[],\"wall_ns\":1}"

static int read_line(struct kb_reference_result *r, const char *text,
		     struct kb_err *err)
{
	kb_auto(json) struct kb_json *v = record_parse(text);

	return kb_reference_result_from_json_v1(r, v, "line", err);
}

static const struct {
	const char *what, *text;
	int n_small, n_large;
	int64_t small_ns[3], large_ns[3];
	int64_t time_ns;
} timings[] = {
	{ "a slope is as it was",
	  LINE(TIMING("slope", "1", "3", "100,105,110", "300,325,350", "110")),
	  1, 3, { 100, 105, 110 }, { 300, 325, 350 }, 110 },
	{ "a single time is a slope from no calls",
	  LINE(TIMING("single", "1", "1", "300,100,200", "", "200")),
	  0, 1, { 0, 0, 0 }, { 300, 100, 200 }, 200 },
	{ "whatever its size is",
	  LINE(TIMING("single", "4", "4", "1202,1198,1203", "", "301")),
	  0, 4, { 0, 0, 0 }, { 1202, 1198, 1203 }, 301 },
};

static void test_a_timing_is_a_slope(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(timings); i++) {
		kb_auto(reference_result) struct kb_reference_result r =
			KB_REFERENCE_RESULT_INIT;
		struct kb_err err = KB_ERR_INIT;

		if (read_line(&r, timings[i].text, &err) < 0) {
			tap_fail("%s: %s", timings[i].what, err.msg);
			continue;
		}
		check_int(r.timing->n_small, timings[i].n_small);
		check_int(r.timing->n_large, timings[i].n_large);
		check_int((intmax_t)r.timing->small_count, 3);
		check_int((intmax_t)r.timing->large_count, 3);
		for (size_t k = 0; k < 3; k++) {
			check_int(r.timing->small_ns[k],
				  timings[i].small_ns[k]);
			check_int(r.timing->large_ns[k],
				  timings[i].large_ns[k]);
		}
		check_int(r.timing->time_ns, timings[i].time_ns);
		check_int(kb_slope_ns(r.timing), timings[i].time_ns);
	}
}

#define NOT_WITH_METHOD "line: batches do not go with 'method'"

static const struct {
	const char *text, *message;
} refused[] = {
	{ LINE(TIMING("guess", "1", "1", "300", "", "300")),
	  "line: 'method' is 'guess', which is not known" },
	{ LINE(TIMING("slope", "1", "1", "300", "300", "300")),
	  NOT_WITH_METHOD },
	{ LINE(TIMING("slope", "1", "3", "100", "300,300", "100")),
	  NOT_WITH_METHOD },
	{ LINE(TIMING("slope", "1", "3", "", "", "100")), NOT_WITH_METHOD },
	{ LINE(TIMING("single", "1", "3", "300", "", "300")),
	  NOT_WITH_METHOD },
	{ LINE(TIMING("single", "1", "1", "300", "300", "300")),
	  NOT_WITH_METHOD },
	{ LINE(TIMING("single", "1", "1", "", "", "300")), NOT_WITH_METHOD },
	{ LINE(TIMING("single", "0", "1", "300", "", "300")),
	  "line: 'n_small' is 0, want 1 to 1000000000" },
	{ LINE(TIMING("single", "1", "1", "-1", "", "300")),
	  "line: 'small_ns' has an element that is no time" },
};

static void test_what_contradicts_itself_is_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(refused); i++) {
		kb_auto(reference_result) struct kb_reference_result r =
			KB_REFERENCE_RESULT_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(read_line(&r, refused[i].text, &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, refused[i].message);
	}
}

TAP_MAIN(TAP(test_a_timing_is_a_slope),
	 TAP(test_what_contradicts_itself_is_refused));
