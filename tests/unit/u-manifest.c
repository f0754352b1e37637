#include <fcntl.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/records.h"
#include "lib/tap.h"
#include "manifest/lines.h"
#include "manifest/problem_audit.h"

#define HEX64 "00112233445566778899aabbccddeeff" \
	      "00112233445566778899aabbccddeeff"

static void test_status_names_are_read_back(void)
{
	for (int i = 0; i < KB_STATUS_COUNT; i++) {
		enum kb_status status = KB_STATUS_COUNT;

		check_int(kb_status_parse(&status,
					  kb_status_name((enum kb_status)i),
					  NULL), 0);
		check_int(status, i);
	}
	for (int i = KB_PHASE_NONE + 1; i < KB_PHASE_COUNT; i++) {
		enum kb_phase phase = KB_PHASE_COUNT;

		check_int(kb_phase_parse(&phase,
					 kb_phase_name((enum kb_phase)i),
					 NULL), 0);
		check_int(phase, i);
	}
}

static void test_status_unknown_is_refused(void)
{
	static const char *const unknown[] = { "", "Correct", "correct ",
					       "timedout", "null" };

	for (size_t i = 0; i < KB_ARRAY_LEN(unknown); i++) {
		enum kb_status status;
		enum kb_phase phase;

		check_int(kb_status_parse(&status, unknown[i], NULL),
			  -KB_ERR_INPUT);
		check_int(kb_phase_parse(&phase, unknown[i], NULL),
			  -KB_ERR_INPUT);
	}
}

static void test_compiled_is_what_got_as_far_as_running(void)
{
	static const struct {
		enum kb_status status;
		enum kb_phase phase;
		bool compiled;
	} cases[] = {
		{ KB_STATUS_CORRECT, KB_PHASE_NONE, true },
		{ KB_STATUS_MISMATCH, KB_PHASE_RUN, true },
		{ KB_STATUS_RUN_FAILED, KB_PHASE_RUN, true },
		{ KB_STATUS_CRASHED, KB_PHASE_RUN, true },
		{ KB_STATUS_CRASHED, KB_PHASE_LOAD, false },
		{ KB_STATUS_TIMED_OUT, KB_PHASE_BUILD, false },
		{ KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_LOAD, false },
		{ KB_STATUS_BUILD_FAILED, KB_PHASE_BUILD, false },
		{ KB_STATUS_BUILD_FAILED, KB_PHASE_LOAD, false },
		{ KB_STATUS_LOAD_FAILED, KB_PHASE_LOAD, false },
		{ KB_STATUS_REFERENCE_FAILED, KB_PHASE_NONE, false },
		{ KB_STATUS_MISSING, KB_PHASE_NONE, false },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		check(kb_status_fits_phase(cases[i].status, cases[i].phase));
		check_int(kb_status_compiled(cases[i].status, cases[i].phase),
			  cases[i].compiled);
	}
}

/* The same list stands in manifests/, for readers without our code. */
static void check_enum(const struct kb_json *defs, const char *name,
		       bool (*has)(enum kb_status status))
{
	const struct kb_json *v = kb_json_find(kb_json_find(defs, name),
					       "enum");
	int listed = 0, ours = 0;

	for (v = kb_json_first(v); v; v = kb_json_next(v), listed++) {
		enum kb_status status = KB_STATUS_MISSING;

		check_int(kb_status_parse(&status, kb_json_string_value(v),
					  NULL), 0);
		check(has(status));
	}
	for (int i = 0; i < KB_STATUS_COUNT; i++)
		ours += has((enum kb_status)i);
	check_int(listed, ours);
}

/* Names that are read back, each with its number. */
static void check_names(const struct kb_json *defs, const char *name,
			bool (*read)(int *number, const char *text), int count)
{
	const struct kb_json *v = kb_json_find(kb_json_find(defs, name),
					       "enum");
	int listed = 0;

	for (v = kb_json_first(v); v; v = kb_json_next(v), listed++) {
		int number = -1;

		check(read(&number, kb_json_string_value(v)));
		check_int(number, listed);
	}
	check_int(listed, count);
}

static bool read_mode(int *number, const char *text)
{
	enum kb_mode mode;

	if (kb_mode_parse(&mode, text, NULL) < 0)
		return false;
	*number = (int)mode;
	return true;
}

static bool read_runtime(int *number, const char *text)
{
	enum kb_runtime runtime;

	if (kb_runtime_parse(&runtime, text, NULL) < 0)
		return false;
	*number = (int)runtime;
	return true;
}

static bool read_dtype(int *number, const char *text)
{
	enum kb_dtype dtype;

	if (kb_dtype_parse(&dtype, text, NULL) < 0)
		return false;
	*number = (int)dtype - KB_FLOAT64;
	return true;
}

static bool read_finding(int *number, const char *text)
{
	for (int i = 0; i < KB_FINDING_COUNT; i++)
		if (!strcmp(kb_finding_name((enum kb_finding)i), text))
			*number = i;
	return *number >= 0;
}

static void test_schema_lists_the_same_names(void)
{
	const char *root = getenv("KB_SRC") ? getenv("KB_SRC") : ".";
	kb_auto(mem) char *path =
		kb_xasprintf("%s/manifests/common.schema.json", root);
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	kb_auto(json) struct kb_json *schema = NULL;
	const struct kb_json *defs;

	check_int(kb_file_read(&buf, AT_FDCWD, path, 1 << 20, NULL), 0);
	check_int(kb_json_parse(&schema, buf.data, buf.len, KB_JSON_FOREIGN,
				path, NULL), 0);
	if (!schema)
		return;
	defs = kb_json_find(schema, "$defs");
	check_enum(defs, "candidate_status", kb_status_of_candidate);
	check_enum(defs, "reference_status", kb_status_of_reference);
	check_names(defs, "mode", read_mode, KB_MODE_COUNT);
	check_enum(defs, "audit_status", kb_status_of_audit);
	check_names(defs, "runtime", read_runtime, KB_RUNTIME_COUNT);
	check_names(defs, "dtype", read_dtype, KB_DTYPE_COUNT - KB_FLOAT64);
	check_names(defs, "finding", read_finding, KB_FINDING_COUNT);
}

static void test_mode_and_clock_names_are_read_back(void)
{
	struct kb_err err = KB_ERR_INIT;
	enum kb_clock clock;

	for (int i = 0; i < KB_MODE_COUNT; i++) {
		enum kb_mode mode = KB_MODE_COUNT;

		check_int(kb_mode_parse(&mode, kb_mode_name((enum kb_mode)i),
					NULL), 0);
		check_int(mode, i);
	}
	for (int i = 0; i < KB_CLOCK_COUNT; i++) {
		check_int(kb_clock_parse(&clock,
					 kb_clock_name((enum kb_clock)i),
					 NULL), 0);
		check_int(clock, i);
	}
	check_int(kb_clock_parse(&clock, "wall", &err), -KB_ERR_INPUT);
	check_str(err.msg, "no clock is called 'wall', there are: call, device");
}

static void test_signals_have_names(void)
{
	static const struct {
		int signal;
		const char *name;
	} known[] = {
		{ 11, "SIGSEGV" }, { 6, "SIGABRT" }, { 9, "SIGKILL" },
		{ 8, "SIGFPE" }, { 31, "SIGSYS" },
	};
	char name[KB_SIGNAL_NAME_SIZE];

	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		kb_signal_name(name, known[i].signal);
		check_str(name, known[i].name);
	}
}

static void test_keys_have_one_spelling(void)
{
	static const struct {
		const char *text;
		int ret;
	} cases[] = {
		{ "", -KB_ERR_INPUT },		{ "1/19", 0 },
		{ "1/1", 0 },			{ "99/999999", 0 },
		{ "0/1", -KB_ERR_INPUT },	{ "1/0", -KB_ERR_INPUT },
		{ "01/1", -KB_ERR_INPUT },	{ "1/01", -KB_ERR_INPUT },
		{ "100/1", -KB_ERR_INPUT },	{ "1/1000000", -KB_ERR_INPUT },
		{ "1", -KB_ERR_INPUT },		{ "1/", -KB_ERR_INPUT },
		{ "/1", -KB_ERR_INPUT },	{ "1/2/3", -KB_ERR_INPUT },
		{ "+1/2", -KB_ERR_INPUT },	{ "1/-2", -KB_ERR_INPUT },
		{ " 1/2", -KB_ERR_INPUT },	{ "1/2 ", -KB_ERR_INPUT },
		{ "4294967297/1", -KB_ERR_INPUT },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_key key;
		char again[KB_KEY_SIZE];

		check_int(kb_key_parse(&key, cases[i].text, NULL),
			  cases[i].ret);
		if (cases[i].ret < 0)
			continue;
		kb_key_format(again, key);
		check_str(again, cases[i].text);
	}
}

