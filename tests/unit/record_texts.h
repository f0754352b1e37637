#ifndef KB_TESTS_UNIT_RECORD_TEXTS_H
#define KB_TESTS_UNIT_RECORD_TEXTS_H

/*
 * One good value of each form, in canonical encoding. What is refused is
 * told as changes to these.
 */

#define HEX64 "00112233445566778899aabbccddeeff" \
	      "00112233445566778899aabbccddeeff"

#define TOOL_CALLED(name) \
	"\"tool\":{\"git_commit\":null,\"git_dirty\":null," \
	"\"name\":\"" name "\",\"version\":\"0.1.0\"}"
#define TOOL TOOL_CALLED("kb-eval")
#define SERVE_TOOL TOOL_CALLED("kb-serve")
#define ENVIRONMENT							\
	"\"environment\":{\"compiler\":{\"unavailable\":\"no cc\"},"	\
	"\"cpu\":{\"cores\":2,\"flags\":[\"avx2\"],\"model\":\"x\"},"	\
	"\"device\":{\"kind\":\"cpu\"},\"isolation\":{},"		\
	"\"os\":{\"release\":{\"unavailable\":\"hidden\"}},"		\
	"\"python\":{},\"torch\":{\"mkldnn\":true}}"
/* Runs of one call, alone if it is a reference's; what copying in takes; the
 * time by the device's clock. */
#define TIMED(clock, large, one_call, alone, copy_in, one_copy_in, device,	\
	      time)							\
	"{\"alone_ns\":[" alone "]," time ",\"clock\":\"" clock "\","	\
	"\"copy_in_large_ns\":" copy_in ","				\
	"\"copy_in_one_call_ns\":" one_copy_in ","			\
	"\"copy_in_small_ns\":" copy_in ",\"device_ns\":" device ","	\
	"\"high_ns\":60,\"large_ns\":[" large "],\"low_ns\":-3,"	\
	"\"n_large\":5,\"n_one_call\":1,\"n_small\":1,"		\
	"\"one_call_ns\":[" one_call "],"			\
	"\"small_ns\":[100],\"stop_reason\":\"interval\",\"time_ns\":50}"
#define BY_SLOPE "\"basis\":\"slope\""
#define BY_ONE_CALL "\"basis\":\"one_call\""
#define TIMING							\
	TIMED("call", "300", "", "", "null", "null", "null", BY_SLOPE)
#define GPU_TIMING							\
	TIMED("call", "300", "-7", "", "12", "11", "49", BY_ONE_CALL)
#define GPU_REFERENCE_TIMING						\
	TIMED("call", "300", "9", "8,8", "12", "11", "null", BY_SLOPE)
#define GPU_BASELINE_TIMING						\
	TIMED("call", "300", "", "", "12", "null", "50", BY_SLOPE)
#define CUDA_ENVIRONMENT						\
	"\"environment\":{\"compiler\":{},\"cpu\":{},"			\
	"\"cuda\":{\"nvcc\":{\"unavailable\":\"no nvcc\"}},"		\
	"\"device\":{\"kind\":\"cuda\"},\"driver\":{\"version\":\"580\"}," \
	"\"gpu\":{\"name\":\"x\"},\"isolation\":{},\"os\":{},"		\
	"\"python\":{},\"torch\":{}}"
#define TELEMETRY							\
	"{\"memory_clock_mhz_max\":null,\"memory_clock_mhz_min\":null," \
	"\"power_mw_max\":700000,\"reasons\":4,\"samples\":9,"	\
	"\"sm_clock_mhz_max\":1980,\"sm_clock_mhz_min\":1965,"		\
	"\"temperature_c_max\":61}"
#define BY_DEVICE(after, before, timing)				\
	"{\"control_after_ns\":" after ",\"control_before_ns\":" before "," \
	"\"not_queueable\":null,\"repeated\":1,"			\
	"\"telemetry\":" TELEMETRY ",\"timing\":" timing "}"
