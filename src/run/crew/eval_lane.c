#include "crew/eval_lane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fp64_error.h"
#include "manifest/submission.h"
#include "session/environment.h"
#include "session/policy.h"
#include "session/session.h"
#include "store/bundle.h"
#include "worker/reason.h"

static int note_conditions(void *context, struct kb_err *err)
{
	const struct kb_eval_lane *lane = context;
	struct kb_session *s = lane->session;
	int ret;

	if (lane->submission)
		return kb_candidates_note_conditions(s, lane->submission, err);
	ret = kb_session_note_conditions(s, s->run.has_python,
					 s->machine.launcher.cc, err);
	return ret < 0 || !s->run.has_python ? ret :
		kb_session_check_memory(s, err);
}

static int check_rooms_once(struct kb_eval_lane *lane, struct kb_err *err)
{
	if (!lane->wants_rooms)
		return 0;
	lane->wants_rooms = false;
	return kb_session_check_rooms(lane->session, err);
}

/* A screened candidate's memory may be given back late. If that were while another
 * candidate is judged, there would be less than alone, and then more. Memory that is
 * not given back may be another program's, which came since: that is an error when a
 * candidate runs out of memory, and not before. */
static void take_device_back(struct kb_eval_lane *lane)
{
	struct kb_err why = KB_ERR_INIT;

	if (lane->has_left && !lane->is_shared)
		lane->is_shared =
			kb_session_device_check_alone(lane->session, &why) < 0;
	lane->has_left = false;
}

/* The bench stays for the problem's next candidate. */
static int need_bench(struct kb_eval_lane *lane, struct kb_key key,
		      uint32_t others, struct kb_err *err)
{
	int ret;

	if (!kb_key_compare(lane->key, key) && lane->others == others)
		return 0;
	kb_problem_bench_close(&lane->bench);
	lane->key = key;
	lane->others = others;
	ret = kb_problem_bench_open(&lane->bench, lane->session, key, err);
	lane->bench.policy.others = others;
	return ret;
}

/* Candidates that wait for each other: a bench under another seed is opened
 * once for all of them. */
struct group {
	struct kb_candidate *candidates;
	const struct kb_candidate **order;	/* of these */
	struct kb_bundle_member *members;	/* likewise, of a loose bundle */
	struct kb_bundle bundle;
	struct kb_result *results;
	size_t count;
};

static void release_group(struct group *g)
{
	for (size_t i = 0; i < g->count; i++) {
		kb_result_release(&g->results[i]);
		free(g->candidates[i].file);
	}
	free(g->results);
	free(g->members);
	free(g->order);
	free(g->candidates);
}

/* Files of a loose bundle are checked like any other, against the job. */
static void take_members(struct group *g, const struct kb_eval_lane *lane)
{
	g->bundle = *lane->bundle;
	if (!lane->is_loose)
		return;
	g->members = kb_xcalloc(g->count + 1, sizeof(*g->members));
	for (size_t i = 0; i < g->count; i++)
		g->members[i] = (struct kb_bundle_member){
			.name = g->candidates[i].file,
			.size_bytes = g->candidates[i].size_bytes,
			.digest = g->candidates[i].digest,
		};
	g->bundle.members = g->members;
	g->bundle.member_count = g->count;
}

static int form_group(struct group *g, const struct kb_eval_lane *lane,
		      const struct kb_json *samples, struct kb_err *err)
{
	const size_t count = kb_json_count(samples) + 1;
	int ret = 0;

	g->candidates = kb_xcalloc(count, sizeof(*g->candidates));
	g->order = kb_xcalloc(count, sizeof(*g->order));
	g->results = kb_xcalloc(count, sizeof(*g->results));
	for (const struct kb_json *v = kb_json_first(samples); v && ret >= 0;
	     v = kb_json_next(v)) {
		const size_t i = g->count++;

		g->results[i] = (struct kb_result)KB_RESULT_INIT;
		g->order[i] = &g->candidates[i];
		ret = kb_candidate_from_json(&g->candidates[i], v, "a job",
					     err);
	}
	take_members(g, lane);
	return ret;
}