static void test_key_find_gives_the_whole_run(void)
{
	static const struct kb_key keys[] = {
		{ 1, 1 }, { 1, 3 }, { 1, 3 }, { 1, 3 }, { 2, 1 },
	};
	size_t run;

	check(!kb_key_find(NULL, 0, sizeof(keys[0]), keys[0], &run));
	check_int(run, 0);
	check(kb_key_find(keys, 5, sizeof(keys[0]), keys[2], &run) == &keys[1]);
	check_int(run, 3);
	check(kb_key_find(keys, 5, sizeof(keys[0]), keys[4], &run) == &keys[4]);
	check_int(run, 1);
	check(!kb_key_find(keys, 5, sizeof(keys[0]),
			   (struct kb_key){ 1, 2 }, &run));
	check_int(run, 0);
}

/*
 * One good value of each form, in canonical encoding. What is refused is
 * told as changes to these.
 */
#define TOOL "\"tool\":{\"git_commit\":null,\"git_dirty\":null," \
	     "\"name\":\"kb-eval\",\"version\":\"0.1.0\"}"
#define ENVIRONMENT							\
	"\"environment\":{\"compiler\":{\"unavailable\":\"no cc\"},"	\
	"\"cpu\":{\"cores\":2,\"flags\":[\"avx2\"],\"model\":\"x\"},"	\
	"\"device\":{\"kind\":\"cpu\"},\"isolation\":{},"		\
	"\"os\":{\"release\":{\"unavailable\":\"hidden\"}},"		\
	"\"python\":{},\"torch\":{\"mkldnn\":true}}"
#define TIMING								\
	"{\"call_time_ns\":50,\"clock\":\"call\",\"large_ns\":[300],"	\
	"\"method\":\"slope\",\"n_large\":5,\"n_small\":1,"		\
	"\"small_ns\":[100]}"
#define CUDA_ENVIRONMENT						\
	"\"environment\":{\"compiler\":{},\"cpu\":{},"			\
	"\"cuda\":{\"nvcc\":{\"unavailable\":\"no nvcc\"}},"		\
	"\"device\":{\"kind\":\"cuda\"},\"driver\":{\"version\":\"580\"}," \
	"\"gpu\":{\"name\":\"x\"},\"isolation\":{},\"os\":{},"		\
	"\"python\":{},\"torch\":{}}"
#define SLOPE_BY_DEVICE(large)						\
	"{\"call_time_ns\":50,\"clock\":\"device\",\"large_ns\":[" large "]," \
	"\"method\":\"slope\",\"n_large\":3,\"n_small\":1,"		\
	"\"small_ns\":[100]}"
#define TELEMETRY							\
	"{\"memory_clock_mhz_max\":null,\"memory_clock_mhz_min\":null," \
	"\"power_mw_max\":700000,\"reasons\":4,\"samples\":9,"	\
	"\"sm_clock_mhz_max\":1980,\"sm_clock_mhz_min\":1965,"		\
	"\"temperature_c_max\":61}"
#define DEVICE_TIMING							\
	"{\"after_ns\":49,\"batches\":" SLOPE_BY_DEVICE("200") ","	\
	"\"before_ns\":51,\"call_ending\":\"budget\","		\
	"\"decider\":\"publishing\","					\
	"\"ending\":\"interval\","					\
	"\"few_calls\":" SLOPE_BY_DEVICE("201") ",\"high_ns\":60,"	\
	"\"low_ns\":-3,\"no_gate\":null,\"publish_ns\":20,"		\
	"\"publishing\":" SLOPE_BY_DEVICE("240") ",\"repeated\":1,"	\
	"\"telemetry\":" TELEMETRY ",\"time_ns\":50}"
#define NO_DEVICE_TIMING						\
	"{\"after_ns\":null,\"batches\":null,\"before_ns\":null,"	\
	"\"call_ending\":\"trials\","					\
	"\"decider\":null,\"ending\":null,\"few_calls\":null,"		\
	"\"high_ns\":null,\"low_ns\":null,"				\
	"\"no_gate\":\"forward() waits\",\"publish_ns\":null,"	\
	"\"publishing\":null,\"repeated\":0,"				\
	"\"telemetry\":" TELEMETRY ",\"time_ns\":null}"
#define NEAR "{\"1e-2\":2,\"1e-4\":1,\"equal\":0}"
#define DIFFERENCE							\
	"{\"max_abs\":\"0.5\",\"max_rel\":\"0.5\",\"within\":" NEAR "}"
#define METRICS								\
	"\"compiled\":3,\"correct\":2,\"fast\":["			\
	"{\"count\":2,\"p_milli\":0},{\"count\":2,\"p_milli\":500},"	\
	"{\"count\":1,\"p_milli\":800},{\"count\":1,\"p_milli\":1000},"	\
	"{\"count\":0,\"p_milli\":1500},{\"count\":0,\"p_milli\":2000}]," \
	"\"geomean_speedup_micro\":900000"

#define ORACLE_OUTPUT "{\"max_abs\":\"4\",\"max_abs_error\":\"2.5e-07\"," \
		      "\"rms\":\"1.5\",\"rms_error\":\"1e-07\"}"
#define ORACLE "{\"draws\":3,\"outputs\":[" ORACLE_OUTPUT "]," \
	       "\"unavailable\":null}"
#define TWO_ORACLE "{\"draws\":1,\"outputs\":[null," ORACLE_OUTPUT "]," \
		   "\"unavailable\":null}"
#define NO_ORACLE "{\"draws\":0,\"outputs\":null," \
		  "\"unavailable\":\"not enough memory\"}"

static const char suite_text[] =
	"{\"kind\":\"suite\",\"name\":\"demo\",\"parents\":[],\"problems\":["
	"{\"facts\":null,"
	"\"file\":\"data/problems/level1/19_ReLU.py\",\"key\":\"1/19\","
	"\"level\":1,\"name\":\"19_ReLU\",\"problem_id\":19,"
	"\"runtime\":\"torch\",\"sha256\":\"" HEX64 "\",\"size_bytes\":5},"
	"{\"facts\":null,"
	"\"file\":\"data/problems/level2/3_axpy.c\",\"key\":\"2/3\","
	"\"level\":2,\"name\":\"3_axpy\",\"problem_id\":3,"
	"\"runtime\":\"native\",\"sha256\":\"" HEX64 "\",\"size_bytes\":0},"
	"{\"facts\":null,"
	"\"file\":\"data/problems/level2/4_axpy.cu\",\"key\":\"2/4\","
	"\"level\":2,\"name\":\"4_axpy\",\"problem_id\":4,"
	"\"runtime\":\"cuda\",\"sha256\":\"" HEX64 "\",\"size_bytes\":0}],"
	"\"schema_version\":1,\"upstream_commit\":null,\"version\":null}";

static const char submission_text[] =
	"{\"candidates\":["
	"{\"file\":\"data/candidates/level1/problem19/sample0.py\","
	"\"level\":1,\"problem_id\":19,\"runtime\":\"torch\",\"sample_id\":0,"
	"\"sha256\":\"" HEX64 "\",\"size_bytes\":5},"
	"{\"file\":\"data/candidates/level1/problem19/sample1.c\","
	"\"level\":1,\"problem_id\":19,\"runtime\":\"native\",\"sample_id\":1,"
	"\"sha256\":\"" HEX64 "\",\"size_bytes\":6}],"
	"\"date\":\"2026-11-21T12:00:00Z\",\"display_name\":null,"
	"\"kind\":\"submission\",\"max_tokens\":4096,\"model\":\"m\","
	"\"notes\":null,\"organization\":null,\"parents\":[],"
	"\"prompt_sha256\":null,\"run_name\":null,"
	"\"samples_per_problem\":2,\"schema_version\":1,\"seed\":-1,"
	"\"server_type\":null,\"source_format\":\"folder\","
	"\"temperature\":\"0.70\",\"top_p\":null}";

static const char baseline_text[] =
	"{" ENVIRONMENT ",\"kind\":\"baseline\",\"match_key\":{\"a\":\"b\"},"
	"\"mode\":\"eager\",\"options\":{},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"suite\"}],"
	"\"policy\":{\"trials\":5},\"problems\":[\"1/19\",\"2/3\"],"
	"\"schema_version\":1," TOOL "}";

static const char cuda_baseline_text[] =
	"{" CUDA_ENVIRONMENT ",\"kind\":\"baseline\",\"match_key\":{},"
	"\"mode\":\"compile:max-autotune-no-cudagraphs\",\"options\":{},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"suite\"}],"
	"\"policy\":{},\"problems\":[\"1/19\"],"
	"\"schema_version\":1," TOOL "}";

