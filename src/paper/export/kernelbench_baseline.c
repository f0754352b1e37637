#include "export/kernelbench_baseline.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "export/foreign_json.h"
#include "manifest/baseline.h"
#include "manifest/suite.h"
#include "sheet/hardware.h"

static const char *const names[KB_MODE_COUNT] = {
	[KB_MODE_EAGER] = "baseline_time_torch",
	[KB_MODE_COMPILE_DEFAULT] =
		"baseline_time_torch_compile_inductor_default",
	[KB_MODE_COMPILE_REDUCE_OVERHEAD] =
		"baseline_time_torch_compile_inductor_reduce-overhead",
	[KB_MODE_COMPILE_MAX_AUTOTUNE] =
		"baseline_time_torch_compile_inductor_max-autotune",
	[KB_MODE_COMPILE_MAX_AUTOTUNE_NO_CUDAGRAPHS] =
		"baseline_time_torch_compile_inductor_max-autotune-no-cudagraphs",
	[KB_MODE_CUDAGRAPHS] = "baseline_time_torch_compile_cudagraphs",
};

char *kb_kernelbench_baseline_path(const struct kb_baseline *b,
				   const char *hardware)
{
	kb_auto(buf) struct kb_buf folder = KB_BUF_INIT;

	kb_path_word_print(&folder,
			   hardware ? hardware
				    : kb_hardware_name(
					      b->conditions.environment));
	return kb_xasprintf("results/timing/%s/%s.json", folder.data,
			    names[b->mode]);
}

void kb_kernelbench_stats_print(struct kb_foreign_json *j,
				const struct kb_time_summary *t,
				const struct kb_conditions *conditions,
				const struct kb_summary_choice *choice)
{
	kb_foreign_json_double(j, "mean", t->mean_ms);
	kb_foreign_json_double(j, "std", t->std_ms);
	kb_foreign_json_double(j, "min", t->min_ms);
	kb_foreign_json_double(j, "max", t->max_ms);
	kb_foreign_json_int(j, "num_trials", (int64_t)t->trials);
	kb_foreign_json_string(j, "hardware",
			       kb_hardware_name(conditions->environment));
	kb_foreign_json_string(j, "device", kb_device_name(conditions));
	kb_foreign_json_string(j, "clock", kb_clock_name(choice->clock));
	kb_foreign_json_string(j, "statistic",
			       kb_statistic_name(choice->statistic));
}

/* Returns 1 if it has a time, 0 if not. */
static int print_result(struct kb_foreign_json *j, const char *file,
			const struct kb_reference_result *r,
			const struct kb_baseline *b,
			const struct kb_summary_choice *choice,
			struct kb_err *err)
{
	const struct kb_time_source source = {
		.call = r->timing, .device = r->device_timing,
	};
	struct kb_time_summary t;
	int ret = kb_time_summarise(&t, &source, choice, err);

	if (ret < 0)
		return kb_err_wrap(err, "problem '%s'", file);
	if (!ret) {
		kb_foreign_json_null(j, file);
		return 0;
	}
	kb_foreign_json_open(j, file, '{');
	kb_kernelbench_stats_print(j, &t, &b->conditions, choice);
	kb_foreign_json_close(j, '}');
	return 1;
}

/* As print_result(), with the name that the suite has for it. */
static int print_problem(struct kb_foreign_json *j,
			 const struct kb_reference_result *r,
			 const struct kb_baseline *b,
			 const struct kb_suite *suite,
			 const struct kb_summary_choice *choice,
			 struct kb_err *err)
{
	const struct kb_problem *p = kb_suite_find(suite, r->key);
	kb_auto(mem) char *file = NULL;
	char key[KB_KEY_SIZE];

	if (!p) {
		kb_key_format(key, r->key);
		return kb_err(err, KB_ERR_INPUT,
			      "the suite has no problem '%s'", key);
	}
	file = kb_xasprintf("%s%s", p->name, kb_runtime_extension(p->runtime));
	return print_result(j, file, r, b, choice, err);
}

int kb_kernelbench_baseline_print(struct kb_buf *out,
				  const struct kb_baseline *b,
				  const struct kb_suite *suite,
				  const struct kb_summary_choice *choice,
				  struct kb_err *err)
{
	struct kb_foreign_json j = { .out = out };
	size_t timed = 0;
	int level = 0;

	kb_foreign_json_open(&j, NULL, '{');
	for (size_t i = 0; i < b->result_count; i++) {
		const struct kb_reference_result *r = &b->results[i];
		char head[sizeof("level") + KB_KEY_SIZE];
		int ret;

		if (r->key.level != level) {
			if (level)
				kb_foreign_json_close(&j, '}');
			level = r->key.level;
			snprintf(head, sizeof(head), "level%d", level);
			kb_foreign_json_open(&j, head, '{');
		}
		ret = print_problem(&j, r, b, suite, choice, err);
		if (ret < 0)
			return ret;
		timed += (size_t)ret;
	}
	if (level)
		kb_foreign_json_close(&j, '}');
	kb_foreign_json_close(&j, '}');
	if (!timed)
		return kb_err(err, KB_ERR_INPUT,
			      "the baseline has no time by the clock '%s'",
			      kb_clock_name(choice->clock));
	return 0;
}
