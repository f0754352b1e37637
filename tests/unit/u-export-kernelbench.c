/* KernelBench's files: their names, and what is in them. */

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "export/kernelbench_baseline.h"
#include "export/kernelbench_eval.h"
#include "export/pass_at_k.h"
#include "export/time_summary.h"
#include "export_conditions.h"
#include "import/kernelbench_runs.h"
#include "import/open.h"
#include "import/pack.h"
#include "import/sources.h"
#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "sheet/hardware.h"
#include "store/bundle.h"

static void test_path_words(void)
{
	static const struct {
		const char *text, *word;
	} cases[] = {
		{ "", "_" }, { " ", "_" }, { "..", "_" }, { "/", "_" },
		{ "a", "a" }, { "../a", "_a" }, { ".a", "_a" }, { "a.", "a." },
		{ "NVIDIA H100 80GB HBM3", "NVIDIA_H100_80GB_HBM3" },
		{ "AMD EPYC (64-Core)", "AMD_EPYC_64-Core" },
		{ "a/../../b", "a_.._.._b" }, { "\xc3\xa9t\xc3\xa9", "_t" },
		{ "a\nb", "a_b" },
	};
	char long_text[3 * KB_PATH_WORD_BYTES_MAX];
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_buf_clear(&out);
		kb_path_word_print(&out, cases[i].text);
		check_str(out.data, cases[i].word);
	}
	for (size_t i = 0; i < sizeof(long_text); i++)
		long_text[i] = i % 2 ? ' ' : 'x';
	long_text[sizeof(long_text) - 1] = '\0';
	kb_buf_clear(&out);
	kb_path_word_print(&out, long_text);
	check(out.len > 0 && out.len <= KB_PATH_WORD_BYTES_MAX);
}

static void test_baseline_files_are_named_by_mode_and_hardware(void)
{
	static const char *const names[KB_MODE_COUNT] = {
		"baseline_time_torch",
		"baseline_time_torch_compile_inductor_default",
		"baseline_time_torch_compile_inductor_reduce-overhead",
		"baseline_time_torch_compile_inductor_max-autotune",
		"baseline_time_torch_compile_inductor_max-autotune-no-cudagraphs",
		"baseline_time_torch_compile_cudagraphs",
	};

	for (int i = 0; i < KB_MODE_COUNT; i++) {
		kb_auto(baseline) struct kb_baseline b = KB_BASELINE_INIT;
		kb_auto(mem) char *path = NULL, *named = NULL, *want = NULL;

		b.mode = (enum kb_mode)i;
		set_conditions(&b.conditions, "{}");
		path = kb_kernelbench_baseline_path(&b, NULL);
		want = kb_xasprintf("results/timing/unknown/%s.json", names[i]);
		check_str(path, want);
		named = kb_kernelbench_baseline_path(&b, "../H 1");
		check(!strncmp(named, "results/timing/_H_1/", 20));
	}
}