static const char evaluation_text[] =
	"{" ENVIRONMENT ",\"kind\":\"evaluation\",\"match_key\":{},"
	"\"options\":{\"seed\":\"1\"},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"suite\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"submission\"}],"
	"\"policy\":{},\"problems\":[],\"schema_version\":1,"
	"\"status_counts\":{}," TOOL "}";

static const char score_text[] =
	"{\"allowed_mismatches\":[{\"baseline\":\"2.6\","
	"\"evaluation\":\"2.5\",\"field\":\"torch\"}],"
	"\"definition\":{\"fast_p_strict\":true},\"kind\":\"score\","
	"\"levels\":[{" METRICS ",\"level\":1,\"problems\":4,"
	"\"status_counts\":{\"correct\":2,\"crashed\":2}}],"
	"\"match_key\":{\"torch\":\"2.5\"},\"options\":{},"
	"\"overall\":{" METRICS ",\"problems\":4,"
	"\"status_counts\":{\"correct\":2,\"crashed\":2}},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"evaluation\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"baseline\"}],"
	"\"schema_version\":1," TOOL "}";

#define SHARE "{\"exact\":\"1/2\",\"ppm\":500000}"
#define SHARES "[" SHARE "," SHARE "," SHARE "," SHARE "," SHARE "," SHARE "]"
#define SURE(p) "{\"certain\":1,\"count\":2,\"p_milli\":" p ",\"undecided\":1}"
#define SURE_METRICS \
	"\"at_k\":[{\"fast\":" SHARES ",\"k\":1,\"pass\":" SHARE "}," \
	"{\"fast\":" SHARES ",\"k\":2,\"pass\":" SHARE "}]," \
	"\"compiled\":3,\"correct\":2,\"fast\":[" SURE("0") "," SURE("500") \
	"," SURE("800") "," SURE("1000") "," SURE("1500") "," SURE("2000") "]," \
	"\"geomean_high_micro\":1600000,\"geomean_low_micro\":null," \
	"\"geomean_speedup_micro\":1500000"

static const char sure_score_text[] =
	"{\"allowed_mismatches\":[],\"definition\":{\"preset\":\"kb\"},"
	"\"kind\":\"score\","
	"\"levels\":[{" SURE_METRICS ",\"level\":1,\"problems\":4,"
	"\"status_counts\":{\"correct\":2,\"crashed\":2}}],"
	"\"match_key\":{},\"options\":{},"
	"\"overall\":{" SURE_METRICS ",\"problems\":4,"
	"\"status_counts\":{\"correct\":2,\"crashed\":2}},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"evaluation\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"baseline\"}],"
	"\"schema_version\":1," TOOL ",\"warnings\":[{\"limit_ppm\":30000,"
	"\"median_micro\":1040000,\"problems\":2,\"warning\":\"drift\"}]}";

static const char shares_score_text[] =
	"{\"allowed_mismatches\":[],\"definition\":{},\"kind\":\"score\","
	"\"levels\":[],\"match_key\":{},\"options\":{},"
	"\"overall\":{\"compiled\":3,\"correct\":2,\"fast\":["
	"{\"count\":2,\"p_milli\":0},{\"count\":2,\"p_milli\":500},"
	"{\"count\":2,\"p_milli\":800},{\"count\":1,\"p_milli\":1000},"
	"{\"count\":0,\"p_milli\":1500},{\"count\":0,\"p_milli\":2000}],"
	"\"geomean_speedup_micro\":null,\"geomean_speedup_nano\":null,"
	"\"problems\":4,\"shares\":{\"compiled\":" SHARE ",\"correct\":" SHARE
	",\"fast\":" SHARES "},\"status_counts\":{}},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"evaluation\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"baseline\"}],"
	"\"schema_version\":1," TOOL ",\"warnings\":[]}";

#define NO_METRICS "{\"compiled\":0,\"correct\":0,\"fast\":["		\
	"{\"count\":0,\"p_milli\":0},{\"count\":0,\"p_milli\":500},"	\
	"{\"count\":0,\"p_milli\":800},{\"count\":0,\"p_milli\":1000},"	\
	"{\"count\":0,\"p_milli\":1500},{\"count\":0,\"p_milli\":2000}],"	\
	"\"geomean_speedup_micro\":null,\"problems\":1,"		\
	"\"status_counts\":{}}"

static const char sound_text[] =
	"{\"allowed_mismatches\":[],\"definition\":{},\"kind\":\"score\","
	"\"levels\":[],\"match_key\":{},\"options\":{},"
	"\"overall\":" NO_METRICS ","
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"evaluation\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"baseline\"}],"
	"\"schema_version\":1,\"sound\":{\"metrics\":" NO_METRICS ","
	"\"suite\":\"" HEX64 "\",\"unknown\":0,\"unsound\":0,"
	"\"verdicts\":\"known\"}," TOOL "}";

static const char not_sound_text[] =
	"{\"allowed_mismatches\":[],\"definition\":{},\"kind\":\"score\","
	"\"levels\":[],\"match_key\":{},\"options\":{},"
	"\"overall\":" NO_METRICS ","
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"evaluation\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"baseline\"}],"
	"\"schema_version\":1,\"sound\":{\"metrics\":null,"
	"\"suite\":\"" HEX64 "\",\"unknown\":1,\"unsound\":0,"
	"\"verdicts\":\"suite_absent\"}," TOOL "}";

static const char result_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"exit_status\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"hi\\n\","
	"\"log_truncated\":false,\"oracle\":" ORACLE ","
	"\"outputs\":[{\"elements\":8,"
	"\"max_abs_error\":\"1.5e-07\",\"max_rel_error\":\"inf\","
	"\"mismatched\":0,\"nan\":0,\"rms_error\":\"0\"}],\"phase\":null,"
	"\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	"\"signal\":null,\"status\":\"correct\",\"timing\":" TIMING ","
	"\"trial_seeds\":[\"" HEX64 "\"],\"wall_ns\":12}";

static const char crash_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":\"it fell over\","
	"\"exit_status\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":true,\"oracle\":" NO_ORACLE ","
	"\"outputs\":null,\"phase\":\"load\","
	"\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	"\"signal\":\"SIGSEGV\",\"status\":\"crashed\",\"timing\":null,"
	"\"trial_seeds\":[],\"wall_ns\":12}";

static const char reference_text[] =
	"{\"detail\":null,\"exit_status\":null,\"key\":\"1/19\",\"level\":1,"
	"\"log\":\"\",\"log_truncated\":false,\"mode\":\"eager\","
	"\"oracle\":" ORACLE ","
	"\"phase\":null,\"problem_id\":19,\"signal\":null,"
	"\"status\":\"timed\",\"timing\":" TIMING ",\"trial_seeds\":[],"
	"\"wall_ns\":12}";

static const char device_result_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"device_timing\":" DEVICE_TIMING ",\"exit_status\":null,"
	"\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,\"oracle\":" TWO_ORACLE ","
	"\"outputs\":null,\"phase\":null,"
	"\"problem_id\":19,\"reference_device_timing\":" DEVICE_TIMING ","
	"\"reference_timing\":" TIMING ",\"sample_id\":0,"
	"\"signal\":null,\"status\":\"correct\",\"timing\":" TIMING ","
	"\"trial_seeds\":[],\"wall_ns\":12}";

static const char no_gate_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"device_timing\":" NO_DEVICE_TIMING ",\"exit_status\":null,"
	"\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,\"oracle\":null,"
	"\"outputs\":null,\"phase\":null,"
	"\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	"\"signal\":null,\"status\":\"correct\",\"timing\":" TIMING ","
	"\"trial_seeds\":[],\"wall_ns\":12}";

#define ERRORS "{\"elements\":8,\"max_abs_error\":\"1.5e-07\","	\
	"\"max_rel_error\":\"inf\",\"mismatched\":0,\"nan\":0,"	\
	"\"rms_error\":\"0\"}"

static const char remedied_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"exit_status\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,\"oracle\":null,"
	"\"outputs\":null,\"phase\":null,"
	"\"problem_id\":19,\"reference_timing\":null,\"remedy\":{"
	"\"oracle\":" ORACLE ",\"outputs\":[" ERRORS "],"
	"\"trial_seeds\":[\"" HEX64 "\"],\"trials\":6},\"sample_id\":0,"
	"\"signal\":null,\"status\":\"correct\",\"timing\":" TIMING ","
	"\"trial_seeds\":[],\"wall_ns\":12}";