static int say_result(int fd, const struct kb_result *r, struct kb_err *err)
{
	kb_auto(json) struct kb_json *line = kb_result_to_json(r);

	return kb_crew_say(fd, line, err);
}

/* Who failed in a screen fails again, as a rule: nothing is timed before that is
 * known. */
static int judge_one(struct kb_eval_lane *lane, struct group *g, size_t i,
		     bool is_doubted, struct kb_err *err)
{
	struct kb_result *r = &g->results[i];
	int ret;

	if (is_doubted) {
		ret = kb_problem_bench_verify(&lane->bench, r, &g->bundle,
					      g->order[i], err);
		if (ret < 0 || r->outcome.status != KB_STATUS_CORRECT)
			return ret;
		kb_result_release(r);
	}
	return kb_problem_bench_judge(&lane->bench, r, &g->bundle, g->order[i],
				      err);
}

static int judge_group(struct kb_eval_lane *lane, struct group *g,
		       bool is_doubted, int fd, struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < g->count && ret >= 0; i++)
		ret = judge_one(lane, g, i, is_doubted, err);
	if (ret >= 0)
		ret = kb_problem_bench_confirm(&lane->bench, g->results,
					       g->order, g->count,
					       &g->bundle, err);
	for (size_t i = 0; i < g->count && ret >= 0; i++)
		ret = say_result(fd, &g->results[i], err);
	return ret;
}

bool kb_eval_fails_again(const char *doubt)
{
	const char *late = kb_status_name(KB_STATUS_TIMED_OUT);

	return doubt && strncmp(doubt, late, strlen(late));
}

static int do_job(void *context, struct kb_key key,
		  const struct kb_json *job, int fd, struct kb_err *err)
{
	struct kb_eval_lane *lane = context;
	struct group g = { .count = 0 };
	const char *doubt = NULL;
	int ret = check_rooms_once(lane, err);

	if (ret < 0)
		return ret;
	take_device_back(lane);
	ret = need_bench(lane, key, 0, err);
	if (ret < 0)
		return ret;
	kb_policy_quicken(&lane->bench.policy, &lane->session->run.policy,
			  kb_json_bool_value(kb_json_find(job, "quick")));
	ret = kb_json_read_string_or_null(&doubt, job, "doubt", "a job", err);
	if (ret >= 0)
		ret = form_group(&g, lane, kb_json_find(job, "samples"), err);
	if (ret >= 0)
		ret = judge_group(lane, &g, kb_eval_fails_again(doubt), fd, err);
	release_group(&g);
	return ret;
}

/* Exceptions that Python raises for wrong code. Exceptions such as RuntimeError are
 * also raised by libraries, about the device, and an AssertionError may be about
 * rounding, which is another one where a library has less memory. */
static const char *const wrong_code[] = {
	"SyntaxError", "IndentationError", "NameError", "UnboundLocalError",
	"AttributeError", "TypeError", "ImportError", "ModuleNotFoundError",
	"IndexError", "KeyError", "ValueError", "ZeroDivisionError",
	"NotImplementedError",
};

static bool is_wrong_code(enum kb_status status, const char *detail)
{
	const size_t len = strcspn(detail, ": ");

	if (status != KB_STATUS_LOAD_FAILED && status != KB_STATUS_RUN_FAILED)
		return false;
	for (size_t i = 0; i < KB_ARRAY_LEN(wrong_code); i++)
		if (len == strlen(wrong_code[i]) &&
		    !strncmp(detail, wrong_code[i], len))
			return true;
	return false;
}

/* A CUDA graph is recorded alone by a process that has the handles of libraries, and
 * in a screen by one that has those of its reference (Device.open_libraries() of
 * kb_torch_cuda.py). */
static bool speaks_of_capture(const char *text)
{
	return strcasestr(text, "captur");
}

/* A library that finds less memory than alone takes another algorithm, which rounds
 * otherwise, and as a rule no coarser. Rounding is not at the same time a tenth of what
 * there is to compute and ten times as far off as the reference is from float64, and it
 * is not a hundred times as far off as that. Of 64 wrong answers of models two were as
 * far off as the reference, by TF32 in both, and all others 187 times and more. A
 * reference may be exact by luck: it counts as one rounding of float32 off. */