static void test_runs_are_named_by_level(void)
{
	static const struct {
		const char *run, *path;
		int level;
	} cases[] = {
		{ "r", "runs/r_level1/eval_results.json", 1 },
		{ "", "runs/__level1/eval_results.json", 1 },
		{ "my run", "runs/my_run_level12/eval_results.json", 12 },
		{ "r_level2", "runs/r_level2/eval_results.json", 2 },
		{ "r_level2", "runs/r_level2_level1/eval_results.json", 1 },
		{ "r_level12", "runs/r_level12_level2/eval_results.json", 2 },
		{ "../r", "runs/_r_level1/eval_results.json", 1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(mem) char *path = kb_kernelbench_run_path(
			cases[i].run, cases[i].level, KB_RUN_EVAL_RESULTS);

		check_str(path, cases[i].path);
	}
}

/* An outcome of each status that can end in this phase. */
static void check_outcome(enum kb_status status, enum kb_phase phase)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(json) struct kb_json *v = NULL;
	const struct kb_summary_choice choice = { .clock = KB_CLOCK_CALL };
	const bool compiled = kb_status_compiled(status, phase);
	const struct kb_json *entry, *metadata;
	struct kb_key key = { 1, 7 };
	size_t failures = 0;

	set_conditions(&e.conditions, "{}");
	e.results = kb_xcalloc(1, sizeof(*e.results));
	e.results[e.result_count++] = (struct kb_result){
		.key = key, .sample_id = 3,
		.outcome = { .status = status, .phase = phase,
			     .log = kb_xstrdup("said") },
	};
	check_int(kb_kernelbench_eval_print(&out, &e, 1, &choice, NULL), 0);
	v = parse(out.data);
	if (status == KB_STATUS_MISSING) {
		check_int(kb_json_count(v), 0);
		return;
	}
	entry = kb_json_first(kb_json_find(v, "7"));
	check_int(kb_json_int_value(kb_json_find(entry, "sample_id")), 3);
	check_int(kb_json_bool_value(kb_json_find(entry, "compiled")),
		  compiled);
	check_int(kb_json_bool_value(kb_json_find(entry, "correctness")),
		  status == KB_STATUS_CORRECT);
	check(kb_json_number_value(kb_json_find(entry, "runtime")) == -1);
	check_int(kb_json_count(kb_json_find(entry, "runtime_stats")), 0);

	metadata = kb_json_find(entry, "metadata");
	for (const struct kb_json *m = kb_json_first(metadata); m;
	     m = kb_json_next(m)) {
		const char *name = kb_json_key(m);
		const size_t len = strlen(name);

		if (len < 5 || strcmp(name + len - 5, "_name"))
			continue;
		check_str(kb_json_string_value(m), kb_status_name(status));
		failures++;
	}
	check_int(failures, status != KB_STATUS_CORRECT);
	check_int(!!kb_json_find(metadata, "compilation_error"),
		  !compiled && status != KB_STATUS_REFERENCE_FAILED);
}

static void test_every_outcome_has_an_entry(void)
{
	for (int s = 0; s < KB_STATUS_COUNT; s++)
		for (int p = 0; p < KB_PHASE_COUNT; p++)
			if (kb_status_of_candidate((enum kb_status)s) &&
			    kb_status_fits_phase((enum kb_status)s,
						 (enum kb_phase)p))
				check_outcome((enum kb_status)s,
					      (enum kb_phase)p);
}

/* What a run folder has comes back under the names that we read it by. */
static void check_entries(const struct kb_json *file, int level,
			  const struct kb_submission *s)
{
	size_t entries = 0, candidates = 0;

	for (const struct kb_json *p = kb_json_first(file); p;
	     p = kb_json_next(p)) {
		for (const struct kb_json *r = kb_json_first(p); r;
		     r = kb_json_next(r), entries++) {
			kb_auto(mem) char *name = kb_xasprintf(
				"level_%d_problem_%s_sample_%d_kernel.py",
				level, kb_json_key(p),
				(int)kb_json_int_value(
					kb_json_find(r, "sample_id")));
			struct kb_source_file source = { .name = NULL };
			const struct kb_candidate *c;
			bool found = false;
			size_t count;

			check_int(kb_source_name_parse(&source, name, false, NULL), 0);
			c = kb_submission_find(s, source.key, &count);
			for (size_t i = 0; c && i < count; i++)
				found |= c[i].sample_id == source.sample_id;
			check(found);
		}
	}
	for (size_t i = 0; i < s->candidate_count; i++)
		candidates += s->candidates[i].key.level == level;
	check_int(entries, candidates);
}