/* It failed before any of them. */
static const char not_remedied_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"exit_status\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,\"oracle\":null,"
	"\"outputs\":null,\"phase\":\"run\","
	"\"problem_id\":19,\"reference_timing\":null,\"remedy\":{"
	"\"oracle\":null,\"outputs\":null,"
	"\"trial_seeds\":[],\"trials\":0},\"sample_id\":0,"
	"\"signal\":null,\"status\":\"mismatch\",\"timing\":null,"
	"\"trial_seeds\":[],\"wall_ns\":12}";

static const char seeds_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"exit_status\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,\"oracle\":null,"
	"\"outputs\":null,\"phase\":null,"
	"\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	"\"seeds\":[42,123],\"signal\":null,\"status\":\"correct\","
	"\"timing\":" TIMING ",\"trial_seeds\":[],\"wall_ns\":12}";

static const char device_reference_text[] =
	"{\"detail\":null,\"device_timing\":" DEVICE_TIMING ","
	"\"exit_status\":null,\"key\":\"1/19\",\"level\":1,"
	"\"log\":\"\",\"log_truncated\":false,\"mode\":\"cudagraphs\","
	"\"oracle\":null,"
	"\"phase\":null,\"problem_id\":19,\"signal\":null,"
	"\"status\":\"timed\",\"timing\":" TIMING ",\"trial_seeds\":[],"
	"\"wall_ns\":12}";

static const char score_line_text[] =
	"{\"baseline_ns\":100,\"candidate_ns\":50,\"key\":\"1/19\","
	"\"level\":1,\"problem_id\":19,\"reference_ns\":101,\"sample_id\":0,"
	"\"speedup_micro\":2000000,\"status\":\"correct\"}";

static const char audit_text[] =
	"{" ENVIRONMENT ",\"kind\":\"audit\",\"match_key\":{\"cpu\":\"x\"},"
	"\"options\":{\"seed\":\"42\"},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"suite\"}],"
	"\"policy\":{\"tolerance\":\"kernelbench\"},"
	"\"problems\":[\"1/19\",\"2/3\"],\"schema_version\":1," TOOL "}";

static const char audit_line_text[] =
	"{\"detail\":null,\"evidence\":{\"signed\":null,\"stated\":{"
	"\"float64\":{\"unavailable\":\"out of memory\"},\"outputs\":["
	"{\"dtype\":\"float32\",\"elements\":2,\"finite\":2,"
	"\"identity\":null,\"max\":\"1\",\"mean\":\"1\",\"min\":\"1\","
	"\"near\":{\"mean\":" NEAR ",\"midrange\":" NEAR ",\"zero\":" NEAR
	"},\"other_input\":" DIFFERENCE ",\"redraw\":" DIFFERENCE
	",\"repeat\":" DIFFERENCE ",\"std\":\"0\"}],"
	"\"removal\":{\"operations\":[],\"untried\":0}}},"
	"\"exit_status\":null,\"findings\":["
	"{\"evidence\":\"all\",\"finding\":\"constant_output\"},"
	"{\"evidence\":\"some\",\"finding\":\"not_finite\"}],"
	"\"key\":\"1/19\",\"level\":1,\"log\":\"\",\"log_truncated\":false,"
	"\"phase\":null,\"problem_id\":19,\"reduced\":{\"n\":\"(3, 4)\"},"
	"\"signal\":null,\"sound\":false,\"status\":\"audited\","
	"\"trial_seeds\":[],\"wall_ns\":12}";

static const char not_audited_text[] =
	"{\"detail\":\"why\",\"evidence\":null,\"exit_status\":null,"
	"\"findings\":[],\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,\"phase\":\"run\",\"problem_id\":19,"
	"\"reduced\":null,\"signal\":\"SIGSEGV\",\"sound\":null,"
	"\"status\":\"crashed\",\"trial_seeds\":[],\"wall_ns\":12}";
static const char sure_line_text[] =
	"{\"baseline_high_ns\":102,\"baseline_low_ns\":99,\"baseline_ns\":100,"
	"\"candidate_high_ns\":60,\"candidate_low_ns\":-5,"
	"\"candidate_ns\":50,\"key\":\"1/19\",\"level\":1,"
	"\"noise_micro\":1001000,\"problem_id\":19,\"reference_ns\":101,"
	"\"sample_id\":0,\"speedup_micro\":2000000,\"status\":\"correct\"}";

#define NO_FAST(p) "{\"count\":0,\"p_milli\":" #p "}"
#define REPORT_LEVEL(n) "{\"compiled\":3,\"correct\":2,\"fast\":[" \
	"{\"count\":1,\"p_milli\":0}," NO_FAST(500) "," NO_FAST(800) "," \
	NO_FAST(1000) "," NO_FAST(1500) "," NO_FAST(2000) "]," \
	"\"geomean_speedup_nano\":490000000,\"level\":" #n "," \
	"\"problems\":5,\"results\":4,\"with_baseline\":3}"
#define REPORT_TAIL "\"parents\":[],\"results\":{\"sha256\":\"" HEX64 \
	"\",\"size_bytes\":2},\"schema_version\":1," \
	"\"self_reported\":true," TOOL "}"
static const char report_text[] =
	"{\"baseline\":{\"sha256\":\"" HEX64 "\",\"size_bytes\":9},"
	"\"format\":\"kernelbench\",\"kind\":\"report\",\"level\":2,"
	"\"levels\":[" REPORT_LEVEL(2) "]," REPORT_TAIL;
static const char v3_report_text[] =
	"{\"baseline\":null,\"format\":\"v3\",\"kind\":\"report\","
	"\"level\":null,\"levels\":[" REPORT_LEVEL(1) "," REPORT_LEVEL(2)
	"]," REPORT_TAIL;

static const struct {
	const char *text;
	int (*again)(struct kb_buf *out, const struct kb_json *v,
		     struct kb_err *err);
} good[] = {
	{ suite_text, suite_again },
	{ submission_text, submission_again },
	{ baseline_text, baseline_again },
	{ cuda_baseline_text, baseline_again },
	{ evaluation_text, evaluation_again },
	{ score_text, score_again },
	{ sound_text, score_again },
	{ not_sound_text, score_again },
	{ sure_score_text, score_again },
	{ shares_score_text, score_again },
	{ result_text, result_again },
	{ crash_text, result_again },
	{ reference_text, reference_again },
	{ device_result_text, result_again },
	{ no_gate_text, result_again },
	{ remedied_text, result_again },
	{ not_remedied_text, result_again },
	{ seeds_text, result_again },
	{ device_reference_text, reference_again },
	{ score_line_text, score_line_again },
	{ audit_text, audit_again },
	{ audit_line_text, audit_line_again },
	{ not_audited_text, audit_line_again },
	{ sure_line_text, score_line_again },
	{ report_text, report_again },
	{ v3_report_text, report_again },
};

static void test_records_print_as_they_were_read(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(good); i++) {
		kb_auto(json) struct kb_json *v = record_parse(good[i].text);
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(good[i].again(&out, v, &err), 0);
		check_str(err.msg, "");
		check_str(out.data, good[i].text);
	}
}

/* Where a device has no clock of its own these are not there, or where a
 * problem has no remedy inputs, or under one seed; nor were warnings, or sound problems, in the
 * first scores. */
static bool is_optional(const struct kb_json *member)
{
	const char *key = kb_json_key(member);

	/* An audit's is a verdict, and must be there. */
	if (!strcmp(key, "sound"))
		return kb_json_type(member) == KB_JSON_OBJECT;
	return !strcmp(key, "warnings") || !strcmp(key, "device_timing") ||
	       !strcmp(key, "reference_device_timing") ||
	       !strcmp(key, "remedy") || !strcmp(key, "seeds");
}

/* A member that is not there, or that we do not know, is never let by. */
static void test_records_refuse_missing_and_unknown_members(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(good); i++) {
		kb_auto(json) struct kb_json *whole = record_parse(good[i].text);

		for (const struct kb_json *skip = kb_json_first(whole); skip;
		     skip = kb_json_next(skip)) {
			kb_auto(json) struct kb_json *v = kb_json_object();
			kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

			for (const struct kb_json *m = kb_json_first(whole); m;
			     m = kb_json_next(m))
				if (m != skip)
					kb_json_set(v, kb_json_key(m),
						    kb_json_copy(m));
			check_int(good[i].again(&out, v, NULL),
				  is_optional(skip) ?
				  0 : -KB_ERR_INPUT);
		}
		kb_json_set_int(whole, "surprise", 1);
		check_int(good[i].again(&(struct kb_buf)KB_BUF_INIT, whole,
					NULL), -KB_ERR_INPUT);
	}
}

