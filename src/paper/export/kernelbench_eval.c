#include "export/kernelbench_eval.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "export/foreign_json.h"
#include "export/kernelbench_baseline.h"
#include "manifest/evaluation.h"
#include "score/kernelbench.h"
#include "score/times.h"
#include "sheet/hardware.h"

#define NO_RUNTIME (-1.0)

static struct kb_time_source source_of(const struct kb_result *r)
{
	return (struct kb_time_source){
		.is_candidate = true,
		.call = r->timing,
		.paired_call = r->reference_timing,
		.device = r->device_timing,
		.paired_device = r->reference_device_timing,
	};
}

static bool has_time(const struct kb_result *r, enum kb_clock clock)
{
	return kb_times_median_ns(kb_timing_by(clock, r->timing,
					       r->device_timing)) !=
	       KB_UNKNOWN;
}

int kb_kernelbench_eval_check(const struct kb_evaluation *e,
			      const struct kb_summary_choice *choice,
			      struct kb_err *err)
{
	size_t correct = 0;

	for (size_t i = 0; i < e->result_count; i++) {
		if (e->results[i].outcome.status != KB_STATUS_CORRECT)
			continue;
		if (has_time(&e->results[i], choice->clock))
			return 0;
		correct++;
	}
	if (!correct)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "the evaluation has no time by the clock '%s'",
		      kb_clock_name(choice->clock));
}

/* KernelBench's name for a failure of this kind, or NULL if it is none.
 * KernelBench tells four kinds of failures apart, by what raised them. A
 * reference that failed is none of the candidate's. */
static const char *failure_name(const struct kb_outcome *o)
{
	switch (o->status) {
	case KB_STATUS_CORRECT:
		return NULL;
	case KB_STATUS_REFERENCE_FAILED:
		return "other_error";
	case KB_STATUS_WRONG_SHAPE:
	case KB_STATUS_WRONG_DTYPE:
	case KB_STATUS_MISMATCH:
	case KB_STATUS_NOT_FINITE:
	case KB_STATUS_INPUTS_MODIFIED:
	case KB_STATUS_GUARD_DAMAGED:
		return "correctness_issue";
	default:
		return kb_status_compiled(o->status, o->phase)
			       ? "runtime_error"
			       : "compilation_error";
	}
}

static void print_failure(struct kb_foreign_json *j, const struct kb_outcome *o)
{
	const char *name = failure_name(o);
	kb_auto(buf) struct kb_buf why = KB_BUF_INIT;
	kb_auto(mem) char *kind = NULL;
	const bool has_log = o->log && *o->log;

	if (!name)
		return;
	kind = kb_xasprintf("%s_name", name);
	kb_buf_addstr(&why, o->detail ? o->detail : kb_status_name(o->status));
	if (has_log && !kb_status_compiled(o->status, o->phase))
		kb_buf_addf(&why, "\n%s", o->log);
	kb_foreign_json_string(j, name, why.data);
	kb_foreign_json_string(j, kind, kb_status_name(o->status));
	if (has_log && !strcmp(name, "runtime_error"))
		kb_foreign_json_string(j, "runtime_error_traceback", o->log);
}

static void print_differences(struct kb_foreign_json *j,
			      const struct kb_result *r)
{
	if (!r->output_count)
		return;
	kb_foreign_json_open(j, "max_difference", '[');
	for (size_t i = 0; i < r->output_count; i++) {
		char text[32];

		snprintf(text, sizeof(text), "%.9g",
			 r->outputs[i].max_abs_error);
		kb_foreign_json_string(j, NULL, text);
	}
	kb_foreign_json_close(j, ']');
}

/* A correct candidate passed all its trials; of others we do not count. */
static void print_trials(struct kb_foreign_json *j, const struct kb_outcome *o)
{
	char text[64];

	if (o->status != KB_STATUS_CORRECT || !o->trial_seeds.count)
		return;
	snprintf(text, sizeof(text), "(%zu / %zu)", o->trial_seeds.count,
		 o->trial_seeds.count);
	kb_foreign_json_string(j, "correctness_trials", text);
}

