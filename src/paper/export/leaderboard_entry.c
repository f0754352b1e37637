#include "export/leaderboard_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "export/foreign_json.h"
#include "export/pass_at_k.h"
#include "manifest/evaluation.h"
#include "manifest/provenance.h"
#include "manifest/score.h"
#include "manifest/suite.h"
#include "score/kernelbench.h"
#include "sheet/notes.h"

#define NANO 1e9
#define NS_PER_MS 1e6
#define NO_RUNTIME (-1.0)	/* KernelBench's, and so the board's */

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static void print_metrics(struct kb_foreign_json *j, const struct kb_metrics *m)
{
	const struct kb_shares *s = &m->shares;

	kb_foreign_json_open(j, "metrics", '{');
	kb_foreign_json_scaled(j, "geo_mean", s->geomean_speedup_nano, NANO);
	for (int i = 0; i < KB_FAST_COUNT; i++) {
		kb_auto(mem) char *key = NULL;
		const int p_milli = kb_fast_p_milli[i];

		if (p_milli < 1000)
			continue;
		key = kb_xasprintf("fast_p_%d_%d", p_milli / 1000,
				   p_milli % 1000 / 100);
		kb_foreign_json_share(j, key, &s->fast[i]);
	}
	kb_foreign_json_int(j, "total_submitted", m->problems);
	kb_foreign_json_int(j, "total_compiled", m->compiled);
	kb_foreign_json_int(j, "total_correct", m->correct);
	kb_foreign_json_share(j, "compile_rate", &s->compiled);
	kb_foreign_json_share(j, "correct_rate", &s->correct);
	kb_foreign_json_close(j, '}');
}

static void print_level(struct kb_foreign_json *j,
			const struct kb_level_metrics *l,
			const struct kb_evaluation *e)
{
	kb_auto(mem) char *key = kb_xasprintf("level%d", l->level);
	kb_auto(pass_at_k) struct kb_pass_at_k p = KB_PASS_AT_K_INIT;

	kb_pass_at_k_of(&p, e, l->level);
	kb_foreign_json_open(j, key, '{');
	kb_foreign_json_int(j, "evaluated", (int64_t)p.count);
	kb_foreign_json_int(j, "expected", l->metrics.problems);
	kb_foreign_json_int(j, "compiled", l->metrics.compiled);
	kb_foreign_json_int(j, "correct", l->metrics.correct);
	kb_foreign_json_close(j, '}');
}

/* The submitter's, and what the score warns of, for which an entry has no other
 * place. */
static void print_notes(struct kb_buf *out, const struct kb_leaderboard_entry *e)
{
	kb_auto(buf) struct kb_buf warnings = KB_BUF_INIT;

	kb_warnings_join(&warnings, e->analysis.score);
	kb_buf_addstr(out, or_empty(e->provenance->notes));
	if (warnings.len)
		kb_buf_addf(out, "%sWARNING: %s", out->len ? " " : "",
			    warnings.data);
}

static void print_entry(struct kb_foreign_json *j, const char *key,
			const struct kb_leaderboard_entry *e)
{
	const struct kb_provenance *p = e->provenance;
	const struct kb_score *s = e->analysis.score;
	const char *run = e->analysis.run;
	kb_auto(buf) struct kb_buf notes = KB_BUF_INIT;

	kb_foreign_json_open(j, key, '{');
	kb_foreign_json_string(j, "id", run);
	kb_foreign_json_string(j, "unique_id", e->unique_id);
	kb_foreign_json_string(j, "display_name",
			       p->display_name ? p->display_name : run);
	kb_foreign_json_string(j, "organization", or_empty(p->organization));
	kb_foreign_json_string(j, "hardware", e->analysis.hardware);
	if (p->date)
		kb_foreign_json_string(j, "timestamp", p->date);
	else
		kb_foreign_json_null(j, "timestamp");
	print_metrics(j, &s->overall);
	kb_foreign_json_open(j, "level_stats", '{');
	for (size_t i = 0; i < s->level_count; i++)
		print_level(j, &s->levels[i], e->analysis.evaluation);
	kb_foreign_json_close(j, '}');
	print_notes(&notes, e);
	kb_foreign_json_string(j, "notes", notes.data);
	kb_foreign_json_close(j, '}');
}

void kb_leaderboard_metadata_print(struct kb_buf *out,
				   const struct kb_leaderboard_entry *e)
{
	struct kb_foreign_json j = { .out = out };

	kb_foreign_json_open(&j, NULL, '[');
	print_entry(&j, NULL, e);
	kb_foreign_json_close(&j, ']');
}

void kb_leaderboard_results_print(struct kb_buf *out,
				  const struct kb_leaderboard_entry *e)
{
	struct kb_foreign_json j = { .out = out };

	kb_foreign_json_open(&j, NULL, '{');
	print_entry(&j, "entry", e);
	kb_foreign_json_open(&j, "level_results", '[');
	for (size_t i = 0; i < e->analysis.score->level_count; i++)
		kb_analysis_print_value(&j, NULL, &e->analysis, i);
	kb_foreign_json_close(&j, ']');
	kb_foreign_json_close(&j, '}');
}