static const struct {
	const char *text;		/* a good one from above */
	const char *from, *to;		/* the first of these is changed */
	const char *msg;
} bad[] = {
	{ suite_text, "\"suite\"", "\"score\"",
	  "suite: its kind is 'score', want 'suite'" },
	{ suite_text, "\"schema_version\":1", "\"schema_version\":2",
	  "suite: 'schema_version' is 2, want 1 to 1" },
	{ suite_text, "\"name\":\"demo\"", "\"name\":\"\"",
	  "suite: 'name' is empty" },
	{ suite_text, "\"key\":\"1/19\"", "\"key\":\"1/20\"",
	  "suite: 'key' is '1/20', but level and problem make '1/19'" },
	{ suite_text, "\"name\":\"19_ReLU\"", "\"name\":\"20_ReLU\"",
	  "suite: '20_ReLU' is not a name for problem 19" },
	{ suite_text, "level1/19_ReLU.py", "level1/../19_ReLU.py",
	  "suite: 'file' is 'data/problems/level1/../19_ReLU.py', "
	  "want 'data/problems/level1/19_ReLU.py'" },
	{ suite_text, "\"torch\"", "\"jax\"",
	  "suite: 'runtime' is 'jax', which is not known" },
	{ suite_text, "\"size_bytes\":5", "\"size_bytes\":8388609",
	  "suite: 'size_bytes' is 8388609, want 0 to 8388608" },
	{ suite_text, "\"upstream_commit\":null",
	  "\"upstream_commit\":\"423217D\"",
	  "suite: 'upstream_commit' is not 40 lower-case hex digits" },
	{ submission_text, "\"sample_id\":0", "\"sample_id\":-1",
	  "submission: 'sample_id' is -1, want 0 to 999999" },
	{ submission_text, "\"0.70\"", "\"-1\"",
	  "submission: 'temperature' is not a decimal of 0 or more" },
	{ submission_text, "\"0.70\"", "0",
	  "submission: 'temperature' is an integer, want a string" },
	{ submission_text, "2026-11-21T12", "2026-13-21T12",
	  "submission: 'date' is not of the form '2026-11-21' or '2026-11-21T12:00:00Z'" },
	{ submission_text, "\"folder\"", "\"zip\"",
	  "submission: 'source_format' is 'zip', which is not known" },
	{ submission_text, "\"parents\":[]", "\"parents\":[1]",
	  "submission: has 1 parents, want 0 for a submission" },
	{ baseline_text, "\"kind\":\"suite\"", "\"kind\":\"score\"",
	  "baseline: a parent's kind is 'score', want 'suite'" },
	{ baseline_text, "\"problems\":[\"1/19\",\"2/3\"]",
	  "\"problems\":[\"2/3\",\"1/19\"]",
	  "baseline: 'problems' is not sorted, or has a key twice" },
	{ baseline_text, "\"problems\":[\"1/19\"", "\"problems\":[\"1/019\"",
	  "baseline: 'problems' has an element that is no problem key" },
	{ baseline_text, "\"kind\":\"cpu\"", "\"kind\":1",
	  "baseline: 'environment.device.kind' is not a string" },
	{ baseline_text, "\"cores\":2", "\"cores\":null",
	  "baseline: 'environment.cpu.cores' is null, not a fact" },
	{ baseline_text, "{\"a\":\"b\"}", "{\"a\":1}",
	  "baseline: 'match_key.a' is an integer" },
	{ baseline_text, "{\"trials\":5}", "{\"trials\":[]}",
	  "baseline: 'policy.trials' is an array" },
	{ baseline_text, "\"git_dirty\":null", "\"git_dirty\":1",
	  "baseline: 'git_dirty' is an integer, want a boolean" },
	{ evaluation_text, "\"status_counts\":{}",
	  "\"status_counts\":{\"correct\":0}",
	  "evaluation: 'correct' is 0, want 1 to 9007199254740991" },
	{ evaluation_text, "\"status_counts\":{}",
	  "\"status_counts\":{\"fine\":1}",
	  "evaluation: 'fine' is not a known member" },
	{ score_text, "\"evaluation\":\"2.5\"", "\"evaluation\":\"2.6\"",
	  "score: 'torch' does not differ" },
	{ score_text, "\"correct\":2", "\"correct\":4",
	  "score: 'correct' is 4, want 0 to 3" },
	{ score_text, "{\"count\":1,\"p_milli\":1000}",
	  "{\"count\":2,\"p_milli\":1000}",
	  "score: 'count' is 2, want 0 to 1" },
	{ score_text, "\"p_milli\":800", "\"p_milli\":900",
	  "score: 'p_milli' is 900, want 800 to 800" },
	{ sure_score_text, "\"certain\":1", "\"certain\":3",
	  "score: 'certain' is 3, want 0 to 2" },
	{ sure_score_text, "\"undecided\":1", "\"undecided\":2",
	  "score: 'undecided' is 2, want 0 to 1" },
	{ sure_score_text, "\"1/2\"", "\"01/2\"",
	  "score: 'exact' is not a fraction as we write it" },
	{ sure_score_text, "\"1/2\"", "\"1/0\"",
	  "score: 'exact' is not a fraction as we write it" },
	{ sure_score_text, "\"1/2\"", "\"1/2 \"",
	  "score: 'exact' is not a fraction as we write it" },
	{ sure_score_text, "\"1/2\"", "\"1\"",
	  "score: 'exact' is not a fraction as we write it" },
	{ sure_score_text, "\"1/2\"", "\"/2\"",
	  "score: 'exact' is not a fraction as we write it" },
	{ sure_score_text, "\"ppm\":500000", "\"ppm\":1000001",
	  "score: 'ppm' is 1000001, want 0 to 1000000" },
	{ sure_score_text, "\"k\":2", "\"k\":1",
	  "score: 'at_k' is not sorted, or has one twice" },
	{ sure_score_text, "\"fast\":" SHARES, "\"fast\":[]",
	  "score: 'fast' has 0 elements, want 6" },
	{ sure_score_text, "\"warning\":\"drift\"", "\"warning\":\"rain\"",
	  "score: 'warning' is 'rain', which is not known" },
	{ sure_score_text, "\"warnings\":[", "\"warnings\":[{},",
	  "score: 'warnings' has a warning twice" },
	{ sure_score_text, "\"geomean_low_micro\":null,", "",
	  "score: 'geomean_low_micro' is missing" },
	{ shares_score_text, "\"geomean_speedup_nano\":null,", "",
	  "score: 'geomean_speedup_nano' is missing" },
	{ shares_score_text, "\"shares\":{", "\"shares\":{\"all\":1,",
	  "score: 'all' is not a known member" },
	{ sure_line_text, "\"candidate_high_ns\":60",
	  "\"candidate_high_ns\":49",
	  "line: 'candidate_low_ns' and 'candidate_high_ns' have no time between them" },
	{ sure_line_text, "\"baseline_low_ns\":99",
	  "\"baseline_low_ns\":null",
	  "line: 'baseline_low_ns' and 'baseline_high_ns' have no time between them" },
	{ sure_line_text, "\"candidate_low_ns\":-5,", "",
	  "line: 'candidate_low_ns' is missing" },
	{ result_text, "\"status\":\"correct\"", "\"status\":\"timed\"",
	  "line: no candidate ends as 'timed'" },
	{ result_text, "\"phase\":null", "\"phase\":\"run\"",
	  "line: nothing ends as 'correct' in phase 'run'" },
	{ result_text, "\"phase\":null,\"problem_id\":19,"
	  "\"reference_timing\":null,\"sample_id\":0,\"signal\":null,"
	  "\"status\":\"correct\"", "\"phase\":\"run\",\"problem_id\":19,"
	  "\"reference_timing\":null,\"sample_id\":0,\"signal\":null,"
	  "\"status\":\"mismatch\"",
	  "line: 'timing' is there though the status is 'mismatch'" },
	{ result_text, "\"status\":\"correct\"", "\"status\":\"missing\"",
	  "line: 'candidate_sha256' does not go with status 'missing'" },
	{ result_text, "\"signal\":null", "\"signal\":\"SIGSEGV\"",
	  "line: 'signal' does not go with status 'correct'" },
	{ result_text, "\"exit_status\":null", "\"exit_status\":0",
	  "line: 'exit_status' does not go with status 'correct'" },
	{ result_text, "\"n_large\":5", "\"n_large\":1",
	  "line: a slope needs batches of two sizes" },
	{ result_text, "\"slope\"", "\"single\"",
	  "line: a single time needs batches of one size" },
	{ result_text, "\"small_ns\":[100]", "\"small_ns\":[]",
	  "line: 'small_ns' is empty" },
	{ result_text, "\"small_ns\":[100]", "\"small_ns\":[-1]",
	  "line: 'small_ns' has an element that is no time" },
	{ result_text, "\"call_time_ns\":50", "\"call_time_ns\":0",
	  "line: 'call_time_ns' is 0, want 1 to 9007199254740991" },
	{ result_text, "\"mismatched\":0", "\"mismatched\":9",
	  "line: 'mismatched' is 9, want 0 to 8" },
	{ result_text, "\"1.5e-07\"", "\"1.50e-07\"",
	  "line: 'max_abs_error' is not a decimal as we write it" },
	{ result_text, "\"1.5e-07\"", "\"nan\"",
	  "line: 'max_abs_error' is not a decimal as we write it" },
	{ result_text, "\"1.5e-07\"", "\"-0\"",
	  "line: 'max_abs_error' is not a decimal as we write it" },
	{ result_text, "\"trial_seeds\":[\"00", "\"trial_seeds\":[\"0",
	  "line: 'trial_seeds' has an element that is no seed" },
	{ result_text, "\"detail\":null", "\"detail\":\"\"",
	  "line: 'detail' is empty" },
	{ crash_text, "\"SIGSEGV\"", "\"segfault\"",
	  "line: 'segfault' is not the name of a signal" },
	{ crash_text, "\"signal\":\"SIGSEGV\"", "\"signal\":null",
	  "line: 'signal' does not go with status 'crashed'" },
	{ crash_text, "\"phase\":\"load\"", "\"phase\":null",
	  "line: nothing ends as 'crashed' in phase 'null'" },
	{ reference_text, "\"timed\"", "\"correct\"",
	  "line: no reference ends as 'correct'" },
	{ reference_text, "\"timing\":" TIMING, "\"timing\":null",
	  "line: 'timing' does not go with status 'timed'" },
	{ reference_text, "\"eager\"", "\"compiled\"",
	  "line: 'mode' is 'compiled', which is not known" },
	{ suite_text, "4_axpy.cu", "4_axpy.c",
	  "suite: 'file' is 'data/problems/level2/4_axpy.c', "
	  "want 'data/problems/level2/4_axpy.cu'" },
	{ baseline_text, "\"isolation\":{}", "\"gpu\":{},\"isolation\":{}",
	  "baseline: 'gpu' is not a known member" },
	{ cuda_baseline_text, "\"gpu\":{\"name\":\"x\"},", "",
	  "baseline: 'gpu' is missing" },
	{ cuda_baseline_text, "\"driver\":{\"version\":\"580\"},", "",
	  "baseline: 'driver' is missing" },
	{ cuda_baseline_text, "\"kind\":\"cuda\"", "\"kind\":\"cpu\"",
	  "baseline: 'cuda' is not a known member" },
	{ cuda_baseline_text, "{\"name\":\"x\"}", "{\"name\":null}",
	  "baseline: 'environment.gpu.name' is null, not a fact" },
	{ cuda_baseline_text, "compile:max-autotune-no", "compile:no",
	  "baseline: 'mode' is 'compile:no-cudagraphs', which is not known" },
	{ result_text, "\"clock\":\"call\"", "\"clock\":\"device\"",
	  "line: 'clock' is 'device', want 'call'" },
	{ result_text, "\"clock\":\"call\"", "\"clock\":\"wall\"",
	  "line: 'clock' is 'wall', which is not known" },
	{ device_result_text, "\"clock\":\"device\"", "\"clock\":\"call\"",
	  "line: 'clock' is 'call', want 'device'" },
	{ device_result_text, "\"device_timing\":" DEVICE_TIMING,
	  "\"device_timing\":null",
	  "line: 'device_timing' is null, want an object" },
	{ device_result_text, "\"device_timing\":{\"after_ns\":49,",
	  "\"device_timing\":{", "line: 'after_ns' is missing" },
	{ device_result_text, "\"device_timing\":{",
	  "\"device_timing\":{\"aether\":1,",
	  "line: 'aether' is not a known member" },
	{ device_result_text, "\"samples\":9,", "",
	  "line: 'samples' is missing" },
	{ device_result_text, "\"samples\":9", "\"samples\":-9",
	  "line: 'samples' is -9, want 0 to 9007199254740991" },
	{ device_result_text, "\"time_ns\":50}", "\"time_ns\":0}",
	  "line: 'time_ns' is 0, want 1 to 9007199254740991" },
	{ device_result_text, "\"time_ns\":50}", "\"time_ns\":null}",
	  "line: 'decider' does not go with 'time_ns'" },
	{ device_result_text, "\"publishing\",", "\"luck\",",
	  "line: 'decider' is 'luck', which is not known" },
	{ device_result_text, "\"ending\":\"interval\"",
	  "\"ending\":\"boredom\"",
	  "line: 'ending' is 'boredom', which is not known" },
	{ device_result_text, "\"call_ending\":\"budget\"",
	  "\"call_ending\":null",
	  "line: 'call_ending' is null, want a string" },
	{ device_result_text, "\"ending\":\"interval\"",
	  "\"ending\":null",
	  "line: 'ending' does not go with 'no_gate'" },
	{ device_result_text, "\"decider\":\"publishing\"",
	  "\"decider\":null",
	  "line: 'decider' does not go with 'time_ns'" },
	{ device_result_text, "\"publishing\":" SLOPE_BY_DEVICE("240"),
	  "\"publishing\":null",
	  "line: 'publishing' decided, but is not there" },
	{ device_result_text, "\"publish_ns\":20", "\"publish_ns\":null",
	  "line: 'publishing' is there without 'publish_ns'" },
	{ device_result_text, "\"decider\":\"publishing\","
	  "\"ending\":\"interval\",\"few_calls\":" SLOPE_BY_DEVICE("201"),
	  "\"decider\":\"few_calls\",\"ending\":\"interval\","
	  "\"few_calls\":null",
	  "line: 'few_calls' decided, but is not there" },
	{ device_result_text, "\"batches\":" SLOPE_BY_DEVICE("200"),
	  "\"batches\":null", "line: 'batches' does not go with 'no_gate'" },
	{ device_result_text, "\"low_ns\":-3", "\"low_ns\":61",
	  "line: 'low_ns' is above 'high_ns'" },
	{ device_result_text, "\"low_ns\":-3", "\"low_ns\":null",
	  "line: 'low_ns' and 'high_ns' are not both known" },
	{ device_result_text, "\"sm_clock_mhz_min\":1965",
	  "\"sm_clock_mhz_min\":1981",
	  "line: 'sm_clock_mhz_min' is above 'sm_clock_mhz_max'" },
	{ device_result_text, "\"memory_clock_mhz_min\":null",
	  "\"memory_clock_mhz_min\":1",
	  "line: 'memory_clock_mhz_min' and 'memory_clock_mhz_max' "
	  "are not both known" },
	{ device_result_text, "\"phase\":null,\"problem_id\":19,"
	  "\"reference_device_timing\":" DEVICE_TIMING ","
	  "\"reference_timing\":" TIMING ",\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"correct\",\"timing\":" TIMING,
	  "\"phase\":\"run\",\"problem_id\":19,"
	  "\"reference_timing\":null,\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"mismatch\",\"timing\":null",
	  "line: 'device_timing' is there though the status is 'mismatch'" },
	{ no_gate_text, "\"batches\":null",
	  "\"batches\":" SLOPE_BY_DEVICE("200"),
	  "line: 'batches' does not go with 'no_gate'" },
	{ no_gate_text, "\"few_calls\":null",
	  "\"few_calls\":" SLOPE_BY_DEVICE("200"),
	  "line: 'few_calls' does not go with 'no_gate'" },
	{ no_gate_text, "\"publishing\":null",
	  "\"publishing\":" SLOPE_BY_DEVICE("200"),
	  "line: 'publishing' does not go with 'no_gate'" },
	{ no_gate_text, "\"decider\":null,\"ending\":null,"
	  "\"few_calls\":null,\"high_ns\":null,\"low_ns\":null,"
	  "\"no_gate\":\"forward() waits\",\"publish_ns\":null,"
	  "\"publishing\":null,\"repeated\":0,"
	  "\"telemetry\":" TELEMETRY ",\"time_ns\":null",
	  "\"decider\":\"batches\",\"ending\":null,"
	  "\"few_calls\":null,\"high_ns\":null,\"low_ns\":null,"
	  "\"no_gate\":\"forward() waits\",\"publish_ns\":null,"
	  "\"publishing\":null,\"repeated\":0,"
	  "\"telemetry\":" TELEMETRY ",\"time_ns\":5",
	  "line: 'time_ns' does not go with 'no_gate'" },
	{ no_gate_text, "\"high_ns\":null,\"low_ns\":null",
	  "\"high_ns\":9,\"low_ns\":9",
	  "line: 'low_ns' is there without 'time_ns'" },
	{ no_gate_text, "\"forward() waits\"", "\"\"",
	  "line: 'no_gate' is empty" },
	{ device_reference_text, "\"phase\":null,\"problem_id\":19,"
	  "\"signal\":null,\"status\":\"timed\",\"timing\":" TIMING,
	  "\"phase\":\"run\",\"problem_id\":19,\"signal\":null,"
	  "\"status\":\"mismatch\",\"timing\":null",
	  "line: 'device_timing' is there though the status is 'mismatch'" },
	{ result_text, "\"draws\":3", "\"draws\":0",
	  "line: 'draws' does not go with 'outputs'" },
	{ result_text, "\"draws\":3", "\"draws\":-1",
	  "line: 'draws' is -1, want 0 to 1000000" },
	{ result_text, "\"unavailable\":null", "\"unavailable\":\"why\"",
	  "line: 'outputs' does not go with 'unavailable'" },
	{ result_text, "\"unavailable\":null", "\"unavailable\":\"\"",
	  "line: 'unavailable' is empty" },
	{ result_text, "\"unavailable\":null", "\"unavailable\":null,\"x\":1",
	  "line: 'x' is not a known member" },
	{ result_text, "[" ORACLE_OUTPUT "]", "null",
	  "line: 'outputs' does not go with 'unavailable'" },
	{ result_text, "[" ORACLE_OUTPUT "]", "[null]",
	  "line: 'outputs' has none of floats" },
	{ result_text, "[" ORACLE_OUTPUT "]", "[]",
	  "line: 'outputs' has none of floats" },
	{ result_text, "[" ORACLE_OUTPUT "]", "[1]",
	  "line: is an integer, want an object" },
	{ result_text, "[" ORACLE_OUTPUT "]", "[" ORACLE_OUTPUT ",null]",
	  "line: 'oracle' has 2 outputs, 'outputs' 1" },
	{ result_text, "\"max_abs\":\"4\"", "\"max_abs\":\"inf\"",
	  "line: 'max_abs' is not finite" },
	{ result_text, "\"max_abs\":\"4\"", "\"max_abs\":\"1.25\"",
	  "line: 'rms' is above 'max_abs'" },
	{ result_text, "\"1e-07\"", "\"1e-06\"",
	  "line: 'rms_error' is above 'max_abs_error'" },
	{ reference_text, ORACLE, "3",
	  "line: 'oracle' is an integer, want an object" },
	{ crash_text, "\"draws\":0", "\"draws\":3",
	  "line: 'draws' does not go with 'outputs'" },
	{ crash_text, "\"unavailable\":\"not enough memory\"",
	  "\"unavailable\":null",
	  "line: 'outputs' does not go with 'unavailable'" },
	{ sound_text, "\"unsound\":0", "\"unsound\":1",
	  "score: 'sound' has other problems than 'overall'" },
	{ sound_text, "\"unsound\":0", "\"unsound\":-1",
	  "score: 'unsound' is -1, want 0 to 2251799813685247" },
	{ sound_text, "\"known\"", "\"not_audited\"",
	  "score: 'metrics' does not go with 'verdicts'" },
	{ sound_text, "\"known\"", "\"unknown\"",
	  "score: 'verdicts' is 'unknown', which is not known" },
	{ sound_text, "\"unknown\":0", "\"unknown\":0,\"x\":1",
	  "score: 'x' is not a known member" },
	{ not_sound_text, "\"suite_absent\"", "\"known\"",
	  "score: 'metrics' is null, want an object" },
	{ not_sound_text, "\"unknown\":1,\"unsound\":0",
	  "\"unknown\":0,\"unsound\":1",
	  "score: 'verdicts' does not go with 'unknown'" },
	{ remedied_text, "\"trials\":6", "\"trials\":0",
	  "line: remedy: 'outputs' does not go with 'trials'" },
	{ remedied_text, "\"trials\":6", "\"trials\":-1",
	  "line: remedy: 'trials' is -1, want 0 to 9007199254740991" },
	{ remedied_text, "[" ERRORS "]", "null",
	  "line: remedy: 'outputs' does not go with 'trials'" },
	{ remedied_text, "[" ERRORS "]", "[]",
	  "line: remedy: 'outputs' is empty" },
	{ remedied_text, "[" ERRORS "]", "[" ERRORS "," ERRORS "]",
	  "line: remedy: 'oracle' has 1 outputs, 'outputs' 2" },
	{ remedied_text, "\"remedy\":{", "\"remedy\":{\"x\":1,",
	  "line: remedy: 'x' is not a known member" },
	{ remedied_text, "\"trial_seeds\":[\"" HEX64 "\"]",
	  "\"trial_seeds\":[\"a\"]",
	  "line: remedy: 'trial_seeds' has an element that is no seed" },
	{ not_remedied_text, "\"phase\":\"run\"", "\"phase\":null",
	  "line: nothing ends as 'mismatch' in phase 'null'" },
	{ not_remedied_text, "{\"oracle\":null,\"outputs\":null,"
	  "\"trial_seeds\":[],\"trials\":0}", "null",
	  "line: 'remedy' is null, want an object" },
	{ not_remedied_text, "\"phase\":\"run\",\"problem_id\":19,"
	  "\"reference_timing\":null,\"remedy\":{"
	  "\"oracle\":null,\"outputs\":null,"
	  "\"trial_seeds\":[],\"trials\":0},\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"mismatch\"",
	  "\"phase\":null,\"problem_id\":19,"
	  "\"reference_timing\":null,\"remedy\":{"
	  "\"oracle\":null,\"outputs\":null,"
	  "\"trial_seeds\":[],\"trials\":0},\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"correct\"",
	  "line: 'remedy' has no trials though the status is 'correct'" },
	{ not_remedied_text, "\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	  "\"exit_status\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	  "\"log_truncated\":false,\"oracle\":null,"
	  "\"outputs\":null,\"phase\":\"run\","
	  "\"problem_id\":19,\"reference_timing\":null,\"remedy\":{"
	  "\"oracle\":null,\"outputs\":null,"
	  "\"trial_seeds\":[],\"trials\":0},\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"mismatch\"",
	  "\"candidate_sha256\":null,\"detail\":null,"
	  "\"exit_status\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	  "\"log_truncated\":false,\"oracle\":null,"
	  "\"outputs\":null,\"phase\":null,"
	  "\"problem_id\":19,\"reference_timing\":null,\"remedy\":{"
	  "\"oracle\":null,\"outputs\":null,"
	  "\"trial_seeds\":[],\"trials\":0},\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"missing\"",
	  "line: 'remedy' is there though the status is 'missing'" },
	{ seeds_text, "[42,123]", "[]", "line: 'seeds' is empty" },
	{ seeds_text, "[42,123]", "[42,42]", "line: 'seeds' has 42 twice" },
	{ seeds_text, "[42,123]", "\"42\"",
	  "line: 'seeds' is a string, want an array" },
	{ seeds_text, seeds_text,
	  "{\"candidate_sha256\":null,\"detail\":null,"
	  "\"exit_status\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	  "\"log_truncated\":false,\"oracle\":null,"
	  "\"outputs\":null,\"phase\":null,"
	  "\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	  "\"seeds\":[42],\"signal\":null,\"status\":\"missing\","
	  "\"timing\":null,\"trial_seeds\":[],\"wall_ns\":12}",
	  "line: 'seeds' is there though the status is 'missing'" },
	{ score_line_text, "\"candidate_ns\":50", "\"candidate_ns\":null",
	  "line: 'speedup_micro' is there without both times" },
	{ score_line_text, "\"status\":\"correct\"", "\"status\":\"exited\"",
	  "line: 'candidate_ns' is there though the status is 'exited'" },
	{ report_text, "\"self_reported\":true", "\"self_reported\":false",
	  "report: 'self_reported' is not true" },
	{ report_text, "\"kind\":\"report\"", "\"kind\":\"score\"",
	  "report: its kind is 'score', want 'report'" },
	{ report_text, "\"level\":2,\"levels\"", "\"level\":1,\"levels\"",
	  "report: 'levels' is not of 'level' alone" },
	{ report_text, "[" REPORT_LEVEL(2) "]", "[]",
	  "report: 'levels' is empty" },
	{ report_text, "\"kernelbench\"", "\"v3\"",
	  "report: 'level' and 'baseline' do not go with format 'v3'" },
	{ report_text, "\"correct\":2", "\"correct\":5",
	  "report: 'correct' is 5, want 0 to 4" },
	{ report_text, "\"count\":1", "\"count\":3",
	  "report: 'count' is 3, want 0 to 2" },
	{ report_text, "," NO_FAST(2000), "",
	  "report: 'fast' has 5 elements, want 6" },
	{ v3_report_text, REPORT_LEVEL(1) "," REPORT_LEVEL(2),
	  REPORT_LEVEL(2) "," REPORT_LEVEL(2),
	  "report: 'levels' is not sorted, or has one twice" },
	{ audit_text, "\"audit\"", "\"baseline\"",
	  "audit: its kind is 'baseline', want 'audit'" },
	{ audit_text, "\"problems\":[\"1/19\",\"2/3\"]",
	  "\"problems\":[\"2/3\",\"2/3\"]",
	  "audit: 'problems' is not sorted, or has a key twice" },
	{ audit_line_text, "\"status\":\"audited\"",
	  "\"status\":\"timed\"", "line: no audit ends as 'timed'" },
	{ audit_line_text, "\"phase\":null", "\"phase\":\"run\"",
	  "line: nothing ends as 'audited' in phase 'run'" },
	{ audit_line_text, "\"sound\":false", "\"sound\":true",
	  "line: 'sound' does not go with the findings" },
	{ audit_line_text, "\"sound\":false", "\"sound\":null",
	  "line: 'sound' does not go with the findings" },
	{ audit_line_text, "\"constant_output\"", "\"boring_output\"",
	  "line: 'finding' is 'boring_output', which is not known" },
	{ audit_line_text, "\"constant_output\"", "\"not_finite\"",
	  "line: finding 'not_finite' is there twice or out of order" },
	{ audit_line_text, "\"evidence\":\"all\"", "\"evidence\":\"\"",
	  "line: 'evidence' is empty" },
	{ audit_line_text, "\"n\":\"(3, 4)\"", "\"n\":3",
	  "line: 'reduced.n' is an integer" },
	{ audit_line_text, "\"finite\":2", "\"finite\":3",
	  "line: 'finite' is 3, want 0 to 2" },
	{ not_audited_text, "\"sound\":null", "\"sound\":true",
	  "line: 'sound' does not go with the findings" },
	{ not_audited_text, "\"findings\":[]", "\"findings\":["
	  "{\"evidence\":\"x\",\"finding\":\"removable\"}]",
	  "line: there are findings without evidence" },
	{ not_audited_text, "\"phase\":\"run\",\"problem_id\":19,"
	  "\"reduced\":null,\"signal\":\"SIGSEGV\",\"sound\":null,"
	  "\"status\":\"crashed\"",
	  "\"phase\":null,\"problem_id\":19,"
	  "\"reduced\":null,\"signal\":null,\"sound\":null,"
	  "\"status\":\"audited\"",
	  "line: 'evidence' does not go with status 'audited'" },
};

