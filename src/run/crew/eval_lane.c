#include "crew/eval_lane.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/submission.h"
#include "session/policy.h"
#include "worker/reason.h"

static int note_conditions(void *context, struct kb_err *err)
{
	const struct kb_eval_lane *lane = context;

	return kb_candidates_note_conditions(lane->session, lane->submission,
					     err);
}

static int check_rooms_once(struct kb_eval_lane *lane, struct kb_err *err)
{
	if (!lane->wants_rooms)
		return 0;
	lane->wants_rooms = false;
	return kb_session_check_rooms(lane->session, err);
}

/* The bench stays for the problem's next candidate. */
static int need_bench(struct kb_eval_lane *lane, struct kb_key key,
		      uint32_t beside, struct kb_err *err)
{
	int ret;

	if (!kb_key_compare(lane->key, key) && lane->beside == beside)
		return 0;
	kb_problem_bench_close(&lane->bench);
	lane->key = key;
	lane->beside = beside;
	ret = kb_problem_bench_open(&lane->bench, lane->session, key, err);
	lane->bench.policy.beside = beside;
	return ret;
}

/* Candidates that wait for each other: a bench under another seed is opened
 * once for all of them. */
struct group {
	const struct kb_candidate **candidates;
	struct kb_result *results;
	size_t count;
};

static void release_group(struct group *g)
{
	for (size_t i = 0; i < g->count; i++)
		kb_result_release(&g->results[i]);
	free(g->results);
	free(g->candidates);
}

/* They are sorted. */
static const struct kb_candidate *find_sample(const struct kb_candidate c[],
					      size_t count, int64_t sample_id)
{
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (c[middle].sample_id < sample_id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == count || c[low].sample_id != sample_id)
		KB_BUG("a lane is asked for what there is not");
	return &c[low];
}

static void form_group(struct group *g, const struct kb_eval_lane *lane,
		       struct kb_key key, const struct kb_json *samples)
{
	size_t count;
	const struct kb_candidate *c = kb_submission_find(lane->submission,
							  key, &count);

	g->candidates = kb_xcalloc(kb_json_count(samples) + 1,
				   sizeof(*g->candidates));
	g->results = kb_xcalloc(kb_json_count(samples) + 1,
				sizeof(*g->results));
	for (const struct kb_json *v = kb_json_first(samples); v;
	     v = kb_json_next(v)) {
		g->results[g->count] = (struct kb_result)KB_RESULT_INIT;
		g->candidates[g->count++] = find_sample(
			c, count, kb_json_int_value(v));
	}
}

static int say_result(int fd, const struct kb_result *r, struct kb_err *err)
{
	kb_auto(json) struct kb_json *line = kb_result_to_json(r);

	return kb_crew_say(fd, line, err);
}

static int judge_group(struct kb_eval_lane *lane, struct group *g, int fd,
		       struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < g->count && ret >= 0; i++)
		ret = kb_problem_bench_judge(&lane->bench, &g->results[i],
					     lane->bundle, g->candidates[i],
					     err);
	if (ret >= 0)
		ret = kb_problem_bench_confirm(&lane->bench, g->results,
					       g->candidates, g->count,
					       lane->bundle, err);
	for (size_t i = 0; i < g->count && ret >= 0; i++)
		ret = say_result(fd, &g->results[i], err);
	return ret;
}

static int do_job(void *context, struct kb_key key,
		  const struct kb_json *samples, int fd, struct kb_err *err)
{
	struct kb_eval_lane *lane = context;
	struct group g = { .count = 0 };
	int ret = check_rooms_once(lane, err);

	if (ret >= 0)
		ret = need_bench(lane, key, 0, err);
	if (ret < 0)
		return ret;
	form_group(&g, lane, key, samples);
	ret = judge_group(lane, &g, fd, err);
	release_group(&g);
	return ret;
}

/* Would it be the same alone? A compiler that lacked memory, or a process whose log
 * has no end, may end otherwise. */
static bool is_final(const struct kb_result *r)
{
	const char *log = r->outcome.log ? r->outcome.log : "";
	const char *detail = r->outcome.detail ? r->outcome.detail : "";

	return kb_status_is_of_code(r->outcome.status) &&
	       !r->outcome.log_truncated &&
	       !kb_reason_is_of_machine(log, strlen(log)) &&
	       !kb_reason_is_of_machine(detail, strlen(detail));
}

/* Says the results if all are final. */
static int screen_group(struct kb_eval_lane *lane, struct group *g, int fd,
			struct kb_err *err)
{
	bool are_final = true;
	int ret = 0;

	for (size_t i = 0; i < g->count && ret >= 0 && are_final; i++) {
		struct kb_result *r = &g->results[i];

		ret = kb_problem_bench_screen(&lane->bench, r, lane->bundle,
					      g->candidates[i], err);
		are_final = ret >= 0 && is_final(r);
	}
	for (size_t i = 0; i < g->count && ret >= 0 && are_final; i++)
		ret = say_result(fd, &g->results[i], err);
	return ret < 0 ? ret : are_final;
}

static int screen(void *context, struct kb_key key,
		  const struct kb_json *samples, uint32_t beside, int fd,
		  struct kb_err *err)
{
	struct kb_eval_lane *lane = context;
	struct group g = { .count = 0 };
	int ret = need_bench(lane, key, beside, err);

	if (ret < 0)
		return ret;
	form_group(&g, lane, key, samples);
	ret = screen_group(lane, &g, fd, err);
	release_group(&g);
	return ret;
}

static void leave(void *context)
{
	struct kb_eval_lane *lane = context;

	kb_problem_bench_close(&lane->bench);
	lane->key.level = 0;
}

const struct kb_lane_kind kb_eval_lane_kind = {
	.note_conditions = note_conditions, .do_job = do_job, .screen = screen,
	.leave = leave,
};