#define FAR 10
#define FARTHER 100
#define ROUNDING 0x1p-24

static bool is_far(const struct kb_fp64_error_output *own, double error)
{
	const double least = fmax(own->rms_error, own->rms * ROUNDING);

	return (error * FAR > own->rms && error > own->rms_error * FAR) ||
	       error > least * FARTHER;
}

static bool is_far_off(const struct kb_result *r)
{
	if (r->outcome.status != KB_STATUS_MISMATCH)
		return false;
	for (size_t i = 0; i < r->output_count; i++) {
		const struct kb_fp64_error_output *own =
			kb_fp64_error_find(r->fp64_error, i);
		const struct kb_output_error *o = &r->outputs[i];

		/* A small output may be far off and within the tolerance. */
		if (own && o->mismatched && is_far(own, o->rms_error))
			return true;
	}
	return false;
}

/* The words are the candidate's: by lying it can fail in the screen, no more. Without
 * memory it may compute something else. */
bool kb_eval_is_final(const struct kb_result *r)
{
	const char *log = r->outcome.log ? r->outcome.log : "";
	const char *detail = r->outcome.detail ? r->outcome.detail : "";

	return (kb_status_is_of_code(r->outcome.status) || is_far_off(r) ||
		is_wrong_code(r->outcome.status, detail)) &&
	       !r->outcome.log_truncated &&
	       !speaks_of_capture(log) && !speaks_of_capture(detail) &&
	       !kb_reason_is_of_machine(log, strlen(log)) &&
	       !kb_reason_is_of_machine(detail, strlen(detail));
}

/* One process says that the outputs differ. Two show by how much, and keep the record. */
static int screen_one(struct kb_eval_lane *lane, struct group *g, size_t i,
		      struct kb_err *err)
{
	struct kb_result *r = &g->results[i];
	const int ret = kb_problem_bench_screen(&lane->bench, r, &g->bundle,
						g->order[i], err);

	if (ret < 0 || r->outcome.status != KB_STATUS_MISMATCH || r->outputs)
		return ret;
	kb_result_release(r);
	return kb_problem_bench_verify(&lane->bench, r, &g->bundle, g->order[i],
				       err);
}

static char *doubt_of(const struct kb_outcome *o)
{
	return o->status == KB_STATUS_CORRECT ? NULL :
		kb_xasprintf("%s%s%s", kb_status_name(o->status),
			     o->detail ? ": " : "", o->detail ? o->detail : "");
}

/* Says the results if all are final, or how the first failed that is not. */
static int screen_group(struct kb_eval_lane *lane, struct group *g, int fd,
			char **doubt, struct kb_err *err)
{
	bool are_final = true;
	int ret = 0;

	for (size_t i = 0; i < g->count && ret >= 0 && are_final; i++) {
		struct kb_result *r = &g->results[i];

		ret = screen_one(lane, g, i, err);
		are_final = ret >= 0 && kb_eval_is_final(r);
		if (ret >= 0 && !are_final)
			*doubt = doubt_of(&r->outcome);
	}
	for (size_t i = 0; i < g->count && ret >= 0 && are_final; i++)
		ret = say_result(fd, &g->results[i], err);
	return ret < 0 ? ret : are_final;
}

static int screen_candidate(void *context, struct kb_key key,
			    const struct kb_json *job, uint32_t others, int fd,
			    char **doubt, struct kb_err *err)
{
	struct kb_eval_lane *lane = context;
	struct group g = { .count = 0 };
	int ret = need_bench(lane, key, others, err);

	if (ret < 0)
		return ret;
	ret = form_group(&g, lane, kb_json_find(job, "samples"), err);
	if (ret >= 0)
		ret = screen_group(lane, &g, fd, doubt, err);
	release_group(&g);
	return ret;
}

static void leave_problem(void *context)
{
	struct kb_eval_lane *lane = context;

	kb_problem_bench_close(&lane->bench);
	lane->key.level = 0;
	lane->has_left = true;
}

const struct kb_lane_kind kb_eval_lane_kind = {
	.note_conditions = note_conditions, .do_job = do_job,
	.screen = screen_candidate, .leave = leave_problem,
};