static void test_oracles_are_copied_whole(void)
{
	kb_auto(oracle) struct kb_oracle *o = kb_oracle_new(3, 2);
	kb_auto(oracle) struct kb_oracle *none =
		kb_oracle_new_unavailable("no reason");
	kb_auto(oracle) struct kb_oracle *a = NULL, *b = NULL;

	o->outputs[1] = (struct kb_oracle_output){ true, 4, 3, 2, 1 };
	a = kb_oracle_copy(o);
	b = kb_oracle_copy(none);
	check(!kb_oracle_copy(NULL));
	check_int(a->draws, 3);
	check(!kb_oracle_find(a, 0));
	check(kb_oracle_find(a, 1)->max_abs_error == 4);
	check(kb_oracle_find(a, 1)->rms == 1);
	check(!kb_oracle_find(a, 2));
	check_str(b->unavailable, "no reason");
	check(!kb_oracle_find(b, 0));
	check(!kb_oracle_find(NULL, 0));
}

static void test_records_refuse_what_contradicts_itself(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bad); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		kb_auto(json) struct kb_json *v = NULL;
		struct kb_err err = KB_ERR_INIT;
		size_t g = 0;

		while (good[g].text != bad[i].text)
			g++;
		record_change(&text, bad[i].text, bad[i].from, bad[i].to);
		v = record_parse(text.data);
		check_int(good[g].again(&out, v, &err), -KB_ERR_INPUT);
		check_str(err.msg, bad[i].msg);
	}
}