static void print_metadata(struct kb_foreign_json *j, const struct kb_result *r,
			   const struct kb_conditions *conditions)
{
	kb_foreign_json_open(j, "metadata", '{');
	kb_foreign_json_string(j, "hardware",
			       kb_hardware_name(conditions->environment));
	kb_foreign_json_string(j, "device", kb_device_name(conditions));
	print_trials(j, &r->outcome);
	print_differences(j, r);
	print_failure(j, &r->outcome);
	kb_foreign_json_close(j, '}');
}

static int print_result(struct kb_foreign_json *j, const struct kb_result *r,
			const struct kb_conditions *conditions,
			const struct kb_summary_choice *choice,
			struct kb_err *err)
{
	const struct kb_time_source source = source_of(r);
	const enum kb_status status = r->outcome.status;
	const bool compiled = kb_status_compiled(status, r->outcome.phase);
	struct kb_time_summary t;
	char key[KB_KEY_SIZE];
	int timed = kb_time_summarise(&t, &source, choice, err);

	if (timed < 0) {
		kb_key_format(key, r->key);
		return kb_err_wrap(err, "sample %d of problem '%s'",
				   r->sample_id, key);
	}
	kb_foreign_json_open(j, NULL, '{');
	kb_foreign_json_int(j, "sample_id", r->sample_id);
	/* With the mean upstream's own numbers are wanted, and its harness
	 * stores nothing of what timed out, crashed or exited. */
	kb_foreign_json_bool(j, "compiled",
			     choice->statistic == KB_STATISTIC_MEAN ?
				     kb_upstream_compiled(status, compiled) :
				     compiled);
	kb_foreign_json_bool(j, "correctness", status == KB_STATUS_CORRECT);
	print_metadata(j, r, conditions);
	kb_foreign_json_double(j, "runtime", timed ? t.mean_ms : NO_RUNTIME);
	kb_foreign_json_open(j, "runtime_stats", '{');
	if (timed)
		kb_kernelbench_stats_print(j, &t, conditions, choice);
	kb_foreign_json_close(j, '}');
	kb_foreign_json_close(j, '}');
	return 0;
}

int kb_kernelbench_eval_print(struct kb_buf *out, const struct kb_evaluation *e,
			      int level, const struct kb_summary_choice *choice,
			      struct kb_err *err)
{
	struct kb_foreign_json j = { .out = out };
	int problem_id = 0;

	kb_foreign_json_open(&j, NULL, '{');
	for (size_t i = 0; i < e->result_count; i++) {
		const struct kb_result *r = &e->results[i];
		char id[KB_KEY_SIZE];
		int ret;

		if (r->key.level != level ||
		    r->outcome.status == KB_STATUS_MISSING)
			continue;
		if (r->key.problem_id != problem_id) {
			if (problem_id)
				kb_foreign_json_close(&j, ']');
			problem_id = r->key.problem_id;
			snprintf(id, sizeof(id), "%d", problem_id);
			kb_foreign_json_open(&j, id, '[');
		}
		ret = print_result(&j, r, &e->conditions, choice, err);
		if (ret < 0)
			return ret;
	}
	if (problem_id)
		kb_foreign_json_close(&j, ']');
	kb_foreign_json_close(&j, '}');
	return 0;
}

char *kb_kernelbench_run_folder(const char *run, int level)
{
	kb_auto(mem) char *suffix = kb_xasprintf("_level%d", level);
	kb_auto(buf) struct kb_buf folder = KB_BUF_INIT;
	const size_t suffix_len = strlen(suffix);

	kb_path_word_print(&folder, run);
	if (folder.len < suffix_len ||
	    strcmp(folder.data + folder.len - suffix_len, suffix) != 0)
		kb_buf_addstr(&folder, suffix);
	return kb_buf_detach(&folder);
}

char *kb_kernelbench_run_path(const char *run, int level, const char *file)
{
	kb_auto(mem) char *folder = kb_kernelbench_run_folder(run, level);

	return kb_xasprintf("runs/%s/%s", folder, file);
}
