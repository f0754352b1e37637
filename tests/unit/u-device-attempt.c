/*
 * Runs that are made again, and how long is waited for them, with a made-up
 * device: measure/device_run.c is replaced.
 */

#include "measure/device_trial.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/record.h"

#define MS INT64_C(1000000)
#define RUNS_MAX 64

/* What the device answers, run by run: the last for all that follow. */
struct answer {
	bool is_void, is_late, is_slow, cannot_queue;
	int fails;			/* 1: the side; -kind: we do */
};

static struct {
	const struct answer *answers;
	size_t count;
	struct kb_device_run asked[RUNS_MAX];
	size_t runs;
	int64_t pauses_ns[RUNS_MAX];
	size_t pauses;
} world;

/* Nobody waits here. */
int nanosleep(const struct timespec *pause, struct timespec *left)
{
	(void)left;
	world.pauses_ns[world.pauses++] = pause->tv_sec * 1000 * MS +
					  pause->tv_nsec;
	return 0;
}

int kb_device_run_make(struct kb_bench *b, struct kb_device_side *s,
		       struct kb_device_run *r, struct kb_fault *fault,
		       struct kb_err *err)
{
	const struct answer *a = &world.answers[
		world.runs < world.count ? world.runs : world.count - 1];

	(void)b;
	(void)s;
	(void)fault;
	world.asked[world.runs++] = *r;
	if (a->fails < 0)
		return kb_err(err, (enum kb_err_kind)-a->fails, "it is gone");
	r->is_void = a->is_void || a->is_late;
	r->is_late = a->is_late;
	r->timed = !a->cannot_queue;
	r->why_not = a->cannot_queue ? "it waits" : NULL;
	r->elapsed_ns = 1000 * (int64_t)world.runs;
	r->sampled = true;
	r->sample = (struct kb_nvml_sample){
		.reasons = a->is_slow ? KB_NVML_POWER_BRAKE : 0,
	};
	return !a->fails;
}

void kb_device_run_release(struct kb_device_run *r)
{
	free(r->errors);
	r->errors = NULL;
}

static struct kb_bench bench;

/* A measurement of a reference whose calls take 1 ms without a gate. */
static struct kb_measurement *make(const struct answer *answers, size_t count)
{
	struct kb_measurement *m = kb_xcalloc(1, sizeof(*m));
	struct kb_device_timing *t = kb_xcalloc(1, sizeof(*t));

	m->bench = &bench;
	m->measured[KB_SIDE_REFERENCE].ungated_ns = MS;
	t->telemetry.reasons = KB_UNKNOWN;
	m->measured[KB_SIDE_REFERENCE].device = t;
	memset(&world, 0, sizeof(world));
	world.answers = answers;
	world.count = count;
	return m;
}

static void kb_cleanup_made(struct kb_measurement **m)
{
	free((*m)->measured[KB_SIDE_REFERENCE].device);
	free(*m);
}

static int run(struct kb_measurement *m, enum kb_run_clock clock, uint32_t n,
	       int64_t *elapsed_ns)
{
	const char *why_not;

	return kb_measurement_run(m, KB_SIDE_REFERENCE, clock, n, elapsed_ns,
				  &why_not, NULL);
}