static void test_problems_are_sorted_and_there_once(void)
{
	static const char *const second[][2] = {
		{ "level2/3_axpy.c", "level1/19_ReLU.c" },
		{ "\"key\":\"2/3\",\"level\":2", "\"key\":\"1/19\",\"level\":1" },
		{ "\"3_axpy\",\"problem_id\":3", "\"19_ReLU\",\"problem_id\":19" },
	};
	kb_auto(json) struct kb_json *v = NULL;
	struct kb_err err = KB_ERR_INIT;
	struct kb_suite s;
	char *text = kb_xstrdup(suite_text);

	for (size_t i = 0; i < KB_ARRAY_LEN(second); i++) {
		struct kb_buf changed = KB_BUF_INIT;

		record_change(&changed, text, second[i][0], second[i][1]);
		free(text);
		text = kb_buf_detach(&changed);
	}
	v = record_parse(text);
	free(text);
	check_int(kb_suite_from_json(&s, v, "suite", &err), -KB_ERR_INPUT);
	check_str(err.msg, "suite: 'problems' is not sorted, or has one twice");
}

static void test_match_keys_differ_field_by_field(void)
{
	kb_auto(json) struct kb_json *left =
		record_parse("{\"cpu\":\"x\",\"os\":\"1\",\"torch\":\"2.5\"}");
	kb_auto(json) struct kb_json *right =
		record_parse("{\"cpu\":\"x\",\"driver\":\"9\",\"torch\":\"2.6\"}");
	kb_auto(mismatches) struct kb_mismatches same = KB_MISMATCHES_INIT;
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;

	kb_match_key_diff(&same, left, left);
	check_int(same.count, 0);

	kb_match_key_diff(&m, left, right);
	check_int(m.count, 3);
	if (m.count != 3)
		return;
	check_str(m.items[0].field, "driver");
	check(!m.items[0].left);
	check_str(m.items[0].right, "9");
	check_str(m.items[1].field, "os");
	check_str(m.items[1].left, "1");
	check(!m.items[1].right);
	check_str(m.items[2].field, "torch");
	check_str(m.items[2].left, "2.5");
	check_str(m.items[2].right, "2.6");
}

