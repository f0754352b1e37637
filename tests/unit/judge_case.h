#ifndef KB_TESTS_UNIT_JUDGE_CASE_H
#define KB_TESTS_UNIT_JUDGE_CASE_H

#include "json/json.h"
#include "score/judge.h"

/* An evaluation and a baseline that match, for the tests of judging. */

#define NONE KB_UNKNOWN

/* Samples of three trials that say `ns` a call. */
#define SLOPE(ns) { .n_small = 1, .n_large = 3, \
	.small_ns = (int64_t[]){ 1000, 1100, 1050 }, .small_count = 3, \
	.large_ns = (int64_t[]){ 1000 + 2 * (ns), 1100 + 2 * (ns), 1050 }, \
	.large_count = 3, .n_one_call = 1, .device_ns = NONE, \
	.control_ns = NONE, \
	.time_ns = (ns), .low_ns = NONE, .high_ns = NONE }

static struct kb_timing slope_100 = SLOPE(100), slope_200 = SLOPE(200),
			slope_110 = SLOPE(110);
static struct kb_timing forged = {
	.n_small = 1, .n_large = 3,
	.small_ns = (int64_t[]){ 400 }, .small_count = 1,
	.large_ns = (int64_t[]){ 800 }, .large_count = 1,
	.n_one_call = 1, .device_ns = NONE, .control_ns = NONE, .time_ns = 2,
	.low_ns = NONE, .high_ns = NONE,
};

static struct kb_key problems[] = { { 1, 1 }, { 1, 2 }, { 2, 1 } };

#define ENDED(s, p) { .status = KB_STATUS_##s, .phase = KB_PHASE_##p, \
		      .exit_status = KB_UNKNOWN }

/* Sample 0 of every problem, and one more of the first. */
static struct kb_result results[] = {
	{ .key = { 1, 1 }, .sample_id = 0, .outcome = ENDED(CORRECT, NONE),
	  .timing = &slope_100, .reference_timing = &slope_110 },
	{ .key = { 1, 1 }, .sample_id = 1, .outcome = ENDED(CORRECT, NONE),
	  .timing = &slope_200, .reference_timing = &slope_110 },
	{ .key = { 1, 2 }, .sample_id = 0, .outcome = ENDED(MISSING, NONE) },
	{ .key = { 2, 1 }, .sample_id = 0, .outcome = ENDED(CRASHED, LOAD) },
};

static struct kb_reference_result references[] = {
	{ .key = { 1, 1 }, .outcome = ENDED(TIMED, NONE),
	  .timing = &slope_200 },
	{ .key = { 1, 2 }, .outcome = ENDED(TIMED, NONE),
	  .timing = &slope_200 },
};

/* The same samples by the device clock, 15 of them. */
#define EACH(ns) (ns), (ns), (ns), (ns), (ns), (ns), (ns), (ns), (ns), (ns), \
		 (ns), (ns), (ns), (ns), (ns)
#define BY_DEVICE(ns) { .clock = KB_CLOCK_DEVICE, \
	.n_small = 1, .n_large = 3, \
	.small_ns = (int64_t[]){ EACH(1000) }, .small_count = 15, \
	.large_ns = (int64_t[]){ EACH(1000 + 2 * (ns)) }, \
	.large_count = 15, .n_one_call = 1, .device_ns = NONE, \
	.control_ns = NONE, \
	.time_ns = (ns), .low_ns = (ns), .high_ns = (ns) }

/* 90 + 406410 - 400000, and the slack of 1500 */
#define SIDE_BY_SIDE { .clock = KB_CLOCK_DEVICE, \
	.n_small = 1, .n_large = 3, \
	.small_ns = (int64_t[]){ EACH(1000) }, .small_count = 15, \
	.large_ns = (int64_t[]){ EACH(1060) }, .large_count = 15, \
	.one_call_ns = (int64_t[]){ EACH(406410) }, .one_call_count = 15, \
	.n_one_call = 1, .device_ns = NONE, .control_ns = NONE, \
	.time_ns = 8000, .basis = KB_BASIS_ONE_CALL, \
	.low_ns = 8000, .high_ns = 8000 }

static struct kb_timing device_30 = BY_DEVICE(30), device_90 = {
	.clock = KB_CLOCK_DEVICE,
	.n_small = 1, .n_large = 3,
	.small_ns = (int64_t[]){ EACH(1000) }, .small_count = 15,
	.large_ns = (int64_t[]){ EACH(1180) }, .large_count = 15,
	.one_call_ns = (int64_t[]){ EACH(400000) }, .one_call_count = 15,
	.n_one_call = 1, .device_ns = NONE, .control_ns = NONE,
	.time_ns = 90, .low_ns = 90, .high_ns = 90 };
static struct kb_timing side_by_side_8000 = SIDE_BY_SIDE;
static struct kb_device_timing
	honest = { .timing = &device_30 },
	side_by_side = { .timing = &side_by_side_8000 },
	unqueueable = { .not_queueable = (char *)"it waits" },
	reference_90 = { .timing = &device_90 };

/* An evaluation and a baseline that match, to be spoilt by each test. */
struct case_input {
	struct kb_evaluation evaluation;
	struct kb_baseline baseline;
	struct kb_json *tool;
	struct kb_judge_input in;
};

static inline void case_start(struct case_input *c)
{
	memset(c, 0, sizeof(*c));
	c->tool = kb_json_object();
	c->evaluation.conditions.match_key = kb_json_object();
	kb_json_set_string(c->evaluation.conditions.match_key, "device", "cpu");
	c->evaluation.problems = problems;
	c->evaluation.problem_count = KB_ARRAY_LEN(problems);
	c->evaluation.results = results;
	c->evaluation.result_count = KB_ARRAY_LEN(results);

	c->baseline.conditions.match_key = kb_json_object();
	kb_json_set_string(c->baseline.conditions.match_key, "device", "cpu");
	c->baseline.problems = problems;
	c->baseline.problem_count = KB_ARRAY_LEN(references);
	c->baseline.results = references;
	c->baseline.result_count = KB_ARRAY_LEN(references);

	c->in.evaluation = &c->evaluation;
	c->in.baseline = &c->baseline;
	c->in.tool = c->tool;
}

static inline void case_end(struct case_input *c)
{
	kb_json_free(c->tool);
	kb_json_free(c->evaluation.conditions.match_key);
	kb_json_free(c->baseline.conditions.match_key);
}

#endif