#define DEVICE_TIMING							\
	BY_DEVICE("null", "null", TIMED("device", "300", "-7,12", "",	\
					"12", "11", "null",		\
					BY_ONE_CALL))
#define REFERENCE_DEVICE_TIMING						\
	BY_DEVICE("49", "51", TIMED("device", "300", "9,9", "8", "12",	\
				    "11", "null", BY_SLOPE))
#define BASELINE_DEVICE_TIMING						\
	BY_DEVICE("null", "null", TIMED("device", "300", "", "", "12",	\
					"null", "null", BY_SLOPE))
#define NO_DEVICE_TIMING						\
	"{\"control_after_ns\":null,\"control_before_ns\":null,"	\
	"\"not_queueable\":\"forward() waits\",\"repeated\":0,"	\
	"\"telemetry\":" TELEMETRY ",\"timing\":null}"
#define NEAR "{\"1e-2\":2,\"1e-4\":1,\"equal\":0}"
#define DIFFERENCE							\
	"{\"max_abs\":\"0.5\",\"max_rel\":\"0.5\",\"within\":" NEAR "}"
#define METRICS								\
	"\"compiled\":3,\"correct\":2,\"fast\":["			\
	"{\"count\":2,\"p_milli\":0},{\"count\":2,\"p_milli\":500},"	\
	"{\"count\":1,\"p_milli\":800},{\"count\":1,\"p_milli\":1000},"	\
	"{\"count\":0,\"p_milli\":1500},{\"count\":0,\"p_milli\":2000}]," \
	"\"geomean_speedup_micro\":900000"

#define FP64_ERROR_OUTPUT "{\"max_abs\":\"4\",\"max_abs_error\":\"2.5e-07\"," \
			  "\"rms\":\"1.5\",\"rms_error\":\"1e-07\"}"
#define FP64_ERROR "{\"draws\":3,\"outputs\":[" FP64_ERROR_OUTPUT "]," \
		   "\"unavailable\":null}"
#define TWO_FP64_ERROR "{\"draws\":1,\"outputs\":[null," FP64_ERROR_OUTPUT \
		       "],\"unavailable\":null}"
#define NO_FP64_ERROR "{\"draws\":0,\"outputs\":null," \
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

#define COLLECTIVE \
	"\"collective\":{\"elements\":6,\"operation\":\"all_reduce\"},"

static const char ranks_suite_text[] =
	"{\"kind\":\"suite\",\"name\":\"ranks\",\"parents\":[],\"problems\":["
	"{\"facts\":null,"
	"\"file\":\"data/problems/level1/1_Sum.py\",\"key\":\"1/1\","
	"\"level\":1,\"name\":\"1_Sum\",\"problem_id\":1,"
	"\"runtime\":\"torch\",\"sha256\":\"" HEX64 "\",\"size_bytes\":5}],"
	"\"schema_version\":1,\"upstream_commit\":null,\"version\":null,"
	"\"world\":4}";

static const char pkb_suite_text[] =
	"{\"conventions\":\"pkb\",\"kind\":\"suite\",\"modules\":["
	"{\"file\":\"data/modules/utils/a.py\",\"sha256\":\"" HEX64 "\","
	"\"size_bytes\":5},"
	"{\"file\":\"data/modules/utils/b.py\",\"sha256\":\"" HEX64 "\","
	"\"size_bytes\":5}],"
	"\"name\":\"pkb\",\"parents\":[],\"problems\":["
	"{" COLLECTIVE "\"facts\":null,"
	"\"file\":\"data/problems/level1/1_Sum.py\",\"key\":\"1/1\","
	"\"level\":1,\"name\":\"1_Sum\",\"problem_id\":1,"
	"\"runtime\":\"torch\",\"sha256\":\"" HEX64 "\",\"size_bytes\":5}],"
	"\"schema_version\":1,\"upstream_commit\":null,\"version\":null,"
	"\"world\":4}";