static int count_line(void *into, const struct kb_json *line,
		      const char *where, struct kb_err *err)
{
	int *count = into;

	(void)line;
	if (*count == 2)
		return kb_err(err, KB_ERR_INPUT, "%s: enough", where);
	++*count;
	return 0;
}

static void test_lines_end_and_are_canonical(void)
{
	static const struct {
		const char *text;
		int count;
		const char *msg;
	} cases[] = {
		{ "", 0, "" },
		{ "1\n", 1, "" },
		{ "1\n[]\n", 2, "" },
		{ "1\n2\n3\n", 2, "line 3 of x: enough" },
		{ "1\n2", 1, "line 2 of x: does not end" },
		{ "1\n\n", 1,
		  "cannot parse 'line 2 of x': ends too soon at byte 0" },
		{ "1\n[ ]\n", 1,
		  "cannot parse 'line 2 of x': not canonical at byte 1" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_err err = KB_ERR_INIT;
		int count = 0;
		int ret = kb_lines_parse(cases[i].text, strlen(cases[i].text),
					 "x", count_line, &count, &err);

		check_int(ret, *cases[i].msg ? -KB_ERR_INPUT : 0);
		check_int(count, cases[i].count);
		check_str(err.msg, cases[i].msg);
	}
}

static void test_provenance_override_keeps_what_is_not_said(void)
{
	kb_auto(provenance) struct kb_provenance p = KB_PROVENANCE_INIT;
	kb_auto(provenance) struct kb_provenance over = KB_PROVENANCE_INIT;

	p.model = kb_xstrdup("old");
	p.notes = kb_xstrdup("kept");
	p.seed = 7;
	over.model = kb_xstrdup("new");
	over.max_tokens = 9;
	kb_provenance_override(&p, &over);
	check_str(p.model, "new");
	check_str(p.notes, "kept");
	check_int(p.seed, 7);
	check_int(p.max_tokens, 9);
	check(!p.organization);
}

TAP_MAIN(TAP(test_status_names_are_read_back),
	 TAP(test_status_unknown_is_refused),
	 TAP(test_compiled_is_what_got_as_far_as_running),
	 TAP(test_schema_lists_the_same_names),
	 TAP(test_mode_and_clock_names_are_read_back),
	 TAP(test_signals_have_names),
	 TAP(test_keys_have_one_spelling),
	 TAP(test_key_find_gives_the_whole_run),
	 TAP(test_records_print_as_they_were_read),
	 TAP(test_records_refuse_missing_and_unknown_members),
	 TAP(test_records_refuse_what_contradicts_itself),
	 TAP(test_oracles_are_copied_whole),
	 TAP(test_problems_are_sorted_and_there_once),
	 TAP(test_match_keys_differ_field_by_field),
	 TAP(test_lines_end_and_are_canonical),
	 TAP(test_provenance_override_keeps_what_is_not_said));
