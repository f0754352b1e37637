/*
 * The CPU's measurement with a made-up clock: a worker here is what its runs
 * take.
 */

#include "measure/host_measurement.h"

#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/record.h"

#define US INT64_C(1000)
#define MS (1000 * US)
#define RUNS_MAX 4096

/* A side: what a run takes, of several calls and of one. */
struct model {
	int64_t once_ns;		/* whatever it has of calls */
	int64_t call_ns;		/* each */
	int64_t one_ns;			/* more, in a run of one call */
};

struct world {
	struct model side[KB_SIDE_COUNT];
	bool has_candidate;
	int fails_at;			/* this run, from 1; 0: none */
	int fault;			/* what it then returns */

	int count;
	struct kb_host_runs runs[RUNS_MAX];
};

static int64_t run_ns(const struct model *m, uint32_t calls)
{
	return m->once_ns + calls * m->call_ns + (calls == 1 ? m->one_ns : 0);
}

static int run(void *context, struct kb_host_runs *r, struct kb_fault *fault,
	       struct kb_err *err)
{
	struct world *w = context;

	if (w->count == RUNS_MAX)
		KB_BUG("more runs than anybody wants");
	if (r->one_by_one)
		check(r->calls >= 1 && r->calls <= KB_HOST_ONE_CALLS_MAX);
	for (int side = 0; side < KB_SIDE_COUNT; side++)
		for (uint32_t i = 0; i < (r->one_by_one ? r->calls : 1); i++)
			r->elapsed_ns[side][i] =
				run_ns(&w->side[side],
				       r->one_by_one ? 1 : r->calls);
	w->runs[w->count++] = *r;
	if (w->count != w->fails_at)
		return 1;
	if (w->fault)
		return kb_err(err, KB_ERR_SYS, "no");
	kb_fault_set(fault, KB_SIDE_CANDIDATE, KB_STATUS_MISMATCH,
		     KB_PHASE_RUN, "wrong");
	return 0;
}

/* One of the measurements of a test, with what it needs. */
struct rig {
	struct kb_policy policy;
	struct kb_alternate_rounds rounds;
	struct kb_host_measurement m;
	struct kb_fault fault;
	struct kb_err err;
	int64_t call_ns;
};

static void open_rig(struct rig *r, struct world *w, int64_t trials)
{
	*r = (struct rig){
		.policy = {
			.trials = trials,
			.batch_min_ns = 8 * MS,
			.batch_calls_max = 96,
			.tensor_bytes_max = 1 << 30,
		},
		.err = KB_ERR_INIT,
	};
	r->m = (struct kb_host_measurement){
		.policy = &r->policy, .rounds = &r->rounds, .context = w,
		.has_candidate = w->has_candidate, .run = run,
	};
}

/* The whole way. */
static int measure(struct rig *r)
{
	int ret = kb_host_warm_up(&r->m, &r->call_ns, &r->fault, &r->err);

	return ret <= 0 ? ret : kb_host_measure(&r->m, r->call_ns, &r->fault,
						&r->err);
}

/* Beside a reference of 10 us. However slow, it is tried on alternate inputs as
 * often as the policy says. */
static void test_few_trials_of_who_is_slow(void)
{
	static const struct {
		int64_t call_ns, factor;
		uint32_t least;		/* trials on alternate inputs */
		size_t trials;
		int large;
		enum kb_stop_reason reason;
	} all[] = {
		{ 600 * MS, 10, 0, 2, 2, KB_STOP_SLOW },
		{ 600 * MS, 10, 3, 2, 2, KB_STOP_SLOW },
		{ 30 * MS, 10, 0, 3, 2, KB_STOP_SLOW },
		/* a batch of 96 is shorter than a second */
		{ 10 * MS, 10, 0, 2, 96, KB_STOP_SLOW },
		{ 100 * US, 10, 0, 10, 96, KB_STOP_TRIALS },
		{ 10 * MS, 0, 0, 10, 96, KB_STOP_TRIALS },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		struct world w = {
			.side = { { 0, 10 * US, 0 },
				  { 0, all[i].call_ns, 0 } },
			.has_candidate = true,
		};
		uint32_t alternates = 0;
		struct rig r;

		open_rig(&r, &w, 10);
		r.policy.slow_factor = all[i].factor;
		r.rounds = (struct kb_alternate_rounds){
			.counted = 10, .least = all[i].least,
		};
		check_int(measure(&r), 1);
		for (int k = 0; k < w.count; k++)
			alternates += w.runs[k].alternate &&
				      !w.runs[k].one_by_one &&
				      w.runs[k].calls == 2;
		check(alternates >= all[i].least);
		for (int side = 0; side < KB_SIDE_COUNT; side++) {
			const struct kb_timing *t = r.m.timings[side];

			check_int((intmax_t)t->small_count,
				  (intmax_t)all[i].trials);
			check_int(t->n_large, all[i].large);
			check_int(t->stop_reason, all[i].reason);
		}
		check_int(r.m.timings[1]->time_ns, all[i].call_ns);
		kb_host_measurement_release(&r.m);
	}
}