static void test_runs_that_we_read_are_runs_that_we_write(void)
{
	static const char *const path = "run";
	static const struct kb_pack run = {
		.paths = &path, .count = 1, .store = "store",
	};
	static const char *const files[] = {
		"run/level_1_problem_3_sample_0_kernel.py",
		"run/level_1_problem_3_sample_12_kernel.py",
		"run/level_1_problem_20_sample_0_kernel.py",
		"run/level_2_problem_1_sample_4_kernel.py",
	};
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	const struct kb_summary_choice choice = { .clock = KB_CLOCK_CALL };

	scratch_enter();
	scratch_print("run/generation_config.yaml", "run_name: r\n");
	for (size_t i = 0; i < KB_ARRAY_LEN(files); i++)
		scratch_print(files[i], "x");
	check_int(kb_submission_open_or_pack(&b, &s, &run, NULL), 0);
	set_conditions(&e.conditions, "{}");
	e.results = kb_xcalloc(s.candidate_count, sizeof(*e.results));
	for (size_t i = 0; i < s.candidate_count; i++)
		e.results[e.result_count++] = (struct kb_result){
			.key = s.candidates[i].key,
			.sample_id = s.candidates[i].sample_id,
			.outcome = { .status = KB_STATUS_MISMATCH,
				     .phase = KB_PHASE_RUN },
		};
	for (int level = 1; level <= 3; level++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		kb_auto(json) struct kb_json *v = NULL;

		check_int(kb_kernelbench_eval_print(&out, &e, level, &choice,
						    NULL), 0);
		v = parse(out.data);
		check_entries(v, level, &s);
	}
	scratch_leave();
}

static struct kb_timing *three_trials(void)
{
	struct kb_timing *t = kb_timing_new(KB_CLOCK_CALL, 0, 1);

	for (int i = 0; i < 3; i++) {
		kb_timing_add(t, KB_SERIES_SMALL, 500);
		kb_timing_add(t, KB_SERIES_LARGE, 1500);
	}
	t->time_ns = 1000;
	return t;
}

/* Files of a suite that we read, and the names that a baseline has. */
static void test_baseline_names_are_those_that_problems_are_read_by(void)
{
	static const char *const files[] = {
		"s/level1/3_a.py", "s/level1/20_b-c.d.py", "s/level2/1_x.cu",
	};
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(suite) struct kb_suite s = KB_SUITE_INIT;
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(json) struct kb_json *v = NULL;
	const struct kb_summary_choice choice = { .clock = KB_CLOCK_CALL };
	size_t seen = 0;

	scratch_enter();
	for (size_t i = 0; i < KB_ARRAY_LEN(files); i++)
		scratch_print(files[i], "x");
	check_int(kb_suite_open_or_pack(&b, &s, "store", "s", NULL), 0);
	set_conditions(&baseline.conditions, "{}");
	baseline.results = kb_xcalloc(s.problem_count,
				      sizeof(*baseline.results));
	for (size_t i = 0; i < s.problem_count; i++)
		baseline.results[baseline.result_count++] =
			(struct kb_reference_result){
			.key = s.problems[i].key,
			.outcome = { .status = KB_STATUS_TIMED },
			.timing = three_trials(),
		};
	check_int(kb_kernelbench_baseline_print(&out, &baseline, &s, &choice,
						NULL), 0);
	v = parse(out.data);
	for (const struct kb_json *l = kb_json_first(v); l; l = kb_json_next(l))
		for (const struct kb_json *p = kb_json_first(l); p;
		     p = kb_json_next(p)) {
			kb_auto(mem) char *path = kb_xasprintf(
				"s/%s/%s", kb_json_key(l), kb_json_key(p));
			struct kb_source_file source = { .name = NULL };

			check_str(path, files[seen++]);
			check_int(kb_source_name_parse(&source, path, false, NULL), 0);
			check(kb_suite_find(&s, source.key));
			free(source.name);
		}
	check_int(seen, KB_ARRAY_LEN(files));
	scratch_leave();
}

