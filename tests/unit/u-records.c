#include <stdlib.h>

#include "unit/record_cases.h"

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

/* Members that a record may lack: what a problem without alternate inputs, a
 * run under one seed or one on the CPU does not have, and what the first scores
 * and reports had not yet. */
static bool is_optional(const struct kb_json *record,
			const struct kb_json *member)
{
	const struct kb_json *kind = kb_json_find(record, "kind");
	const char *key = kb_json_key(member);

	/* Others have one, if only to say that it is not known. */
	if (!strcmp(key, "model"))
		return kind && !strcmp(kb_json_string_value(kind), "score");

	/* A generation's is what was asked for. */
	if (!strcmp(key, "backend"))
		return kb_json_find(record, "candidate_sha256");
	/* A derived suite has one of these, or both. */
	if (!strcmp(key, "sizes") || !strcmp(key, "backward"))
		return kb_json_find(record, "sizes") &&
		       kb_json_find(record, "backward");
	/* An audit's is a verdict, and must be there. */
	if (!strcmp(key, "sound"))
		return kb_json_type(member) == KB_JSON_OBJECT;
	return !strcmp(key, "warnings") || !strcmp(key, "spent") ||
	       !strcmp(key, "alternate_inputs") || !strcmp(key, "seeds") || !strcmp(key, "dataset") ||
	       !strcmp(key, "judged") || !strcmp(key, "conventions") ||
	       !strcmp(key, "modules") || !strcmp(key, "collective") ||
	       (!strcmp(key, "world") &&
		!kb_json_find(record, "modules")) ||
	       !strcmp(key, "built_in_place") ||
	       !strcmp(key, "measured_on") || !strcmp(key, "cpu_ms") ||
	       !strcmp(key, "output_pool_bytes") ||
	       !strcmp(key, "reference_output_pool_bytes") ||
	       !strcmp(key, "run");
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
				  is_optional(whole, skip) ?
				  0 : -KB_ERR_INPUT);
		}
		kb_json_set_int(whole, "surprise", 1);
		check_int(good[i].again(&(struct kb_buf)KB_BUF_INIT, whole,
					NULL), -KB_ERR_INPUT);
	}
}

