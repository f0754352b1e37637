#include "export/analysis.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "export/foreign_json.h"
#include "export/kernelbench_eval.h"
#include "export/pass_at_k.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "sheet/notes.h"

#define NANO 1e9

#define P_SIZE 32

/* "1.5" for 1500. */
static void format_p(char out[P_SIZE], int p_milli)
{
	snprintf(out, P_SIZE, "%d.%d", p_milli / 1000,
		 p_milli % 1000 / 100);
}

static void print_fast(struct kb_foreign_json *j, const struct kb_metrics *m)
{
	char p[P_SIZE];

	kb_foreign_json_open(j, "fast_p", '{');
	for (int i = 0; i < KB_FAST_COUNT; i++) {
		format_p(p, kb_fast_p_milli[i]);
		kb_foreign_json_share(j, p, &m->shares.fast[i]);
	}
	kb_foreign_json_close(j, '}');
}

static void print_metrics(struct kb_foreign_json *j,
			  const struct kb_metrics *m, int64_t total_eval)
{
	const struct kb_shares *s = &m->shares;

	kb_foreign_json_int(j, "total_count", m->problems);
	kb_foreign_json_int(j, "total_eval", total_eval);
	kb_foreign_json_int(j, "compiled_count", m->compiled);
	kb_foreign_json_int(j, "correct_count", m->correct);
	kb_foreign_json_share(j, "compilation_rate", &s->compiled);
	kb_foreign_json_share(j, "correctness_rate", &s->correct);
	kb_foreign_json_scaled(j, "geo_mean_speedup", s->geomean_speedup_nano,
			       NANO);
	print_fast(j, m);
}

void kb_analysis_print_value(struct kb_foreign_json *j, const char *key,
			     const struct kb_analysis *a, size_t i)
{
	const struct kb_level_metrics *level = &a->score->levels[i];
	kb_auto(pass_at_k) struct kb_pass_at_k p = KB_PASS_AT_K_INIT;
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };
	kb_auto(mem) char *run = kb_kernelbench_run_folder(a->run,
							   level->level);

	kb_pass_at_k_of(&p, a->evaluation, level->level);
	kb_foreign_json_open(j, key, '{');
	kb_foreign_json_string(j, "run_name", run);
	kb_foreign_json_int(j, "level", level->level);
	kb_foreign_json_string(j, "hardware", a->hardware);
	print_metrics(j, &level->metrics, (int64_t)p.count);
	if (kb_pass_at_k_is_told(&p)) {
		kb_foreign_json_open(j, "pass_at_k", '{');
		kb_pass_at_k_print_summary(j, &p);
		kb_foreign_json_close(j, '}');
	}
	kb_warnings_of(&w, a->score);
	if (w.count)
		kb_foreign_json_open(j, "warnings", '[');
	for (size_t k = 0; k < w.count; k++)
		kb_foreign_json_string(j, NULL, w.texts[k]);
	if (w.count)
		kb_foreign_json_close(j, ']');
	kb_foreign_json_close(j, '}');
}

void kb_analysis_print(struct kb_buf *out, const struct kb_analysis *a,
		       size_t i)
{
	struct kb_foreign_json j = { .out = out };

	kb_analysis_print_value(&j, NULL, a, i);
}