/* As the score's preset counted it; a line of a score has no phase. */
static bool is_compiled(const struct kb_evaluation *e,
			const struct kb_score_line *l)
{
	size_t count = 0;
	const struct kb_result *r = kb_evaluation_find(e, l->key, &count);

	for (size_t i = 0; r && i < count; i++)
		if (r[i].sample_id == l->sample_id)
			return kb_upstream_compiled(
				l->status,
				kb_status_compiled(l->status,
						   r[i].outcome.phase));
	return false;
}

/* "Square matrix multiplication" of "1_Square_matrix_multiplication_". */
static void print_name(struct kb_foreign_json *j, const struct kb_problem *p)
{
	kb_auto(buf) struct kb_buf name = KB_BUF_INIT;
	const char *rest = p->name + strspn(p->name, "0123456789");

	for (rest += *rest == '_'; *rest; rest++)
		if (*rest != '_')
			kb_buf_addch(&name, *rest);
		else if (name.len)
			kb_buf_addch(&name, ' ');
	while (name.len && name.data[name.len - 1] == ' ')
		name.data[--name.len] = '\0';
	kb_foreign_json_string(j, "name", name.len ? name.data : "");
}

/* Four digits of the quotient of doubles, as there; 0 if there is none. */
static double speedup_of(const struct kb_score_line *l)
{
	char text[64];

	if (l->speedup_micro == KB_UNKNOWN)
		return 0;
	snprintf(text, sizeof(text), "%.4f",
		 ((double)l->baseline_ns / NS_PER_MS) /
			 ((double)l->candidate_ns / NS_PER_MS));
	return strtod(text, NULL);
}

static void print_model(struct kb_foreign_json *j,
			const struct kb_leaderboard_entry *e,
			const struct kb_score_line *l)
{
	kb_foreign_json_open(j, "models", '{');
	if (l->status == KB_STATUS_MISSING) {
		kb_foreign_json_close(j, '}');
		return;
	}
	kb_foreign_json_open(j, e->unique_id, '{');
	kb_foreign_json_bool(j, "compiled",
			     is_compiled(e->analysis.evaluation, l));
	kb_foreign_json_bool(j, "correct", l->status == KB_STATUS_CORRECT);
	if (l->candidate_ns == KB_UNKNOWN)
		kb_foreign_json_double(j, "runtime", NO_RUNTIME);
	else
		kb_foreign_json_scaled(j, "runtime", l->candidate_ns,
				       NS_PER_MS);
	kb_foreign_json_double(j, "speedup", speedup_of(l));
	kb_foreign_json_close(j, '}');
	kb_foreign_json_close(j, '}');
}

static int print_kernel(struct kb_foreign_json *j,
			const struct kb_leaderboard_entry *e,
			const struct kb_score_line *l, struct kb_err *err)
{
	const struct kb_problem *p = kb_suite_find(e->suite, l->key);
	kb_auto(mem) char *id = kb_xasprintf("level_%d_problem_%d",
					     l->key.level, l->key.problem_id);
	kb_auto(mem) char *file = NULL;

	if (!p)
		return kb_err(err, KB_ERR_INPUT,
			      "the suite has no problem '%d/%d'", l->key.level,
			      l->key.problem_id);
	file = kb_xasprintf("%s%s", p->name, kb_runtime_extension(p->runtime));
	kb_foreign_json_open(j, NULL, '{');
	kb_foreign_json_string(j, "id", id);
	kb_foreign_json_int(j, "level", l->key.level);
	kb_foreign_json_int(j, "problem_id", l->key.problem_id);
	print_name(j, p);
	kb_foreign_json_string(j, "filename", file);
	kb_foreign_json_scaled(j, "baseline_time", l->baseline_ns, NS_PER_MS);
	print_model(j, e, l);
	kb_foreign_json_close(j, '}');
	return 0;
}

static void print_counts(struct kb_foreign_json *j, const struct kb_score *s)
{
	kb_foreign_json_int(j, "total_kernels", (int64_t)s->line_count);
	kb_foreign_json_open(j, "levels", '{');
	for (size_t i = 0; i < s->level_count; i++) {
		kb_auto(mem) char *key = kb_xasprintf("%d", s->levels[i].level);
		int64_t count = 0;

		for (size_t k = 0; k < s->line_count; k++)
			count += s->lines[k].key.level == s->levels[i].level;
		kb_foreign_json_int(j, key, count);
	}
	kb_foreign_json_close(j, '}');
}

int kb_leaderboard_kernels_print(struct kb_buf *out,
				 const struct kb_leaderboard_entry *e,
				 struct kb_err *err)
{
	const struct kb_score *s = e->analysis.score;
	struct kb_foreign_json j = { .out = out };

	kb_foreign_json_open(&j, NULL, '{');
	kb_foreign_json_open(&j, "kernels", '[');
	for (size_t i = 0; i < s->line_count; i++) {
		int ret = print_kernel(&j, e, &s->lines[i], err);

		if (ret < 0)
			return ret;
	}
	kb_foreign_json_close(&j, ']');
	kb_foreign_json_open(&j, "model_names", '[');
	kb_foreign_json_string(&j, NULL, e->unique_id);
	kb_foreign_json_close(&j, ']');
	print_counts(&j, s);
	kb_foreign_json_close(&j, '}');
	return 0;
}