static const struct contradiction bad[] = {
	{ suite_text, "\"suite\"", "\"score\"",
	  "suite: its kind is 'score', want 'suite', which 'kb-pack suite' makes" },
	{ suite_text, "\"schema_version\":1", "\"schema_version\":2",
	  "suite: 'schema_version' is 2, want 1" },
	{ evaluation_text, "\"schema_version\":2", "\"schema_version\":1",
	  "evaluation: 'schema_version' is 1, want 2" },
	{ score_text, "\"schema_version\":2", "\"schema_version\":1",
	  "score: 'schema_version' is 1, want 2" },
	{ baseline_text, "\"schema_version\":2", "\"schema_version\":1",
	  "baseline: 'schema_version' is 1, want 2" },
	{ baseline_text, "\"schema_version\":2", "\"schema_version\":3",
	  "baseline: 'schema_version' is 3, want 2" },
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
	{ derived_suite_text, "\"v3\"", "\"v2\"",
	  "suite: 'conventions' is 'v2', which is not known" },
	{ ranks_suite_text, "\"world\":4", "\"world\":1",
	  "suite: 'world' is 1, want 2 to 8" },
	{ ranks_suite_text, "\"world\":4", "\"world\":9",
	  "suite: 'world' is 9, want 2 to 8" },
	{ ranks_suite_text, "1_Sum.py\",\"key\":\"1/1\",\"level\":1,"
	  "\"name\":\"1_Sum\",\"problem_id\":1,\"runtime\":\"torch\"",
	  "1_Sum.c\",\"key\":\"1/1\",\"level\":1,"
	  "\"name\":\"1_Sum\",\"problem_id\":1,\"runtime\":\"native\"",
	  "suite: 'world' is 4, and 1/1 is not in Python" },
	{ pkb_suite_text, ",\"world\":4", "",
	  "suite: 'conventions' is 'pkb', and 'world' is missing" },
	{ suite_text, "\"facts\":null", COLLECTIVE "\"facts\":null",
	  "suite: 1/19 has 'collective', and 'world' is missing" },
	{ derived_suite_text, "\"facts\":null", COLLECTIVE "\"facts\":null",
	  "suite: 1/19 has 'collective' of the parent's sizes" },
	{ pkb_suite_text, "all_reduce", "reduce",
	  "suite: 'operation' is 'reduce', which is not known" },
	{ pkb_suite_text, "\"elements\":6", "\"elements\":0",
	  "suite: 'elements' is 0, want 1 to 17592186044416" },
	{ pkb_suite_text, "utils/a.py", "utils/b.py",
	  "suite: 'modules' is not sorted, or has one twice" },
	{ pkb_suite_text, "utils/a.py", "a.py",
	  "suite: 'data/modules/a.py' is no place for a module" },
	{ pkb_suite_text, "utils/a.py", "../a.py",
	  "suite: 'data/modules/../a.py' is no place for a module" },
	{ pkb_suite_text, "utils/a.py", "a/utils/a.py",
	  "suite: 'data/modules/a/utils/a.py' is no place for a module" },
	{ pkb_suite_text, "utils/a.py", "utils/a.so",
	  "suite: 'data/modules/utils/a.so' is no place for a module" },
	{ pkb_suite_text, "data/modules/utils/a.py", "data/problems/a/a.py",
	  "suite: 'data/problems/a/a.py' is no place for a module" },
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
	  "submission: is an integer, want an object" },
	{ extracted_text, "}],\"prompt_sha", "},{}],\"prompt_sha",
	  "submission: has 2 parents, want 1 for a submission" },
	{ extracted_text, "\"source_format\":\"generation\"",
	  "\"source_format\":\"folder\"",
	  "submission: 'source_format' does not go with 'parents'" },
	{ submission_text, "\"source_format\":\"folder\"",
	  "\"source_format\":\"generation\"",
	  "submission: 'source_format' does not go with 'parents'" },
	{ generation_text, "\"backend\":\"triton\"", "\"backend\":\"mojo\"",
	  "generation: 'backend' is 'mojo', which is not known" },
	{ generation_text, "blocks-1", "blocks-0",
	  "generation: 'extraction' is 'blocks-0', which is not known" },
	{ generation_text, "\"{\\\"top_k\\\":1.5}\"", "\"[]\"",
	  "generation: 'sampling' is no JSON object" },
	{ generation_text, "\"{\\\"top_k\\\":1.5}\"", "\"{\\\"n\\\":2}\"",
	  "generation: 'sampling' has the member 'n'" },
	{ generation_text, "[\"1/19\",\"2/3\"]", "[]",
	  "generation: 'problems' is empty" },
	{ generation_text, "\"seed\":7", "\"seed\":-1",
	  "generation: 'seed' is -1, want 0 to 9007199253740992" },
	{ generation_text, "\"samples_per_problem\":2",
	  "\"samples_per_problem\":0",
	  "generation: 'samples_per_problem' is 0, want 1 to 1000000" },
	{ generation_text, "\"code\":3", "\"code\":0",
	  "generation: 'code' is 0, want 1 to 9007199254740991" },
	{ generation_text, "\"cached_tokens\":null", "\"cached_tokens\":901",
	  "generation: a part of the tokens is more than the whole" },
	{ priced_text, "\"0.15\"", "\"0.1234567\"",
	  "generation: 'input_per_million' is no price, as 0.15, of at most 6 digits after the point: '0.1234567'" },
	{ priced_text, "\"0.15\"", "\".15\"",
	  "generation: 'input_per_million' is no price, as 0.15, of at most 6 digits after the point: '.15'" },
	{ priced_text, "\"12\"", "\"1234567890\"",
	  "generation: 'output_per_million' is no price, as 0.15, of at most 6 digits after the point: '1234567890'" },
	{ generated_text, "\"outcome\":\"code\"", "\"outcome\":\"no_code\"",
	  "line: 'code' does not go with outcome 'no_code'" },
	{ generated_text, "\"answer\":\"{}\"", "\"answer\":null",
	  "line: 'answer' does not go with outcome 'code'" },
	{ generated_text, "\"reasoning_tokens\":0", "\"reasoning_tokens\":21",
	  "line: a part of the tokens is more than the whole" },
	{ generated_text, "\"turn\":1", "\"turn\":0",
	  "line: 'turn' is 0, want 1 to 100" },
	{ refined_text, "\"turns\":3", "\"turns\":1",
	  "generation: 'turns' is 1, want 2 to 100" },
	{ refined_text, "\"goal\":\"1.5x\"", "\"goal\":\"1.5\"",
	  "generation: 'goal' is '1.5', which is none" },
	{ refined_text, "\"status,log\"", "\"log,status\"",
	  "generation: 'feedback' is 'log,status', which is not known" },
	{ refined_text, "\"history\":\"best\"", "\"history\":\"worst\"",
	  "generation: 'history' is 'worst', which is not known" },
	{ refined_text, "\"budget_tokens\":1000", "\"budget_tokens\":0",
	  "generation: 'budget_tokens' is 0, want 1 to 9007199254740991" },
	{ refined_text, "\"budget_cost\":\"0.5\"", "\"budget_cost\":\"0.0\"",
	  "generation: 'budget_cost' is no amount: '0.0'" },
	{ refined_text, "\"kind\":\"baseline\"", "\"kind\":\"suite\"",
	  "generation: a parent's kind is 'suite', want 'evaluation'" },
	{ generation_text, "\"kind\":\"suite\"}],",
	  "\"kind\":\"suite\"}" PARENT("evaluation") "],",
	  "generation: has 2 parents, want 1 without turns" },
	{ judged_text, "\"status\":\"correct\"", "\"status\":\"missing\"",
	  "line: 'judged' does not go with outcome 'code'" },
	{ judged_text, "\"status\":\"correct\"", "\"status\":\"timed\"",
	  "line: no candidate ends as 'timed'" },
	{ judged_text, "\"time_ns\":100", "\"time_ns\":0",
	  "line: 'time_ns' is 0, want 1 to 9007199254740991" },
	{ untold_text, "\"status\":\"missing\"", "\"status\":\"correct\"",
	  "line: 'judged' does not go with outcome 'no_code'" },
	{ prompt_text, "\"content\":\"\"", "\"content\":\"x\"",
	  "line: 'sha256' is not the digest of 'messages'" },
	{ prompt_text, "\"user\"", "\"tool\"",
	  "line: 'role' is 'tool', which is not known" },
	{ prompt_text, "[{\"content\":\"\",\"role\":\"user\"}]", "[]",
	  "line: 'messages' is empty" },
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
	{ served_evaluation_text, "\"asked\":3", "\"asked\":4",
	  "evaluation: 'asked' is not the sum of lines, 'remembered' and "
	  "'withdrawn'" },
	{ served_evaluation_text, "\"kb-serve\"", "\"kb-eval\"",
	  "evaluation: 'served' does not go with 'tool'" },
	{ evaluation_text, "\"kb-eval\"", "\"kb-serve\"",
	  "evaluation: 'served' does not go with 'tool'" },
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
	  "score: 'p_milli' is 900, want 800" },
	{ sure_score_text, "\"m-1\"", "\"\"", "score: 'model' is empty" },
	{ sure_score_text, "\"requests\":3", "\"requests\":0",
	  "score: 'requests' is 0, want 1 to 9007199254740991" },
	{ sure_score_text, "\"USD\"", "null",
	  "score: 'cost_nano' does not go with 'currency'" },
	{ sure_score_text, "\"reasoning_tokens\":7", "\"reasoning_tokens\":9",
	  "score: a part of the tokens is more than the whole" },
	{ sure_score_text, "\"m-1\"", "1",
	  "score: 'model' is an integer, want a string" },
	{ score_text, "\"untimed\":0", "\"untimed\":1",
	  "score: 'untimed' is not what 'correct' and 'fast' leave" },
	{ score_text, "\"left_out\":null", "\"left_out\":[]",
	  "score: 'left_out' does not go with 'suite_problems'" },
	{ score_text, "\"unsound\":null", "\"unsound\":0",
	  "score: 'unsound' and 'not_audited' do not go with 'suite_problems'" },
	{ score_text, "\"drift\":null,\"error", "\"derived_from\":\"" HEX64
	  "\",\"drift\":null,\"error",
	  "score: 'derived_from' does not go with 'suite_problems'" },
	{ score_text, "\"drift\":null,\"error",
	  "\"derived_by\":\"backward\",\"drift\":null,\"error",
	  "score: 'derived_by' is not a known member" },
	{ sure_score_text, "\"derived_from\":", "\"derived_by\":\"sizes\","
	  "\"derived_from\":",
	  "score: 'derived_by' is 'sizes', which is not known" },
	{ score_text, "\"suite_problems\":null", "\"suite_problems\":1",
	  "score: 'left_out' does not go with 'suite_problems'" },
	{ sure_score_text, "\"suite_problems\":6", "\"suite_problems\":1",
	  "score: 'left_out' has more problems than the suite" },
	{ sure_score_text, "[\"1/3\",\"2/1\"]", "[\"2/1\",\"1/3\"]",
	  "score: 'left_out' is not sorted, or has a key twice" },
	{ sure_score_text, LIMIT("16", "0.01"), LIMIT("15", "0.01"),
	  "score: 'bits' is 15, want 16" },
	{ sure_score_text, "," LIMIT("8", "0.01"), "",
	  "score: 'limits' has 2 elements, want none or 3" },
	{ sure_score_text, "\"median_micro\":1040000,\"min_micro\"",
	  "\"median_micro\":null,\"min_micro\"",
	  "score: 'drift' does not go with its 'problems'" },
	{ sure_score_text, "\"tensor\"", "\"element\"",
	  "score: 'tolerance_of' is 'element', which is not known" },
	{ sure_score_text, "\"error_multiple\":8", "\"error_multiple\":0",
	  "score: 'error_multiple' is 0, want 1 to 9007199254740991" },
	{ not_sound_text, "suite_absent", "not_audited",
	  "score: 'sound' and 'stated' do not agree whether the suite was there" },
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
	{ derived_suite_text, "\"kind\":\"suite\"}]", "\"kind\":\"audit\"}]",
	  "suite: a parent's kind is 'audit', want 'suite'" },
	{ derived_suite_text, "\"parents\":[{\"id\":\"" HEX64
	  "\",\"kind\":\"suite\"}]", "\"parents\":[]",
	  "suite: 1/19 has 'remedy', and the suite is not derived by sizes alone" },
	{ suite_text, "\"parents\":[]", "\"parents\":[{\"id\":\"" HEX64
	  "\",\"kind\":\"suite\"}]", "suite: 'sizes' is missing" },
	{ derived_suite_text, "\"kind\":\"suite\"}]", "\"kind\":\"suite\"},{}]",
	  "suite: has 2 parents, want 1 for a suite" },
	{ derived_suite_text, "ReLU.py\",\"key\":\"1/19\",\"level\":1,\"name\":"
	  "\"19_ReLU\",\"problem_id\":19,\"remedy\":["
	  "{\"argument\":2,\"scale\":\"4\",\"shift\":\"-2\"},"
	  "{\"argument\":0,\"scale\":\"1e3\",\"shift\":\"0\"}],"
	  "\"runtime\":\"torch\"",
	  "ReLU.c\",\"key\":\"1/19\",\"level\":1,\"name\":"
	  "\"19_ReLU\",\"problem_id\":19,\"runtime\":\"native\"",
	  "suite: 1/19 is not in Python, and has sizes of its own" },
	{ derived_suite_text, "\"argument\":2", "\"argument\":0",
	  "suite: remedy[1]: 'argument' is 0 once more" },
	{ derived_suite_text, "\"argument\":2", "\"argument\":32",
	  "suite: remedy[0]: 'argument' is 32, want 0 to 31" },
	{ derived_suite_text, "\"scale\":\"4\"", "\"scale\":\"x\"",
	  "suite: remedy[0]: 'scale' is not a decimal" },
	{ derived_suite_text, "\"shift\":\"0\"", "\"shift\":null",
	  "suite: remedy[1]: 'shift' is null, want a string" },
	{ derived_suite_text, "{\"argument\":2,\"scale\":\"4\",\"shift\":\"-2\"},"
	  "{\"argument\":0,\"scale\":\"1e3\",\"shift\":\"0\"}", "",
	  "suite: 'remedy' has 0 elements, want 1 to 32" },
	{ gradients_suite_text, "\"problem_id\":19,\"runtime\"",
	  "\"problem_id\":19,\"remedy\":["
	  "{\"argument\":0,\"scale\":\"4\",\"shift\":\"-2\"}],\"runtime\"",
	  "suite: 1/19 has 'remedy', and the suite is not derived by sizes alone" },
	{ suite_text, "\"problem_id\":3,\"runtime\"",
	  "\"problem_id\":3,\"remedy\":["
	  "{\"argument\":0,\"scale\":\"4\",\"shift\":\"-2\"}],\"runtime\"",
	  "suite: 2/3 has 'remedy', and the suite is not derived by sizes alone" },
	{ derived_suite_text, "\"m\",\"key\":\"1/19\",\"level\":1,",
	  "\"m\",\"key\":\"2/19\",\"level\":2,",
	  "suite: 'sizes' is not sorted, or has one twice" },
	{ derived_suite_text, "\"n\",\"key\":\"1/19\",\"level\":1,",
	  "\"n\",\"key\":\"2/19\",\"level\":2,",
	  "suite: 'sizes' has 2/19, which is not in the suite" },
	{ derived_suite_text, "\"constant\":\"m\"", "\"constant\":\"n\"",
	  "suite: 'sizes' is not sorted, or has one twice" },
	{ derived_suite_text, "\"constant\":\"m\"", "\"constant\":\"m.n\"",
	  "suite: 'm.n' is not a name for a constant" },
	{ derived_suite_text, "\"before\":64", "\"before\":67",
	  "suite: 'm' is 67 before and after" },
	{ derived_suite_text, "\"before\":64", "\"before\":-1",
	  "suite: 'before' is -1, want 0 to 2147483648" },
	{ derived_suite_text, "\"after\":67", "\"after\":0",
	  "suite: 'after' is 0, want 1 to 2147483648" },
	{ gradients_suite_text, "\"parents\":[{\"id\":\"" HEX64
	  "\",\"kind\":\"suite\"}]", "\"parents\":[]",
	  "suite: 'backward' is not a known member" },
	{ gradients_suite_text, "ReLU.py\",\"key\":\"1/19\",\"level\":1,\"name\":"
	  "\"19_ReLU\",\"problem_id\":19,\"runtime\":\"torch\"",
	  "ReLU.c\",\"key\":\"1/19\",\"level\":1,\"name\":"
	  "\"19_ReLU\",\"problem_id\":19,\"runtime\":\"native\"",
	  "suite: 1/19 is not in Python, and has no gradients" },
	{ gradients_suite_text, "1/20\",\"level\":1,\"problem_id\":20",
	  "1/19\",\"level\":1,\"problem_id\":19",
	  "suite: 'backward' leaves out 1/19, which is in the suite" },
	{ gradients_suite_text, "1/20\",\"level\":1,\"problem_id\":20",
	  "1/51\",\"level\":1,\"problem_id\":51",
	  "suite: 'left_out' is not sorted, or has one twice" },
	{ gradients_suite_text, "\"reason\":\"a\"", "\"reason\":\"\"",
	  "suite: 'reason' is empty" },
	{ gradients_suite_text, "\"reason\":\"a\"", "\"reason\":\"a\\n\"",
	  "suite: 'reason' is no line of 1 to 256 bytes" },
	{ gradients_suite_text, "gradients-1", "gradients-3",
	  "suite: 'rule' is 'gradients-3', which is not known" },
	{ odd_gradients_suite_text, "\"key\":\"1/19\",\"level\":1,\"problem_id\":19}],",
	  "\"key\":\"1/20\",\"level\":1,\"problem_id\":20}],",
	  "suite: 'sizes' changes nothing of 1/19" },
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
	{ score_line_text, "\"candidate_clock\":\"call\","
	  "\"candidate_ns\":50", "\"candidate_clock\":null,"
	  "\"candidate_ns\":null",
	  "line: 'speedup_micro' is there without both times" },
	{ score_line_text, "\"candidate_ns\":50", "\"candidate_ns\":null",
	  "line: 'candidate_clock' does not go with 'candidate_ns'" },
	{ score_line_text, "\"clock\":\"device\"", "\"clock\":\"wall\"",
	  "line: 'clock' is 'wall', which is not known" },
	{ score_line_text, "\"clock\":\"device\"", "\"clock\":null",
	  "line: 'clock' is null, want a string" },
	{ score_line_text, "\"call\",\"candidate_ns\":50,\"clock\":\"device\"",
	  "\"device\",\"candidate_ns\":50,\"clock\":\"call\"",
	  "line: 'candidate_clock' does not go with 'clock'" },
	{ score_line_text, "\"status\":\"correct\"", "\"status\":\"exited\"",
	  "line: 'candidate_ns' is there though the status is 'exited'" },
	{ report_text, "\"self_reported\":true", "\"self_reported\":false",
	  "report: 'self_reported' is not true" },
	{ report_text, "\"kind\":\"report\"", "\"kind\":\"score\"",
	  "report: its kind is 'score', want 'report', which 'kb-pack report' makes" },
	{ report_text, "\"level\":2,\"levels\"", "\"level\":1,\"levels\"",
	  "report: 'levels' is not of 'level' alone" },
	{ report_text, "[" REPORT_LEVEL(2) "]", "[]",
	  "report: 'levels' is empty" },
	{ report_text, "\"kernelbench\"", "\"v3\"",
	  "report: 'level', 'baseline' and 'dataset' do not go with "
	  "format 'v3'" },
	{ joined_report_text, "\"upstream_commit\":\"4", "\"upstream_commit\":\"x",
	  "report: 'upstream_commit' is not 40 lower-case hex digits" },
	{ joined_report_text, "\"schema_version\"", "\"run\":\"r\","
	  "\"schema_version\"",
	  "report: 'run' does not go with format 'kernelbench'" },
	{ v3_run_text, "\"run_1\"", "\"\"", "report: 'run' is empty" },
	{ joined_report_text, "[\"2_x.py\"]", "[2]",
	  "report: 'problems_left_out' has an integer, want a string" },
	{ joined_report_text, "[101]", "[\"101\"]",
	  "report: 'results_left_out' has a string, want an integer" },
	{ joined_report_text, "\"times_left_out\"", "\"times\"",
	  "report: 'times_left_out' is missing" },
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
	  "audit: its kind is 'baseline', want 'audit', which 'kb-audit' makes" },
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