#define SAMPLE(l, p, s, is) { .key = { l, p }, .sample_id = s, \
	.outcome = { .status = KB_STATUS_##is } }

static void check_pass_at_k(struct kb_result results[], size_t count,
			    const char *want)
{
	const struct kb_evaluation e = {
		.results = results, .result_count = count,
	};
	kb_auto(pass_at_k) struct kb_pass_at_k p = KB_PASS_AT_K_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_pass_at_k_of(&p, &e, 1);
	check_int(kb_pass_at_k_is_told(&p), count > 1);
	kb_pass_at_k_print(&out, &p);
	check_str(out.data, want);
}

/* Of another level, and missing, is not there. */
static void test_pass_at_k(void)
{
	static struct kb_result results[] = {
		SAMPLE(1, 2, 0, CORRECT), SAMPLE(1, 2, 1, MISMATCH),
		SAMPLE(1, 2, 2, MISMATCH), SAMPLE(1, 3, 0, MISSING),
		SAMPLE(1, 9, 0, CRASHED), SAMPLE(1, 9, 1, MISMATCH),
		SAMPLE(2, 1, 0, CORRECT),
	};

	check_pass_at_k(NULL, 0,
			"{\n"
			"    \"averages\": {},\n"
			"    \"metadata\": {\n"
			"        \"total_problems\": 0,\n"
			"        \"problems_with_samples\": 0,\n"
			"        \"total_evaluated_samples\": 0,\n"
			"        \"total_correct_samples\": 0\n"
			"    },\n"
			"    \"problems\": {}\n"
			"}\n");
	check_pass_at_k(results, KB_ARRAY_LEN(results),
			"{\n"
			"    \"averages\": {\n"
			"        \"avg_pass@1\": 0.16666666666666666,\n"
			"        \"avg_pass@2\": 0.3333333333333333\n"
			"    },\n"
			"    \"metadata\": {\n"
			"        \"total_problems\": 2,\n"
			"        \"problems_with_samples\": 2,\n"
			"        \"total_evaluated_samples\": 5,\n"
			"        \"total_correct_samples\": 1,\n"
			"        \"pass@1_count\": 2,\n"
			"        \"pass@2_count\": 2\n"
			"    },\n"
			"    \"problems\": {\n"
			"        \"2\": {\n"
			"            \"total_samples\": 3,\n"
			"            \"correct_samples\": 1,\n"
			"            \"pass@1\": 0.3333333333333333,\n"
			"            \"pass@2\": 0.6666666666666666\n"
			"        },\n"
			"        \"9\": {\n"
			"            \"total_samples\": 2,\n"
			"            \"correct_samples\": 0,\n"
			"            \"pass@1\": 0.0,\n"
			"            \"pass@2\": 0.0\n"
			"        }\n"
			"    }\n"
			"}\n");
}

/* What a run's configuration says of a submission it says again. */
static void test_configurations_read_back(void)
{
	const struct kb_provenance cases[] = {
		KB_PROVENANCE_INIT,
		{ .run_name = (char[]){ "a: b # \"c\" 'd'" },
		  .model = (char[]){ "0.5" },
		  .server_type = (char[]){ "\xc3\xa9" },
		  .temperature = (char[]){ "0.70" }, .top_p = (char[]){ "1" },
		  .max_tokens = 1, .seed = KB_UNKNOWN,
		  .samples_per_problem = 100 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(provenance) struct kb_provenance again =
			KB_PROVENANCE_INIT;
		kb_auto(json) struct kb_json *want = kb_json_object();
		kb_auto(json) struct kb_json *got = kb_json_object();
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf a = KB_BUF_INIT, b = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;

		kb_runs_config_print(&text, &cases[i], 3);
		check(!strncmp(text.data, "level: 3\n", 9));
		check_int(kb_runs_config_parse(&again, text.data, text.len, "t",
					       &err), 0);
		check_str(err.msg, "");
		kb_provenance_to_json(want, &cases[i]);
		kb_provenance_to_json(got, &again);
		kb_json_print(&a, want);
		kb_json_print(&b, got);
		check_str(b.data, a.data);
	}
}

TAP_MAIN(
	TAP(test_path_words),
	TAP(test_baseline_files_are_named_by_mode_and_hardware),
	TAP(test_runs_are_named_by_level),
	TAP(test_every_outcome_has_an_entry),
	TAP(test_runs_that_we_read_are_runs_that_we_write),
	TAP(test_baseline_names_are_those_that_problems_are_read_by),
	TAP(test_pass_at_k),
	TAP(test_configurations_read_back),
);