static const char derived_suite_text[] =
	"{\"conventions\":\"v3\",\"kind\":\"suite\",\"name\":\"odd\","
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"suite\"}],\"problems\":["
	"{\"facts\":null,"
	"\"file\":\"data/problems/level1/19_ReLU.py\",\"key\":\"1/19\","
	"\"level\":1,\"name\":\"19_ReLU\",\"problem_id\":19,"
	"\"remedy\":["
	"{\"argument\":2,\"scale\":\"4\",\"shift\":\"-2\"},"
	"{\"argument\":0,\"scale\":\"1e3\",\"shift\":\"0\"}],"
	"\"runtime\":\"torch\",\"sha256\":\"" HEX64 "\",\"size_bytes\":5}],"
	"\"schema_version\":1,\"sizes\":["
	"{\"after\":67,\"before\":64,\"constant\":\"m\",\"key\":\"1/19\","
	"\"level\":1,\"problem_id\":19},"
	"{\"after\":1,\"before\":0,\"constant\":\"n\",\"key\":\"1/19\","
	"\"level\":1,\"problem_id\":19}],"
	"\"upstream_commit\":null,\"version\":null}";

static const char gradients_suite_text[] =
	"{\"backward\":{\"left_out\":["
	"{\"key\":\"1/20\",\"level\":1,\"problem_id\":20,\"reason\":\"a\"},"
	"{\"key\":\"1/51\",\"level\":1,\"problem_id\":51,\"reason\":\"b\"}],"
	"\"rule\":\"gradients-1\"},\"kind\":\"suite\",\"name\":\"slopes\","
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"suite\"}],\"problems\":["
	"{\"facts\":null,"
	"\"file\":\"data/problems/level1/19_ReLU.py\",\"key\":\"1/19\","
	"\"level\":1,\"name\":\"19_ReLU\",\"problem_id\":19,"
	"\"runtime\":\"torch\",\"sha256\":\"" HEX64 "\",\"size_bytes\":5}],"
	"\"schema_version\":1,\"upstream_commit\":null,\"version\":null}";

/* Of gradients, and at other sizes. */
static const char odd_gradients_suite_text[] =
	"{\"backward\":{\"left_out\":[],\"rule\":\"gradients-2\"},"
	"\"kind\":\"suite\",\"name\":\"odd slopes\","
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"suite\"}],\"problems\":["
	"{\"facts\":null,"
	"\"file\":\"data/problems/level1/19_ReLU.py\",\"key\":\"1/19\","
	"\"level\":1,\"name\":\"19_ReLU\",\"problem_id\":19,"
	"\"runtime\":\"torch\",\"sha256\":\"" HEX64 "\",\"size_bytes\":5}],"
	"\"schema_version\":1,\"sizes\":["
	"{\"after\":67,\"before\":64,\"constant\":\"m\",\"key\":\"1/19\","
	"\"level\":1,\"problem_id\":19}],"
	"\"upstream_commit\":null,\"version\":null}";

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
	"\"schema_version\":2," TOOL "}";

static const char cuda_baseline_text[] =
	"{" CUDA_ENVIRONMENT ",\"kind\":\"baseline\",\"match_key\":{},"
	"\"mode\":\"compile:max-autotune-no-cudagraphs\",\"options\":{},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"suite\"}],"
	"\"policy\":{},\"problems\":[\"1/19\"],"
	"\"schema_version\":2," TOOL "}";

static const char evaluation_text[] =
	"{" ENVIRONMENT ",\"kind\":\"evaluation\",\"match_key\":{},"
	"\"options\":{\"seed\":\"1\"},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"suite\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"submission\"}],"
	"\"policy\":{},\"problems\":[],\"schema_version\":2,"
	"\"status_counts\":{}," TOOL "}";

static const char served_evaluation_text[] =
	"{" ENVIRONMENT ",\"kind\":\"evaluation\",\"match_key\":{},"
	"\"options\":{\"seed\":\"1\"},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"suite\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"submission\"}],"
	"\"policy\":{},\"problems\":[],\"schema_version\":2,"
	"\"served\":{\"asked\":3,\"remembered\":2,\"withdrawn\":1},"
	"\"status_counts\":{}," SERVE_TOOL "}";