static void test_patience_goes_with_clock_and_calls(void)
{
	static const struct answer fine[] = { { .fails = 0 } };
	static const struct {
		enum kb_run_clock clock;
		uint32_t n;
		int64_t patience_ms;
	} cases[] = {
		{ KB_RUN_DEVICE, 1, 4 + 500 },
		{ KB_RUN_DEVICE, 100, 400 + 500 },
		{ KB_RUN_UNGATED, 1, 4 + 500 },
		/* its calls are launched meanwhile */
		{ KB_RUN_CALL, 1, 4 + 5000 },
		{ KB_RUN_CALL, 100, 400 + 5000 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(made) struct kb_measurement *m = make(fine, 1);
		int64_t elapsed_ns;

		check_int(run(m, cases[i].clock, cases[i].n, &elapsed_ns), 1);
		check_int(world.asked[0].patience_ns,
			  cases[i].patience_ms * MS);
	}
}

/* Who has been queued is waited for at length, by the device's clock alone. */
static void test_what_was_queued_once_is_waited_for(void)
{
	static const struct answer answers[] = {
		{ .cannot_queue = true }, { .fails = 0 },
	};
	static const struct {
		enum kb_run_clock clock;
		uint32_t n, queued;	/* after it */
		int64_t patience_ms;	/* for queueing */
	} steps[] = {
		{ KB_RUN_DEVICE, 8, 0, 8 + 50 },	/* cannot be queued */
		{ KB_RUN_CALL, 8, 0, 8 + 50 },
		{ KB_RUN_DEVICE, 8, 8, 8 + 50 },
		{ KB_RUN_DEVICE, 8, 8, 8 + 500 },
		{ KB_RUN_DEVICE, 2, 8, 2 + 500 },
		{ KB_RUN_DEVICE, 9, 9, 9 + 50 },
	};
	kb_auto(made) struct kb_measurement *m =
		make(answers, KB_ARRAY_LEN(answers));

	for (size_t i = 0; i < KB_ARRAY_LEN(steps); i++) {
		int64_t elapsed_ns;

		check_int(run(m, steps[i].clock, steps[i].n, &elapsed_ns), 1);
		check_int(world.asked[i].queue_patience_ns,
			  steps[i].patience_ms * MS);
		check_int(m->measured[KB_SIDE_REFERENCE].queued,
			  steps[i].queued);
	}
}

static void test_void_runs_are_made_again_with_other_inputs(void)
{
	static const struct answer answers[] = {
		{ .is_void = true }, { .is_void = true }, { .fails = 0 },
	};
	kb_auto(made) struct kb_measurement *m =
		make(answers, KB_ARRAY_LEN(answers));
	int64_t elapsed_ns;

	check_int(run(m, KB_RUN_DEVICE, 2, &elapsed_ns), 1);
	check_int(elapsed_ns, 3000);
	check_int(world.runs, 3);
	check_int(m->runs, 3);
	check(memcmp(world.asked[0].seed, world.asked[1].seed, KB_SEED_BYTES));
	check(memcmp(world.asked[1].seed, world.asked[2].seed, KB_SEED_BYTES));
}

static void test_what_is_always_void_is_at_fault(void)
{
	static const struct answer always[] = { { .is_void = true } };
	kb_auto(made) struct kb_measurement *m = make(always, 1);
	int64_t elapsed_ns;

	check_int(run(m, KB_RUN_DEVICE, 2, &elapsed_ns), 0);
	check_int(world.runs, 20);
	check_int(m->fault.status, KB_STATUS_PROTOCOL_VIOLATION);
	check_int(m->fault.side, KB_SIDE_REFERENCE);
	check_int(m->measured[KB_SIDE_REFERENCE].queued, 0);
	check_int(world.pauses, 0);
	check_str(m->fault.detail, "its outputs were in other memory each "
		  "time, 20 times in a row");
}

/* Pauses last longer each time, up to a second. */
static void test_who_is_not_stopped_in_time_is_given_more(void)
{
	static const struct answer answers[] = {
		{ .is_late = true }, { .is_void = true }, { .is_late = true },
		{ .is_late = true }, { .fails = 0 },
	};
	static const struct answer always[] = { { .is_late = true } };
	int64_t elapsed_ns;

	{
		kb_auto(made) struct kb_measurement *m =
			make(answers, KB_ARRAY_LEN(answers));

		check_int(run(m, KB_RUN_CALL, 2, &elapsed_ns), 1);
		check_int(world.runs, 5);
		check_int(world.pauses, 3);
		check_int(world.pauses_ns[0], 10 * MS);
		check_int(world.pauses_ns[1], 20 * MS);
		check_int(world.pauses_ns[2], 40 * MS);
	}
	kb_auto(made) struct kb_measurement *m = make(always, 1);

	check_int(run(m, KB_RUN_CALL, 2, &elapsed_ns), 0);
	check_int(world.runs, 20);
	check_int(world.pauses, 19);
	check_int(world.pauses_ns[6], 640 * MS);
	check_int(world.pauses_ns[18], 1000 * MS);
	check_int(m->fault.status, KB_STATUS_PROTOCOL_VIOLATION);
	check_str(m->fault.detail, "it left work on the device, could not be "
		  "stopped in time, or the machine is busy, 20 times in a row");
}

static void test_what_is_void_for_two_reasons_has_both(void)
{
	static const struct answer answers[] = {
		{ .is_late = true }, { .is_void = true },
	};
	kb_auto(made) struct kb_measurement *m = make(answers, 2);
	int64_t elapsed_ns;

	check_int(run(m, KB_RUN_CALL, 2, &elapsed_ns), 0);
	check_int(world.runs, 20);
	check_int(world.pauses, 1);
	check_str(m->fault.detail, "its outputs were in other memory each "
		  "time, it left work on the device, or it could not be "
		  "stopped in time, 20 times in a row");
}

static void test_slow_runs_are_made_again_and_then_count(void)
{
	static const struct answer once[] = {
		{ .is_slow = true }, { .fails = 0 },
	};
	static const struct answer always[] = { { .is_slow = true } };
	static const struct {
		const struct answer *answers;
		size_t count;
		enum kb_run_clock clock;
		int runs, repeated;
	} cases[] = {
		{ once, 2, KB_RUN_DEVICE, 2, 1 },
		{ once, 2, KB_RUN_CALL, 2, 1 },
		{ once, 2, KB_RUN_UNGATED, 1, 0 },
		{ always, 1, KB_RUN_DEVICE, 6, 5 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(made) struct kb_measurement *m =
			make(cases[i].answers, cases[i].count);
		int64_t elapsed_ns;

		check_int(run(m, cases[i].clock, 2, &elapsed_ns), 1);
		check_int(world.runs, cases[i].runs);
		check_int(elapsed_ns, 1000 * cases[i].runs);
		check_int(m->measured[KB_SIDE_REFERENCE].device->repeated,
			  cases[i].repeated);
	}
}

static void test_failures_end_it_at_once(void)
{
	static const struct answer side[] = { { .is_void = true, .fails = 1 } };
	static const struct answer ours[] = { { .fails = -KB_ERR_DEVICE } };
	int64_t elapsed_ns;
	kb_auto(made) struct kb_measurement *m = make(side, 1);

	check_int(run(m, KB_RUN_DEVICE, 2, &elapsed_ns), 0);
	check_int(world.runs, 1);
	world.answers = ours;
	check_int(run(m, KB_RUN_DEVICE, 2, &elapsed_ns), -KB_ERR_DEVICE);
	check_int(world.runs, 2);
}

TAP_MAIN(
	TAP(test_patience_goes_with_clock_and_calls),
	TAP(test_what_was_queued_once_is_waited_for),
	TAP(test_void_runs_are_made_again_with_other_inputs),
	TAP(test_what_is_always_void_is_at_fault),
	TAP(test_who_is_not_stopped_in_time_is_given_more),
	TAP(test_what_is_void_for_two_reasons_has_both),
	TAP(test_slow_runs_are_made_again_and_then_count),
	TAP(test_failures_end_it_at_once),
);
