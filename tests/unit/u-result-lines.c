/* Lines of results: what of a candidate's or a reference's line denies
 * another part of it. */

#include "unit/record_cases.h"

static const struct contradiction bad[] = {
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
	  "line: 'n_large' is not above 'n_small'" },
	{ result_text, "\"n_small\":1", "\"n_small\":0",
	  "line: 'n_large' is 5 beside 'n_small' 0, want 1" },
	{ result_text, "\"n_large\":5", "\"method\":\"slope\",\"n_large\":5",
	  "line: 'method' is not a known member" },
	{ device_result_text, "\"small_ns\":[100]",
	  "\"one_call_slack_ns\":0,\"small_ns\":[100]",
	  "line: 'one_call_slack_ns' is 0, want 1 to 9007199254740991" },
	{ result_text, "\"small_ns\":[100]", "\"small_ns\":[]",
	  "line: 'small_ns' is empty" },
	{ result_text, "\"small_ns\":[100]", "\"small_ns\":[null]",
	  "line: 'small_ns' has an element that is no time" },
	{ result_text, "\"small_ns\":[100]", "\"small_ns\":[100,100]",
	  "line: 'small_ns' and 'large_ns' have not equally many samples" },
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
	  "line: 'segfault' is not the name of a signal that ends a process" },
	{ crash_text, "\"SIGSEGV\"", "\"SIGCONT\"",
	  "line: 'SIGCONT' is not the name of a signal that ends a process" },
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
	{ result_text, "\"clock\":\"call\"", "\"clock\":\"device\"",
	  "line: 'clock' is 'device', want 'call'" },
	{ result_text, "\"clock\":\"call\"", "\"clock\":\"wall\"",
	  "line: 'clock' is 'wall', which is not known" },
	{ device_result_text, "\"clock\":\"device\"", "\"clock\":\"call\"",
	  "line: 'clock' is 'call', want 'device'" },
	{ device_result_text, "\"device_timing\":" DEVICE_TIMING,
	  "\"device_timing\":null",
	  "line: 'device_timing' is null, want an object" },
	{ device_result_text, "\"device_timing\":{\"control_after_ns\":null,",
	  "\"device_timing\":{", "line: 'control_after_ns' is missing" },
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
	  "line: 'basis' does not go with 'time_ns'" },
	{ device_result_text, "\"basis\":\"one_call\"", "\"basis\":null",
	  "line: 'basis' does not go with 'time_ns'" },
	{ device_result_text, "\"one_call\"", "\"luck\"",
	  "line: 'basis' is 'luck', which is not known" },
	{ device_result_text, "\"stop_reason\":\"interval\"",
	  "\"stop_reason\":\"boredom\"",
	  "line: 'stop_reason' is 'boredom', which is not known" },
	{ device_result_text, "\"stop_reason\":\"interval\"",
	  "\"stop_reason\":null",
	  "line: 'stop_reason' is null, want a string" },
	{ device_result_text, "[-7,12]", "[]",
	  "line: 'one_call_ns' decided, but is empty" },
	{ device_result_text, "[-7,12]", "[-7]",
	  "line: 'one_call_ns' has 1 samples of the candidate, 2 of the "
	  "reference" },
	{ device_result_text, "[-7,12]", "[-7,\"12\"]",
	  "line: 'one_call_ns' has an element that is no time" },
	{ device_result_text, "\"alone_ns\":[]", "\"alone_ns\":[1]",
	  "line: 'alone_ns' is there of a candidate" },
	{ device_result_text, "\"n_one_call\":1", "\"n_one_call\":0",
	  "line: 'n_one_call' is 0 of a candidate" },
	{ device_result_text, "\"n_one_call\":1", "\"n_one_call\":2",
	  "line: 'n_one_call' is 2, want 0 to 1" },
	{ reference_text, "\"n_one_call\":1", "\"n_one_call\":0",
	  "line: 'n_one_call' is 0 without 'copy_in_small_ns'" },
	{ device_reference_text, "\"n_one_call\":1,", "",
	  "line: 'n_one_call' is missing" },
	{ device_reference_text, "\"device_ns\":null,", "",
	  "line: 'device_ns' is missing" },
	{ device_reference_text, "\"device_ns\":null", "\"device_ns\":0",
	  "line: 'device_ns' is 0, want 1 to 9007199254740991" },
	{ device_reference_text, "\"device_ns\":null", "\"device_ns\":50",
	  "line: 'device_ns' is there by the clock of a device" },
	{ reference_text, "\"device_ns\":null", "\"device_ns\":50",
	  "line: 'device_ns' is there without 'copy_in_small_ns'" },
	{ reference_text, "\"basis\":\"slope\"", "\"basis\":\"device\"",
	  "line: 'device_ns' decided, but is not known" },
	{ device_reference_text,
	  GPU_BASELINE_TIMING,
	  TIMED("call", "300", "", "", "12", "null", "50",
		"\"basis\":\"device\""),
	  "line: 'low_ns' is there where 'device_ns' decided" },
	{ reference_text, "\"basis\":\"slope\"",
	  "\"basis\":\"control\"",
	  "line: 'basis' is 'control' by the call clock" },
	{ device_result_text, REFERENCE_DEVICE_TIMING,
	  BY_DEVICE("49", "51", TIMED("device", "300", "9,9", "8", "12", "11",
				      "null", "\"basis\":\"control\"")),
	  "line: 'low_ns' is there where control timings decided" },
	{ device_result_text, REFERENCE_DEVICE_TIMING,
	  BY_DEVICE("null", "null",
		    "{\"alone_ns\":[8],\"basis\":\"control\","
		    "\"clock\":\"device\",\"copy_in_large_ns\":12,"
		    "\"copy_in_one_call_ns\":11,\"copy_in_small_ns\":12,"
		    "\"device_ns\":null,\"high_ns\":null,"
		    "\"large_ns\":[300],\"low_ns\":null,\"n_large\":5,"
		    "\"n_one_call\":1,\"n_small\":1,\"one_call_ns\":[9,9],"
		    "\"small_ns\":[100],\"stop_reason\":\"interval\","
		    "\"time_ns\":50}"),
	  "line: control timings decided, but are not known" },
	{ device_reference_text, "\"control_before_ns\":null",
	  "\"control_before_ns\":50",
	  "line: 'control_before_ns' is there without a candidate" },
	{ device_reference_text, "\"control_after_ns\":null",
	  "\"control_after_ns\":50",
	  "line: 'control_after_ns' is there without a candidate" },
	{ device_result_text, "\"control_after_ns\":null",
	  "\"control_after_ns\":50",
	  "line: 'control_after_ns' is there of a candidate" },
	{ device_result_text, "\"copy_in_small_ns\":12",
	  "\"copy_in_small_ns\":null",
	  "line: 'copy_in_small_ns' and 'copy_in_large_ns' are not both "
	  "known" },
	{ device_result_text, "\"copy_in_large_ns\":12,"
	  "\"copy_in_one_call_ns\":11,\"copy_in_small_ns\":12",
	  "\"copy_in_large_ns\":null,"
	  "\"copy_in_one_call_ns\":null,\"copy_in_small_ns\":null",
	  "line: 'copy_in_small_ns' is not known by the clock of a device" },
	{ device_result_text, "\"copy_in_one_call_ns\":11",
	  "\"copy_in_one_call_ns\":null",
	  "line: 'copy_in_one_call_ns' is not known of runs of one call" },
	{ device_result_text, "\"copy_in_large_ns\":12",
	  "\"copy_in_large_ns\":-1",
	  "line: 'copy_in_large_ns' is -1, want 0 to 9007199254740991" },
	{ device_result_text, "\"timing\":" GPU_TIMING, "\"timing\":" TIMING,
	  "line: 'copy_in_small_ns' of 'timing' is not known beside a "
	  "device's clock" },
	{ device_result_text, "\"reference_timing\":" GPU_REFERENCE_TIMING,
	  "\"reference_timing\":null",
	  "line: 'one_call_ns' has 1 samples of the candidate, 0 of the "
	  "reference" },
	{ result_text, "\"timing\":" TIMING, "\"timing\":" GPU_BASELINE_TIMING,
	  "line: 'copy_in_small_ns' of 'timing' is there without a device's "
	  "clock" },
	{ result_text, "\"copy_in_one_call_ns\":null",
	  "\"copy_in_one_call_ns\":1",
	  "line: 'copy_in_one_call_ns' is there without "
	  "'copy_in_small_ns'" },
	{ result_text, "\"time_ns\":50", "\"call_time_ns\":50",
	  "line: 'time_ns' is missing" },
	{ device_reference_text, "\"one_call_ns\":[]", "\"one_call_ns\":[1]",
	  "line: 'copy_in_one_call_ns' is not known of runs of one call" },
	{ reference_text, "\"one_call_ns\":[]", "\"one_call_ns\":[1]",
	  "line: 'one_call_ns' is there without a candidate" },
	{ reference_text, "\"alone_ns\":[]", "\"alone_ns\":[1]",
	  "line: 'alone_ns' is there without a candidate" },
	{ reference_text, "\"fp64_reference_error\"", "\"oracle\"",
	  "line: 'fp64_reference_error' is missing" },
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
	  "\"reference_device_timing\":" REFERENCE_DEVICE_TIMING ","
	  "\"reference_output_pool_bytes\":4194304,"
	  "\"reference_timing\":" GPU_REFERENCE_TIMING ",\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"correct\",\"timing\":" GPU_TIMING,
	  "\"phase\":\"run\",\"problem_id\":19,"
	  "\"reference_timing\":null,\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"mismatch\",\"timing\":null",
	  "line: 'device_timing' is there though the status is 'mismatch'" },
	{ not_queueable_text, "\"timing\":null",
	  "\"timing\":" TIMED("device", "300", "", "", "12", "null",
			    "null", BY_SLOPE),
	  "line: 'timing' does not go with 'not_queueable'" },
	{ not_queueable_text, "\"forward() waits\"", "null",
	  "line: 'timing' does not go with 'not_queueable'" },
	{ not_queueable_text, "\"forward() waits\"", "\"\"",
	  "line: 'not_queueable' is empty" },
	{ device_reference_text, "\"phase\":null,\"problem_id\":19,"
	  "\"signal\":null,\"status\":\"timed\",\"timing\":" GPU_BASELINE_TIMING,
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
	{ result_text, "[" FP64_ERROR_OUTPUT "]", "null",
	  "line: 'outputs' does not go with 'unavailable'" },
	{ result_text, "[" FP64_ERROR_OUTPUT "]", "[null]",
	  "line: 'outputs' has none of floats" },
	{ result_text, "[" FP64_ERROR_OUTPUT "]", "[]",
	  "line: 'outputs' has none of floats" },
	{ result_text, "[" FP64_ERROR_OUTPUT "]", "[1]",
	  "line: is an integer, want an object" },
	{ result_text, "[" FP64_ERROR_OUTPUT "]", "[" FP64_ERROR_OUTPUT ",null]",
	  "line: 'fp64_reference_error' has 2 outputs, 'outputs' 1" },
	{ result_text, "\"max_abs\":\"4\"", "\"max_abs\":\"inf\"",
	  "line: 'max_abs' is not finite" },
	{ result_text, "\"max_abs\":\"4\"", "\"max_abs\":\"1.25\"",
	  "line: 'rms' is above 'max_abs'" },
	{ result_text, "\"1e-07\"", "\"1e-06\"",
	  "line: 'rms_error' is above 'max_abs_error'" },
	{ reference_text, FP64_ERROR, "3",
	  "line: 'fp64_reference_error' is an integer, want an object" },
	{ crash_text, "\"draws\":0", "\"draws\":3",
	  "line: 'draws' does not go with 'outputs'" },
	{ crash_text, "\"unavailable\":\"not enough memory\"",
	  "\"unavailable\":null",
	  "line: 'outputs' does not go with 'unavailable'" },
	{ alternate_text, "\"trials\":6", "\"trials\":0",
	  "line: alternate_inputs: 'outputs' does not go with 'trials'" },
	{ alternate_text, "\"trials\":6", "\"trials\":-1",
	  "line: alternate_inputs: 'trials' is -1, want 0 to 9007199254740991" },
	{ alternate_text, "[" ERRORS "]", "null",
	  "line: alternate_inputs: 'outputs' does not go with 'trials'" },
	{ alternate_text, "[" ERRORS "]", "[]",
	  "line: alternate_inputs: 'outputs' is empty" },
	{ alternate_text, "[" ERRORS "]", "[" ERRORS "," ERRORS "]",
	  "line: alternate_inputs: 'fp64_reference_error' has 1 outputs, 'outputs' 2" },
	{ alternate_text, "\"alternate_inputs\":{",
	  "\"alternate_inputs\":{\"x\":1,",
	  "line: alternate_inputs: 'x' is not a known member" },
	{ alternate_text, "\"trial_seeds\":[\"" HEX64 "\"]",
	  "\"trial_seeds\":[\"a\"]",
	  "line: alternate_inputs: 'trial_seeds' has an element that is no seed" },
	{ not_alternate_text, "\"phase\":\"run\"", "\"phase\":null",
	  "line: nothing ends as 'mismatch' in phase 'null'" },
	{ not_alternate_text, "{\"fp64_reference_error\":null,"
	  "\"outputs\":null,\"trial_seeds\":[],\"trials\":0}", "null",
	  "line: 'alternate_inputs' is null, want an object" },
	{ not_alternate_text, "\"phase\":\"run\",\"problem_id\":19,"
	  "\"reference_timing\":null,\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"mismatch\"",
	  "\"phase\":null,\"problem_id\":19,"
	  "\"reference_timing\":null,\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"correct\"",
	  "line: 'alternate_inputs' has no trials though the status is "
	  "'correct'" },
	{ not_alternate_text, "\"candidate_sha256\":\"" HEX64 "\",\"detail\":null,"
	  "\"exit_status\":null,\"fp64_reference_error\":null,"
	  "\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	  "\"log_truncated\":false,\"outputs\":null,"
	  "\"phase\":\"run\",\"problem_id\":19,"
	  "\"reference_timing\":null,\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"mismatch\"",
	  "\"candidate_sha256\":null,\"detail\":null,"
	  "\"exit_status\":null,\"fp64_reference_error\":null,"
	  "\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	  "\"log_truncated\":false,\"outputs\":null,"
	  "\"phase\":null,\"problem_id\":19,"
	  "\"reference_timing\":null,\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"missing\"",
	  "line: 'alternate_inputs' is there though the status is "
	  "'missing'" },
	{ seeds_text, "[42,123]", "[]", "line: 'seeds' is empty" },
	{ seeds_text, "[42,123]", "[42,42]", "line: 'seeds' has 42 twice" },
	{ seeds_text, "[42,123]", "\"42\"",
	  "line: 'seeds' is a string, want an array" },
	{ seeds_text, seeds_text,
	  "{\"candidate_sha256\":null,\"detail\":null,"
	  "\"exit_status\":null,\"fp64_reference_error\":null,"
	  "\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	  "\"log_truncated\":false,"
	  "\"outputs\":null,\"phase\":null,"
	  "\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	  "\"seeds\":[42],\"signal\":null,\"status\":\"missing\","
	  "\"timing\":null,\"trial_seeds\":[],\"wall_ns\":12}",
	  "line: 'seeds' is there though the status is 'missing'" },
	{ device_result_text, "2097152", "0",
	  "line: 'output_pool_bytes' is 0, want 1 to 9007199254740991" },
	{ device_result_text, "2097152", "-2097152",
	  "line: 'output_pool_bytes' is -2097152, want 1 to 9007199254740991" },
	{ device_result_text, "2097152", "\"2097152\"",
	  "line: 'output_pool_bytes' is a string, want an integer" },
	{ device_result_text, "2097152", "null",
	  "line: 'output_pool_bytes' is null, want an integer" },
	{ crash_text, crash_text,
	  "{\"candidate_sha256\":null,\"detail\":null,"
	  "\"exit_status\":null,\"fp64_reference_error\":null,"
	  "\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	  "\"log_truncated\":false,\"output_pool_bytes\":2097152,"
	  "\"outputs\":null,\"phase\":null,"
	  "\"problem_id\":19,\"reference_timing\":null,\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"missing\","
	  "\"timing\":null,\"trial_seeds\":[],\"wall_ns\":0}",
	  "line: 'output_pool_bytes' is there though the status is "
	  "'missing'" },
	{ device_reference_text, "2097152", "0",
	  "line: 'output_pool_bytes' is 0, want 1 to 9007199254740991" },
	{ device_reference_text, "2097152", "\"2097152\"",
	  "line: 'output_pool_bytes' is a string, want an integer" },
	{ device_reference_text, "2097152", "null",
	  "line: 'output_pool_bytes' is null, want an integer" },
	{ device_result_text, "4194304", "0",
	  "line: 'reference_output_pool_bytes' is 0, want 1 to "
	  "9007199254740991" },
	{ device_result_text, "4194304", "\"4194304\"",
	  "line: 'reference_output_pool_bytes' is a string, want an integer" },
	{ device_result_text, "4194304", "null",
	  "line: 'reference_output_pool_bytes' is null, want an integer" },
	{ crash_text, crash_text,
	  "{\"candidate_sha256\":null,\"detail\":null,"
	  "\"exit_status\":null,\"fp64_reference_error\":null,"
	  "\"key\":\"1/19\",\"level\":1,\"log\":\"\","
	  "\"log_truncated\":false,"
	  "\"outputs\":null,\"phase\":null,"
	  "\"problem_id\":19,\"reference_output_pool_bytes\":2097152,"
	  "\"reference_timing\":null,\"sample_id\":0,"
	  "\"signal\":null,\"status\":\"missing\","
	  "\"timing\":null,\"trial_seeds\":[],\"wall_ns\":0}",
	  "line: 'reference_output_pool_bytes' is there though the status is "
	  "'missing'" },
};

static void test_results_refuse_what_contradicts_itself(void)
{
	check_refused(bad, KB_ARRAY_LEN(bad));
}

static void test_a_slack_of_ranks_is_printed_again(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(json) struct kb_json *v = NULL;
	struct kb_err err = KB_ERR_INIT;

	record_change(&text, device_result_text, "\"small_ns\":[100]",
		      "\"one_call_slack_ns\":4000,\"small_ns\":[100]");
	v = record_parse(text.data);
	check_int(result_again(&out, v, &err), 0);
	check_str(out.data, text.data);
}

TAP_MAIN(TAP(test_results_refuse_what_contradicts_itself),
	 TAP(test_a_slack_of_ranks_is_printed_again));