#define LIMIT(bits, tol) \
	"{\"atol\":\"" tol "\",\"bits\":" bits ",\"rtol\":\"" tol "\"}"
#define STATED(drift) STATED_BY("", drift)
#define STATED_BY(derived_by, drift) \
	"\"stated\":{\"attempts\":3," derived_by "\"derived_from\":\"" HEX64 "\"," \
	"\"drift\":" drift ",\"error_multiple\":8," \
	"\"left_out\":[\"1/3\",\"2/1\"],\"limits\":[" \
	LIMIT("32", "0.0001") "," LIMIT("16", "0.01") "," \
	LIMIT("8", "0.01") "],\"not_audited\":0,\"selected\":4," \
	"\"suite_problems\":6,\"tolerance\":\"precise\"," \
	"\"tolerance_of\":\"tensor\",\"unsound\":1}"
#define DRIFT \
	"{\"max_micro\":1050000,\"median_micro\":1040000," \
	"\"min_micro\":990000,\"problems\":2}"
#define NOTHING_STATED \
	"\"stated\":{\"drift\":null,\"error_multiple\":null," \
	"\"left_out\":null,\"limits\":[],\"not_audited\":null," \
	"\"selected\":1,\"suite_problems\":null,\"tolerance\":null," \
	"\"unsound\":null}"

static const char score_text[] =
	"{\"allowed_mismatches\":[{\"baseline\":\"2.6\","
	"\"evaluation\":\"2.5\",\"field\":\"torch\"}],"
	"\"definition\":{\"fast_p_strict\":true},\"kind\":\"score\","
	"\"levels\":[{" METRICS ",\"level\":1,\"problems\":4,"
	"\"status_counts\":{\"correct\":2,\"crashed\":2},\"untimed\":0}],"
	"\"match_key\":{\"torch\":\"2.5\"},\"options\":{},"
	"\"overall\":{" METRICS ",\"problems\":4,"
	"\"status_counts\":{\"correct\":2,\"crashed\":2},\"untimed\":0},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"evaluation\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"baseline\"}],"
	"\"schema_version\":2," NOTHING_STATED "," TOOL "}";

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
	"\"status_counts\":{\"correct\":2,\"crashed\":2},\"untimed\":0}],"
	"\"match_key\":{},\"model\":\"m-1\",\"options\":{},"
	"\"overall\":{" SURE_METRICS ",\"problems\":4,"
	"\"status_counts\":{\"correct\":2,\"crashed\":2},\"untimed\":0},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"evaluation\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"baseline\"}],"
	"\"schema_version\":2,\"spent\":{\"cached_tokens\":null,"
	"\"cost_nano\":5,\"currency\":\"USD\",\"generation\":\"" HEX64 "\","
	"\"input_tokens\":9,\"output_tokens\":8,\"reasoning_tokens\":7,"
	"\"requests\":3,\"without_usage\":1}," STATED(DRIFT) "," TOOL
	",\"warnings\":[{\"limit_ppm\":30000,"
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
	",\"fast\":" SHARES "},\"status_counts\":{},\"untimed\":0},"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"evaluation\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"baseline\"}],"
	"\"schema_version\":2,"
	STATED_BY("\"derived_by\":\"backward\",", "null") "," TOOL ",\"warnings\":[]}";

#define NO_METRICS "{\"compiled\":0,\"correct\":0,\"fast\":["		\
	"{\"count\":0,\"p_milli\":0},{\"count\":0,\"p_milli\":500},"	\
	"{\"count\":0,\"p_milli\":800},{\"count\":0,\"p_milli\":1000},"	\
	"{\"count\":0,\"p_milli\":1500},{\"count\":0,\"p_milli\":2000}],"	\
	"\"geomean_speedup_micro\":null,\"problems\":1,"		\
	"\"status_counts\":{},\"untimed\":0}"