static void test_records_refuse_what_contradicts_itself(void)
{
	check_refused(bad, KB_ARRAY_LEN(bad));
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

/* 102 parents are as many as a record may have, with a baseline. */
static void test_a_generation_has_an_evaluation_a_turn(void)
{
	for (int count = KB_TURNS_MAX; count <= KB_TURNS_MAX + 1; count++) {
		kb_auto(buf) struct kb_buf parents = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
		kb_auto(json) struct kb_json *v = NULL;
		struct kb_err err = KB_ERR_INIT;

		for (int i = 0; i < count; i++)
			kb_buf_addstr(&parents, PARENT("evaluation"));
		record_change(&text, refined_text, PARENT("baseline")
			      PARENT("evaluation") PARENT("evaluation"),
			      parents.data);
		v = record_parse(text.data);
		check_int(kb_generation_from_json(&g, v, "generation", &err),
			  count == KB_TURNS_MAX ? 0 : -KB_ERR_INPUT);
		check_str(err.msg, count == KB_TURNS_MAX ? "" :
			  "generation: has more than 100 evaluations");
		check_int(g.evaluation_count, count == KB_TURNS_MAX ? count : 0);
	}
}

TAP_MAIN(TAP(test_records_print_as_they_were_read),
	 TAP(test_records_refuse_missing_and_unknown_members),
	 TAP(test_records_refuse_what_contradicts_itself),
	 TAP(test_problems_are_sorted_and_there_once),
	 TAP(test_a_generation_has_an_evaluation_a_turn));
