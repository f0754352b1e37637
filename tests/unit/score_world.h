#ifndef KB_TESTS_UNIT_SCORE_WORLD_H
#define KB_TESTS_UNIT_SCORE_WORLD_H

/* What tests of tables of several scores have in common: the scores. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "manifest/timing.h"
#include "sheet/score_sheet.h"

#define ROWS_MAX 4

/* Scores of problems 1/1 and 1/2 that differ in nothing but their ids: of the
 * preset kb, by the model m, on the CPU C. */
struct world {
	struct kb_digest ids[ROWS_MAX];
	struct kb_score scores[ROWS_MAX];
	struct kb_evaluation evaluations[ROWS_MAX];
	struct kb_baseline baselines[ROWS_MAX];
	struct kb_score_sheet sheets[ROWS_MAX];
};

static struct kb_json *parse(const char *text)
{
	struct kb_json *v;

	if (kb_json_parse(&v, text, strlen(text), KB_JSON_OURS, "t", NULL) < 0)
		KB_BUG("the test's own JSON");
	return v;
}

static void set_json(struct kb_json **v, const char *text)
{
	kb_json_free(*v);
	*v = parse(text);
}

static void set_hardware(struct world *w, size_t row, const char *cpu)
{
	kb_auto(mem) char *text = kb_xasprintf(
		"{\"device\":{\"kind\":\"cpu\"},\"cpu\":{\"model\":\"%s\"}}",
		cpu);

	set_json(&w->evaluations[row].conditions.environment, text);
}

static void set_problems(struct world *w, size_t row, size_t count)
{
	struct kb_evaluation *e = &w->evaluations[row];

	free(e->problems);
	e->problems = kb_xcalloc(count, sizeof(*e->problems));
	for (size_t i = 0; i < count; i++)
		e->problems[i] = (struct kb_key){ 1, (int)i + 1 };
	e->problem_count = count;
}

static void add_times(struct kb_baseline *b)
{
	b->results = kb_xcalloc(2, sizeof(*b->results));
	b->result_count = 2;
	for (int i = 0; i < 2; i++) {
		b->results[i] = (struct kb_reference_result){
			.key = { 1, i + 1 },
			.timing = kb_timing_new(KB_CLOCK_CALL, 1, 2),
		};
		b->results[i].timing->time_ns = 1000;
	}
}

static void init_row(struct world *w, size_t row)
{
	struct kb_score *s = &w->scores[row];

	*s = (struct kb_score)KB_SCORE_INIT;
	w->evaluations[row] = (struct kb_evaluation)KB_EVALUATION_INIT;
	w->baselines[row] = (struct kb_baseline)KB_BASELINE_INIT;
	w->ids[row] = (struct kb_digest){ .bytes = { (uint8_t)row } };
	w->sheets[row] = (struct kb_score_sheet){
		.score = s, .id = &w->ids[row],
		.evaluation = &w->evaluations[row],
		.baseline = &w->baselines[row],
	};
	kb_score_name_model(s, "m");
	set_json(&s->definition, "{\"preset\":\"kb\",\"sample_id\":0}");
	set_json(&s->match_key, "{\"cpu\":\"C\"}");
	s->levels = kb_xcalloc(1, sizeof(*s->levels));
	s->level_count = 1;
	s->levels[0].level = 1;
	s->levels[0].metrics.problems = s->overall.problems = 2;
	set_json(&w->evaluations[row].conditions.policy,
		 "{\"tolerance\":\"t\"}");
	set_hardware(w, row, "C");
	set_problems(w, row, 2);
	add_times(&w->baselines[row]);
}

static void init(struct world *w)
{
	for (size_t row = 0; row < ROWS_MAX; row++)
		init_row(w, row);
}

static void release(struct world *w)
{
	for (size_t row = 0; row < ROWS_MAX; row++) {
		kb_score_release(&w->scores[row]);
		kb_evaluation_release(&w->evaluations[row]);
		kb_baseline_release(&w->baselines[row]);
	}
}

/* As one of a table of changes: none. */
static void leave(struct world *w)
{
	(void)w;
}

#endif