static const char sound_text[] =
	"{\"allowed_mismatches\":[],\"definition\":{},\"kind\":\"score\","
	"\"levels\":[],\"match_key\":{},\"model\":null,"
	"\"options\":{},"
	"\"overall\":" NO_METRICS ","
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"evaluation\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"baseline\"}],"
	"\"schema_version\":2,\"sound\":{\"metrics\":" NO_METRICS ","
	"\"suite\":\"" HEX64 "\",\"unknown\":0,\"unsound\":0,"
	"\"verdicts\":\"known\"},"
	STATED_BY("\"derived_by\":\"backward_and_sizes\",", "null") "," TOOL "}";

static const char not_sound_text[] =
	"{\"allowed_mismatches\":[],\"definition\":{},\"kind\":\"score\","
	"\"levels\":[],\"match_key\":{},\"options\":{},"
	"\"overall\":" NO_METRICS ","
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"evaluation\"},"
	"{\"id\":\"" HEX64 "\",\"kind\":\"baseline\"}],"
	"\"schema_version\":2,\"sound\":{\"metrics\":null,"
	"\"suite\":\"" HEX64 "\",\"unknown\":1,\"unsound\":0,"
	"\"verdicts\":\"suite_absent\"}," NOTHING_STATED "," TOOL "}";

static const char result_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"exit_status\":null,"
	"\"fp64_reference_error\":" FP64_ERROR ",\"key\":\"1/19\",\"level\":1,"
	"\"log\":\"hi\\n\","
	"\"log_truncated\":false,"
	"\"outputs\":[{\"elements\":8,"
	"\"max_abs_error\":\"1.5e-07\",\"max_rel_error\":\"inf\","
	"\"mismatched\":0,\"nan\":0,\"rms_error\":\"0\"}],\"phase\":null,"
	"\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	"\"signal\":null,\"status\":\"correct\",\"timing\":" TIMING ","
	"\"trial_seeds\":[\"" HEX64 "\"],\"wall_ns\":12}";

static const char crash_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":\"it fell over\","
	"\"exit_status\":null,"
	"\"fp64_reference_error\":" NO_FP64_ERROR ",\"key\":\"1/19\",\"level\":1,"
	"\"log\":\"\","
	"\"log_truncated\":true,"
	"\"outputs\":null,\"phase\":\"load\","
	"\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	"\"signal\":\"SIGSEGV\",\"status\":\"crashed\",\"timing\":null,"
	"\"trial_seeds\":[],\"wall_ns\":12}";

static const char reference_text[] =
	"{\"detail\":null,\"exit_status\":null,"
	"\"fp64_reference_error\":" FP64_ERROR ",\"key\":\"1/19\",\"level\":1,"
	"\"log\":\"\",\"log_truncated\":false,\"mode\":\"eager\","
	""
	"\"phase\":null,\"problem_id\":19,\"signal\":null,"
	"\"status\":\"timed\",\"timing\":" TIMING ",\"trial_seeds\":[],"
	"\"wall_ns\":12}";

static const char device_result_text[] =
	"{\"backend\":\"triton\","
	"\"built_in_place\":\"RuntimeError: no device\","
	"\"candidate_sha256\":\"" HEX64 "\",\"cpu_ms\":1500,\"detail\":null,"
	"\"device_timing\":" DEVICE_TIMING ",\"exit_status\":null,"
	"\"fp64_reference_error\":" TWO_FP64_ERROR ","
	"\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,\"measured_on\":\"GPU-1\","
	"\"output_pool_bytes\":2097152,\"outputs\":null,\"phase\":null,"
	"\"problem_id\":19,\"reference_device_timing\":"
	REFERENCE_DEVICE_TIMING ","
	"\"reference_output_pool_bytes\":4194304,"
	"\"reference_timing\":" GPU_REFERENCE_TIMING ",\"sample_id\":0,"
	"\"signal\":null,\"status\":\"correct\",\"timing\":" GPU_TIMING ","
	"\"trial_seeds\":[],\"wall_ns\":12}";