static void test_runs_of_one_call_fit_a_quarter_of_a_second(void)
{
	static const struct {
		int64_t call_ns;
		uint32_t runs;
	} cases[] = {
		{ -1, 31 }, { 0, 31 }, { 1, 31 }, { 50 * US, 31 },
		{ 8 * MS, 31 }, { 10 * MS, 25 }, { 20 * MS, 12 },
		{ 22 * MS, 11 }, { 25 * MS, 11 }, { 10000 * MS, 11 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int(kb_host_one_calls(cases[i].call_ns), cases[i].runs);
}

/* Sizes follow from the faster of the two, overhead included. */
static void test_how_many_calls_a_run_has(void)
{
	static const struct {
		const char *what;
		struct model reference, candidate;
		uint64_t call_bytes;
		int small, large;
	} cases[] = {
		{ "microseconds", { 80 * US, 10 * US, 0 },
		  { 80 * US, 10 * US, 0 }, 1, 32, 96 },
		{ "a faster candidate", { 0, 1 * MS, 0 }, { 0, 500 * US, 0 }, 1,
		  8, 24 },
		{ "a slower one", { 0, 500 * US, 0 }, { 0, 1 * MS, 0 }, 1, 8,
		  24 },
		{ "long calls", { 0, 9 * MS, 0 }, { 0, 9 * MS, 0 }, 1, 1, 2 },
		{ "room for two", { 0, 10 * US, 0 }, { 0, 10 * US, 0 },
		  1 << 29, 1, 2 },
		{ "room for one", { 0, 10 * US, 0 }, { 0, 10 * US, 0 },
		  1 << 30, 0, 1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct world w = {
			.side = { cases[i].reference, cases[i].candidate },
			.has_candidate = true,
		};
		struct rig r;

		open_rig(&r, &w, 3);
		r.m.call_bytes = cases[i].call_bytes;
		check_int(measure(&r), 1);
		for (int side = 0; side < KB_SIDE_COUNT; side++) {
			check_int(r.m.timings[side]->n_small, cases[i].small);
			check_int(r.m.timings[side]->n_large, cases[i].large);
		}
		/* Only calls so short that caches matter are warmed. */
		for (int k = 0; k < w.count; k++)
			check_int(w.runs[k].warms, w.runs[k].one_by_one &&
				  cases[i].large > 2);
		kb_host_measurement_release(&r.m);
		if (tap_failed)
			printf("# in: %s\n", cases[i].what);
	}
}

/* How often, and when to stop: by the policy alone, never by the times. */
static void test_how_many_runs_are_made(void)
{
	static const struct {
		const char *what;
		bool has_candidate;
		int64_t trials;
		struct model model;
		size_t batches, one_calls;
	} cases[] = {
		{ "beside a candidate", true, 7, { 0, 10 * US, 0 }, 7, 31 },
		{ "more trials than runs of one call", true, 50,
		  { 0, 10 * US, 0 }, 50, 31 },
		{ "long calls", true, 7, { 0, 30 * MS, 0 }, 7, 11 },
		{ "a reference alone", false, 7, { 0, 10 * US, 0 }, 7, 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct world w = {
			.side = { cases[i].model, cases[i].model },
			.has_candidate = cases[i].has_candidate,
		};
		struct kb_timing *t;
		struct rig r;

		open_rig(&r, &w, cases[i].trials);
		check_int(measure(&r), 1);
		check_int(!!r.m.timings[KB_SIDE_CANDIDATE],
			  cases[i].has_candidate);
		for (int side = 0; side < KB_SIDE_COUNT; side++) {
			t = r.m.timings[side];
			if (!t)
				continue;
			check_int(t->small_count, cases[i].batches);
			check_int(t->large_count, cases[i].batches);
			check_int(t->one_call_count, cases[i].one_calls);
			check_int(t->alone_count, 0);
			check_int(t->copy_in_small_ns, KB_UNKNOWN);
			check_int(t->stop_reason, KB_STOP_TRIALS);
		}
		kb_host_measurement_release(&r.m);
		if (tap_failed)
			printf("# in: %s\n", cases[i].what);
	}
}

static void test_what_decides(void)
{
	static const struct {
		const char *what;
		struct model reference, candidate;
		int64_t time_ns;
		enum kb_basis basis;
	} cases[] = {
		{ "the same code", { 80 * US, 100 * US, 0 },
		  { 80 * US, 100 * US, 0 }, 100 * US, KB_BASIS_SLOPE },
		{ "twice as fast", { 80 * US, 100 * US, 0 },
		  { 80 * US, 50 * US, 0 }, 50 * US, KB_BASIS_SLOPE },
		{ "a little slower to start", { 80 * US, 100 * US, 0 },
		  { 90 * US, 95 * US, 0 }, 95 * US, KB_BASIS_SLOPE },
		/* Of several calls each takes a tenth; the bound has its
		 * slack on top. */
		{ "calls made as one", { 80 * US, 100 * US, 0 },
		  { 80 * US, 10 * US, 90 * US }, 120 * US, KB_BASIS_ONE_CALL },
		{ "and one of them faster", { 80 * US, 100 * US, 0 },
		  { 80 * US, 10 * US, 40 * US }, 70 * US, KB_BASIS_ONE_CALL },
		/* What is paid once does not make a time. */
		{ "less to start", { 80 * US, 100 * US, 0 },
		  { 0, 100 * US, 0 }, 100 * US, KB_BASIS_SLOPE },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct world w = {
			.side = { cases[i].reference, cases[i].candidate },
			.has_candidate = true,
		};
		const struct kb_timing *t, *reference;
		struct rig r;

		open_rig(&r, &w, 7);
		check_int(measure(&r), 1);
		t = r.m.timings[KB_SIDE_CANDIDATE];
		reference = r.m.timings[KB_SIDE_REFERENCE];
		check_int(t->time_ns, cases[i].time_ns);
		check_int(t->basis, cases[i].basis);
		check_int(reference->time_ns, cases[i].reference.call_ns);
		check_int(reference->basis, KB_BASIS_SLOPE);
		kb_host_measurement_release(&r.m);
		if (tap_failed)
			printf("# in: %s\n", cases[i].what);
	}
}

/* An alternate trial is to the candidate what the next one is, and no sample. */
static void test_alternate_trials_look_like_others(void)
{
	const struct model model = { 80 * US, 10 * US, 0 };
	struct world w = { .side = { model, model }, .has_candidate = true };
	int others = 0, pattern = 0;
	struct rig r;

	open_rig(&r, &w, 7);
	check_int(kb_alternate_rounds_draw(&r.rounds, 7, 3, &r.err), 0);
	check_int(measure(&r), 1);
	check_int(r.m.timings[KB_SIDE_CANDIDATE]->small_count, 7);
	check_int(r.m.timings[KB_SIDE_CANDIDATE]->one_call_count, 31);
	for (int i = KB_HOST_WARM_UPS; i < w.count; i++) {
		const struct kb_host_runs *x = &w.runs[i];
		const int place = (i - KB_HOST_WARM_UPS) % 3;

		/* Small, large, one by one, over and over. */
		pattern += x->calls == (place == 0 ? 32 : 96) && !x->one_by_one;
		pattern += place == 2 && x->one_by_one && x->calls >= 4 &&
			   x->calls <= 5;
		others += x->alternate;
	}
	check_int(pattern, w.count - KB_HOST_WARM_UPS);
	check(others >= 9 && others % 3 == 0);
	kb_host_measurement_release(&r.m);
}

/* Where memory allows few slots, few calls are made in a row. */
static void test_runs_in_a_row_have_slots(void)
{
	const struct model model = { 80 * US, 10 * US, 0 };
	struct world w = { .side = { model, model }, .has_candidate = true };
	struct rig r;

	open_rig(&r, &w, 7);
	r.m.call_bytes = 1 << 29;
	check_int(measure(&r), 1);
	for (int i = 0; i < w.count; i++)
		check(w.runs[i].calls <= 2);
	check_int(r.m.timings[KB_SIDE_CANDIDATE]->one_call_count, 31);
	kb_host_measurement_release(&r.m);
}

static void test_the_first_failure_ends_it(void)
{
	static const struct {
		int fails_at, fault, ret;
	} cases[] = {
		{ 1, 0, 0 }, { 2, 0, 0 }, { 3, 0, 0 }, { 4, 0, 0 },
		{ 5, 0, 0 }, { 20, 0, 0 },
		{ 1, 1, -KB_ERR_SYS }, { 4, 1, -KB_ERR_SYS },
		{ 5, 1, -KB_ERR_SYS },
	};
	const struct model model = { 80 * US, 10 * US, 0 };

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct world w = {
			.side = { model, model }, .has_candidate = true,
			.fails_at = cases[i].fails_at,
			.fault = cases[i].fault,
		};
		struct rig r;

		open_rig(&r, &w, 7);
		check_int(measure(&r), cases[i].ret);
		check_int(w.count, cases[i].fails_at);
		if (!cases[i].ret)
			check_int(r.fault.side, KB_SIDE_CANDIDATE);
		kb_host_measurement_release(&r.m);
	}
}

TAP_MAIN(
	TAP(test_few_trials_of_who_is_slow),
	TAP(test_runs_of_one_call_fit_a_quarter_of_a_second),
	TAP(test_how_many_calls_a_run_has),
	TAP(test_how_many_runs_are_made),
	TAP(test_what_decides),
	TAP(test_alternate_trials_look_like_others),
	TAP(test_runs_in_a_row_have_slots),
	TAP(test_the_first_failure_ends_it),
);
