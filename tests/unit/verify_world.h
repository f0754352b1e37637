#ifndef KB_TESTS_UNIT_VERIFY_WORLD_H
#define KB_TESTS_UNIT_VERIFY_WORLD_H

/*
 * What tests of src/judge/verify/ have in common: names of answers, records to
 * check, and what was said of them.
 */

#include <string.h>

#include "base/alloc.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/baseline.h"
#include "verify/checks.h"

#define OK KB_ANSWER_OK
#define NOTE KB_ANSWER_NOTE
#define SKIP KB_ANSWER_NOT_CHECKED
#define NO KB_ANSWER_NO

#define SAMPLES_MAX 16

/* With nothing that a match key is made from, but in its form. */
#define WORLD_ENVIRONMENT \
	"{\"device\":{\"kind\":\"cpu\"},\"cpu\":{},\"os\":{}," \
	"\"python\":{},\"torch\":{},\"compiler\":{},\"isolation\":{}}"

/* A baseline of two problems with one timing each, that may be bent. */
struct world {
	struct kb_baseline b;
	struct kb_reference_result results[2];
	struct kb_key keys[2];
	struct kb_timing timings[2];
	struct kb_device_timing devices[2];
	int64_t small_ns[2][SAMPLES_MAX], large_ns[2][SAMPLES_MAX];
};

static inline struct kb_json *parse(const char *text)
{
	struct kb_json *v = NULL;

	if (kb_json_parse(&v, text, strlen(text), KB_JSON_OURS, "test", NULL))
		KB_BUG(text);
	return v;
}

static inline void fill_timing(struct world *w, int i, size_t count)
{
	w->timings[i] = (struct kb_timing){
		.n_small = 1, .n_large = 2,
		.small_ns = w->small_ns[i], .large_ns = w->large_ns[i],
		.small_count = count, .large_count = count,
		.time_ns = count ? 1000 : KB_UNKNOWN,
		.low_ns = count < 6 ? KB_UNKNOWN : 1000,
		.high_ns = count < 6 ? KB_UNKNOWN : 1000,
		.copy_in_small_ns = KB_UNKNOWN,
		.copy_in_large_ns = KB_UNKNOWN,
		.copy_in_one_call_ns = KB_UNKNOWN,
		.n_one_call = 1, .device_ns = KB_UNKNOWN,
		.control_ns = KB_UNKNOWN,
		.stop_reason = KB_STOP_TRIALS,
	};
	for (size_t k = 0; k < count; k++) {
		w->small_ns[i][k] = 5000 + 100 * i + (int64_t)k;
		w->large_ns[i][k] = w->small_ns[i][k] + 1000;
	}
}

static inline void fill(struct world *w, size_t samples)
{
	*w = (struct world){ .keys = { { 1, 1 }, { 1, 2 } } };
	for (int i = 0; i < 2; i++) {
		fill_timing(w, i, samples);
		w->devices[i] = (struct kb_device_timing)
			KB_DEVICE_TIMING_INIT;
		w->results[i] = (struct kb_reference_result)
			KB_REFERENCE_RESULT_INIT;
		w->results[i].key = w->keys[i];
		w->results[i].timing = &w->timings[i];
		w->results[i].outcome.wall_ns = KB_NS_PER_S;
	}
	w->b.problems = w->keys;
	w->b.results = w->results;
	w->b.problem_count = w->b.result_count = 2;
	w->b.conditions.options = parse("{}");
	w->b.conditions.policy = parse("{\"trials\":5}");
	w->b.conditions.environment = parse(WORLD_ENVIRONMENT);
	w->b.conditions.match_key = parse("{}");
	w->b.conditions.tool = parse("{\"name\":\"kb-baseline\"}");
}

/* Its arrays are its own: only what parse() made is freed. */
static inline void drop(struct world *w)
{
	kb_conditions_release(&w->b.conditions);
}

static inline void set(struct kb_json **member, const char *text)
{
	kb_json_free(*member);
	*member = parse(text);
}

/* The words of the first check that is called so; "" if there are none. */
static inline const char *words_of(const struct kb_checks *c, const char *what)
{
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->items[i].what, what))
			return c->items[i].words ? c->items[i].words : "";
	return "(no such check)";
}

static inline enum kb_answer answer_of(const struct kb_checks *c, const char *what)
{
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->items[i].what, what))
			return c->items[i].answer;
	return KB_ANSWER_COUNT;
}

static inline void check_said(const struct kb_checks *c, const char *what,
		       enum kb_answer answer, const char *words)
{
	check_int(answer_of(c, what), answer);
	check_str(words_of(c, what), words);
}

#endif