static const char not_queueable_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"device_timing\":" NO_DEVICE_TIMING ",\"exit_status\":null,"
	"\"fp64_reference_error\":null,"
	"\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,"
	"\"outputs\":null,\"phase\":null,"
	"\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	"\"signal\":null,\"status\":\"correct\",\"timing\":" GPU_BASELINE_TIMING ","
	"\"trial_seeds\":[],\"wall_ns\":12}";

#define ERRORS "{\"elements\":8,\"max_abs_error\":\"1.5e-07\","	\
	"\"max_rel_error\":\"inf\",\"mismatched\":0,\"nan\":0,"	\
	"\"rms_error\":\"0\"}"

static const char alternate_text[] =
	"{\"alternate_inputs\":{"
	"\"fp64_reference_error\":" FP64_ERROR ",\"outputs\":[" ERRORS "],"
	"\"trial_seeds\":[\"" HEX64 "\"],\"trials\":6},"
	"\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"exit_status\":null,"
	"\"fp64_reference_error\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,"
	"\"outputs\":null,\"phase\":null,"
	"\"problem_id\":19,\"reference_timing\":null,"
	"\"sample_id\":0,"
	"\"signal\":null,\"status\":\"correct\",\"timing\":" TIMING ","
	"\"trial_seeds\":[],\"wall_ns\":12}";

/* It failed before any of them. */
static const char not_alternate_text[] =
	"{\"alternate_inputs\":{"
	"\"fp64_reference_error\":null,\"outputs\":null,"
	"\"trial_seeds\":[],\"trials\":0},"
	"\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"exit_status\":null,"
	"\"fp64_reference_error\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,"
	"\"outputs\":null,\"phase\":\"run\","
	"\"problem_id\":19,\"reference_timing\":null,"
	"\"sample_id\":0,"
	"\"signal\":null,\"status\":\"mismatch\",\"timing\":null,"
	"\"trial_seeds\":[],\"wall_ns\":12}";

static const char seeds_text[] =
	"{\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	"\"exit_status\":null,"
	"\"fp64_reference_error\":null,\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	"\"log_truncated\":false,"
	"\"outputs\":null,\"phase\":null,"
	"\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	"\"seeds\":[42,123],\"signal\":null,\"status\":\"correct\","
	"\"timing\":" TIMING ",\"trial_seeds\":[],\"wall_ns\":12}";

static const char device_reference_text[] =
	"{\"detail\":null,\"device_timing\":" BASELINE_DEVICE_TIMING ","
	"\"exit_status\":null,"
	"\"fp64_reference_error\":null,\"key\":\"1/19\",\"level\":1,"
	"\"log\":\"\",\"log_truncated\":false,\"measured_on\":\"GPU-1\","
	"\"mode\":\"cudagraphs\",\"output_pool_bytes\":2097152,"
	"\"phase\":null,\"problem_id\":19,\"signal\":null,"
	"\"status\":\"timed\",\"timing\":" GPU_BASELINE_TIMING ",\"trial_seeds\":[],"
	"\"wall_ns\":12}";

static const char score_line_text[] =
	"{\"baseline_ns\":100,\"candidate_clock\":\"call\","
	"\"candidate_ns\":50,\"clock\":\"device\",\"key\":\"1/19\","
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
	"\"float64\":{\"unavailable\":\"out of memory\"},"
	"\"noise\":{\"unavailable\":\"out of memory\"},\"outputs\":["
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
	"\"candidate_clock\":\"device\",\"candidate_high_ns\":60,"
	"\"candidate_low_ns\":-5,\"candidate_ns\":50,"
	"\"clock\":\"device\",\"key\":\"1/19\",\"level\":1,"
	"\"noise_micro\":1001000,\"problem_id\":19,\"reference_ns\":101,"
	"\"sample_id\":0,\"speedup_micro\":2000000,\"status\":\"correct\"}";

#define NO_FAST(p) "{\"count\":0,\"p_milli\":" #p "}"
#define REPORT_LEVEL(n) "{\"compiled\":3,\"correct\":2,\"fast\":[" \
	"{\"count\":1,\"p_milli\":0}," NO_FAST(500) "," NO_FAST(800) "," \
	NO_FAST(1000) "," NO_FAST(1500) "," NO_FAST(2000) "]," \
	"\"geomean_speedup_nano\":490000000,\"level\":" #n "," \
	"\"problems\":5,\"results\":4,\"with_baseline\":3}"
#define REPORT_RESULTS "\"parents\":[],\"results\":{\"sha256\":\"" HEX64 \
	"\",\"size_bytes\":2},"
#define REPORT_END "\"schema_version\":1,\"self_reported\":true," TOOL "}"
#define REPORT_TAIL REPORT_RESULTS REPORT_END
static const char report_text[] =
	"{\"baseline\":{\"sha256\":\"" HEX64 "\",\"size_bytes\":9},"
	"\"format\":\"kernelbench\",\"kind\":\"report\",\"level\":2,"
	"\"levels\":[" REPORT_LEVEL(2) "]," REPORT_TAIL;
static const char joined_report_text[] =
	"{\"baseline\":null,\"dataset\":{\"problems_left_out\":[\"2_x.py\"],"
	"\"results_left_out\":[101],\"times_left_out\":[],\"upstream_commit\":"
	"\"423217d9fda91e0c2d67e4a43bf62f96f6d104f1\"},"
	"\"format\":\"kernelbench\",\"kind\":\"report\",\"level\":2,"
	"\"levels\":[" REPORT_LEVEL(2) "]," REPORT_TAIL;
static const char v3_report_text[] =
	"{\"baseline\":null,\"format\":\"v3\",\"kind\":\"report\","
	"\"level\":null,\"levels\":[" REPORT_LEVEL(1) "," REPORT_LEVEL(2)
	"]," REPORT_TAIL;
/* A submission that was made of a model's answers. */
static const char extracted_text[] =
	"{\"candidates\":["
	"{\"file\":\"data/candidates/level1/problem19/sample0.py\","
	"\"level\":1,\"problem_id\":19,\"runtime\":\"torch\",\"sample_id\":0,"
	"\"sha256\":\"" HEX64 "\",\"size_bytes\":5}],\"date\":null,"
	"\"display_name\":null,\"kind\":\"submission\",\"max_tokens\":null,"
	"\"model\":\"m\",\"notes\":null,\"organization\":null,"
	"\"parents\":[{\"id\":\"" HEX64 "\",\"kind\":\"generation\"}],"
	"\"prompt_sha256\":\"" HEX64 "\",\"run_name\":null,"
	"\"samples_per_problem\":1,\"schema_version\":1,\"seed\":0,"
	"\"server_type\":null,\"source_format\":\"generation\","
	"\"temperature\":null,\"top_p\":null}";

#define USAGE(input, cached, output, reasoning)				\
	"\"cached_tokens\":" cached ",\"input_tokens\":" input ","	\
	"\"output_tokens\":" output ",\"reasoning_tokens\":" reasoning
#define GENERATION_OF(parents, refinement, prices, cost, server)		\
	"{\"backend\":\"triton\",\"extraction\":\"blocks-1\","		\
	"\"hardware\":null,\"kind\":\"generation\",\"model\":\"m\","	\
	"\"options\":{\"model\":\"m\"},\"parents\":[{\"id\":\"" HEX64 "\","	\
	"\"kind\":\"suite\"}" parents "],\"prices\":" prices ","		\
	"\"problems\":[\"1/19\",\"2/3\"]," refinement			\
	"\"samples_per_problem\":2,"					\
	"\"sampling\":\"{\\\"top_k\\\":1.5}\",\"schema_version\":1,\"seed\":7," \
	"\"server_models\":" server ",\"templates_sha256\":\"" HEX64 "\"," TOOL \
	",\"totals\":{\"cached_tokens\":null,\"cost_nano\":" cost ","	\
	"\"input_tokens\":900,\"latency_ns\":null,\"outcomes\":{\"code\":3," \
	"\"missing\":1},\"output_tokens\":1000,\"reasoning_tokens\":null,"	\
	"\"without_usage\":0}}"
#define GENERATION(prices, cost, server)				\
	GENERATION_OF("", "", prices, cost, server)
static const char generation_text[] = GENERATION("null", "null", "null");
static const char priced_text[] =
	GENERATION("{\"cached_per_million\":null,\"currency\":\"USD\","
		   "\"input_per_million\":\"0.15\","
		   "\"output_per_million\":\"12\"}", "12135000",
		   "\"{\\\"data\\\":[]}\"");

#define PARENT(name) ",{\"id\":\"" HEX64 "\",\"kind\":\"" name "\"}"
static const char refined_text[] =
	GENERATION_OF(PARENT("baseline") PARENT("evaluation")
		      PARENT("evaluation"),
		      "\"refinement\":{\"budget_cost\":\"0.5\","
		      "\"budget_tokens\":1000,\"feedback\":\"status,log\","
		      "\"goal\":\"1.5x\",\"history\":\"best\",\"turns\":3,"
		      "\"words\":{\"mend\":\"Mend it.\"}},",
		      "null", "null", "null");

#define JUDGED_LINE(judged, outcome, code)				\
	"{\"answer\":\"{}\",\"code\":" code ",\"finish_reason\":\"stop\"," \
	"\"judged\":" judged ",\"key\":\"1/19\",\"latency_ns\":5,"	\
	"\"level\":1,\"message\":null,\"model\":\"m-1\","		\
	"\"outcome\":\"" outcome "\",\"problem_id\":19,"		\
	"\"prompt_sha256\":\"" HEX64 "\",\"request_sha256\":\"" HEX64 "\","	\
	"\"sample_id\":0,\"seed\":null,\"system_fingerprint\":null,"	\
	"\"turn\":3,\"usage\":{" USAGE("10", "4", "20", "0") "}}"
static const char judged_text[] = JUDGED_LINE(
	"{\"baseline_ns\":200,\"bound_ns\":50,\"compiled\":true,"
	"\"status\":\"correct\",\"time_ns\":100,\"told\":\"Faster.\"}",
	"code", "{\"sha256\":\"" HEX64 "\",\"size_bytes\":7}");
static const char untold_text[] = JUDGED_LINE(
	"{\"baseline_ns\":null,\"bound_ns\":null,\"compiled\":false,"
	"\"status\":\"missing\",\"time_ns\":null,\"told\":null}",
	"no_code", "null");
static const char unjudged_text[] = JUDGED_LINE("null", "no_code", "null");

#define GENERATED(answer, code, outcome, usage)				\
	"{\"answer\":" answer ",\"code\":" code ",\"finish_reason\":\"stop\"," \
	"\"key\":\"1/19\",\"latency_ns\":5,\"level\":1,\"message\":null,"	\
	"\"model\":\"m-1\",\"outcome\":\"" outcome "\",\"problem_id\":19,"	\
	"\"prompt_sha256\":\"" HEX64 "\",\"request_sha256\":\"" HEX64 "\","	\
	"\"sample_id\":0,\"seed\":null,\"system_fingerprint\":null,"	\
	"\"turn\":1,\"usage\":{" usage "}}"
static const char generated_text[] =
	GENERATED("\"{}\"", "{\"sha256\":\"" HEX64 "\",\"size_bytes\":7}",
		  "code", USAGE("10", "4", "20", "0"));
static const char unanswered_text[] =
	GENERATED("null", "null", "missing",
		  USAGE("null", "null", "null", "null"));
static const char prompt_text[] =
	"{\"messages\":[{\"content\":\"\",\"role\":\"user\"}],\"sha256\":"
	"\"5f4cecb53c4f1a603f62a45151cc07213d3b5f3757a63dd3bed825d37fce75ab\"}";

static const char v3_run_text[] =
	"{\"baseline\":null,\"format\":\"v3\",\"kind\":\"report\","
	"\"level\":null,\"levels\":[" REPORT_LEVEL(1) "," REPORT_LEVEL(2)
	"]," REPORT_RESULTS
	"\"run\":\"run_1\"," REPORT_END;

#endif
