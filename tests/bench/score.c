/*
 * For tools/bench: what scoring costs, by the number of results.
 *
 *	score metrics N		the metrics of N made-up verdicts, of each kind,
 *				one verdict after the other
 *	score bundles N PROBLEMS STORE FIXTURES
 *				an evaluation of N results of so many problems
 *				and its baseline, with the conditions of those
 *				in FIXTURES, and lines like their first but for
 *				times and seeds; prints the two ids
 *	score peak COMMAND...	run a command without its output
 *
 * The first and the last print milliseconds of processor time and KiB of peak
 * memory.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "measure/time_rule.h"
#include "score/kernelbench.h"
#include "score/metrics.h"
#include "store/bundle.h"

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void draw_verdict(struct kb_verdict *v, uint64_t *state)
{
	const int64_t candidate_ns = 1000 + next_random(state) % 10000000;
	const int64_t baseline_ns = 1000 + next_random(state) % 10000000;

	*v = (struct kb_verdict){ .line = KB_SCORE_LINE_INIT };
	v->compiled = true;
	v->line.has_intervals = true;
	v->line.status = next_random(state) % 8 ? KB_STATUS_CORRECT :
						  KB_STATUS_MISMATCH;
	v->line.baseline_ns = baseline_ns;
	v->line.baseline = (struct kb_interval){
		baseline_ns - baseline_ns / 100, baseline_ns + baseline_ns / 100
	};
	if (v->line.status != KB_STATUS_CORRECT)
		return;
	v->line.candidate_ns = candidate_ns;
	v->line.candidate = (struct kb_interval){
		candidate_ns - candidate_ns / 100,
		candidate_ns + candidate_ns / 100
	};
}

static double ms(const struct timeval *t)
{
	return (double)t->tv_sec * 1e3 + (double)t->tv_usec / 1e3;
}

static void tell(int who)
{
	struct rusage used;

	getrusage(who, &used);
	printf("%.1f %ld\n", ms(&used.ru_utime) + ms(&used.ru_stime),
	       used.ru_maxrss);
}

static int metrics(long count)
{
	struct kb_tally ours = KB_TALLY_INIT;
	struct kb_upstream theirs = { 0 };
	uint64_t state = 88172645463325252u;

	for (long i = 0; i < count; i++) {
		struct kb_verdict v;
		const struct kb_score_line *l = &v.line;

		draw_verdict(&v, &state);
		kb_tally_add(&ours, &v);
		kb_upstream_add(&theirs, &(struct kb_upstream_result){
			.compiled = v.compiled,
			.correct = l->status == KB_STATUS_CORRECT,
			.runtime_ms = (double)l->candidate_ns / 1e6,
			.baseline_ms = (double)l->baseline_ns / 1e6,
		});
	}
	kb_tally_end(&ours);
	/* Two ways to one number; and nothing here can be left out. */
	if (ours.metrics.geomean_speedup_micro !=
	    kb_upstream_geomean(&theirs, 1000000))
		return 4;
	tell(RUSAGE_SELF);
	return 0;
}

/* As many as the fixtures' policy has. */
#define TRIALS 3
#define ONE_CALLS 11

/* Runs of calls that take `ns` each, give or take. */
static struct kb_timing *draw_samples(int64_t ns, int one_calls,
				      uint64_t *state)
{
	struct kb_timing *t = kb_timing_new(KB_CLOCK_CALL, 1, 11);

	t->n_one_call = 1;
	t->stop_reason = KB_STOP_TRIALS;
	for (int i = 0; i < TRIALS; i++) {
		kb_timing_add(t, KB_SERIES_SMALL,
			      10000 + ns + next_random(state) % 100);
		kb_timing_add(t, KB_SERIES_LARGE,
			      10000 + 11 * ns + next_random(state) % 1000);
	}
	for (int i = 0; i < one_calls; i++)
		kb_timing_add(t, KB_SERIES_ONE_CALL,
			      300000 + ns + next_random(state) % 100);
	return t;
}

static struct kb_timing *draw_reference(int64_t ns, int one_calls,
					uint64_t *state)
{
	struct kb_timing *t = draw_samples(ns, one_calls, state);

	kb_time_decide(t, NULL);
	return t;
}

/* As many as `like` has, each there once. */
static struct kb_trial_seeds draw_seeds(const struct kb_trial_seeds *like,
					uint64_t *state)
{
	struct kb_trial_seeds seeds = { .count = 0 };
	char hex[65];

	while (seeds.count < like->count) {
		for (int i = 0; i < 4; i++)
			sprintf(hex + 16 * i, "%016" PRIx64,
				next_random(state));
		kb_trial_seeds_add(&seeds, hex);
	}
	return seeds;
}

/* A hundred problems a level, as KernelBench has them. */
static struct kb_key key_of(long problem)
{
	return (struct kb_key){ 1 + (int)(problem / 100) % KB_LEVEL_MAX,
				1 + (int)(problem / 100 / KB_LEVEL_MAX * 100 +
					  problem % 100) };
}

/* The record and the first line of a fixture; the caller frees both. */
static int read_fixture(struct kb_json **record, struct kb_json **line,
			const char *fixtures, const char *name,
			struct kb_err *err)
{
	kb_auto(mem) char *of_record = kb_xasprintf(
		"%s/%s/data/manifest.json", fixtures, name);
	kb_auto(mem) char *of_lines = kb_xasprintf("%s/%s/data/results.jsonl",
						   fixtures, name);
	kb_auto(buf) struct kb_buf a = KB_BUF_INIT, b = KB_BUF_INIT;
	int ret = kb_file_read(&a, AT_FDCWD, of_record, 1 << 20, err);

	if (ret == 0)
		ret = kb_file_read(&b, AT_FDCWD, of_lines, 1 << 20, err);
	if (ret == 0)
		ret = kb_json_parse(record, a.data, a.len, KB_JSON_CANONICAL,
				    of_record, err);
	return ret < 0 ? ret :
		kb_json_parse(line, b.data, strcspn(b.data, "\n"),
			      KB_JSON_CANONICAL, of_lines, err);
}

/* Which problems were selected is an option, too. */
static void select_problems(struct kb_conditions *c, const struct kb_key keys[],
			    size_t count)
{
	kb_auto(json) struct kb_json *was = c->options;
	kb_auto(buf) struct kb_buf list = KB_BUF_INIT;

	for (size_t i = 0; i < count; i++) {
		char key[KB_KEY_SIZE];

		kb_key_format(key, keys[i]);
		kb_buf_addf(&list, "%s%s", i ? "," : "", key);
	}
	c->options = kb_json_object();
	for (const struct kb_json *v = kb_json_first(was); v;
	     v = kb_json_next(v))
		if (strcmp(kb_json_key(v), "problems"))
			kb_json_set(c->options, kb_json_key(v),
				    kb_json_copy(v));
	kb_json_set_string(c->options, "problems", list.data);
}

static struct kb_key *make_keys(size_t count)
{
	struct kb_key *keys = kb_xcalloc(count, sizeof(*keys));

	for (size_t i = 0; i < count; i++)
		keys[i] = key_of((long)i);
	return keys;
}

/* All but times and seeds is that of the fixture's line, and stays: a million
 * copies would not fit the memory of small machines. So nothing is released. */
static int fill_evaluation(struct kb_evaluation *e, const char *fixtures,
			   long count, size_t problems, struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = NULL, *line = NULL;
	struct kb_result first;
	uint64_t state = 1;
	int ret = read_fixture(&record, &line, fixtures, "evaluation", err);

	if (ret == 0)
		ret = kb_evaluation_from_json(e, record, "evaluation", err);
	if (ret == 0)
		ret = kb_result_from_json(&first, line, "evaluation", err);
	if (ret < 0)
		return ret;
	e->problems = make_keys(problems);
	e->problem_count = problems;
	select_problems(&e->conditions, e->problems, problems);
	e->results = kb_xcalloc((size_t)count, sizeof(*e->results));
	e->result_count = (size_t)count;
	for (long i = 0; i < count; i++) {
		struct kb_result *r = &e->results[i];

		*r = first;
		r->key = key_of(i % (long)problems);
		r->sample_id = (int)(i / (long)problems);
		r->outcome.trial_seeds = draw_seeds(
			&first.outcome.trial_seeds, &state);
		r->timing = draw_samples(20000 + (int64_t)(next_random(&state) %
							   60000), ONE_CALLS,
					 &state);
		r->reference_timing = draw_reference(50000, ONE_CALLS, &state);
		kb_time_decide(r->timing, r->reference_timing);
	}
	return 0;
}

static int fill_baseline(struct kb_baseline *b, const char *fixtures,
			 size_t problems, struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = NULL, *line = NULL;
	struct kb_reference_result first;
	uint64_t state = 2;
	int ret = read_fixture(&record, &line, fixtures, "baseline", err);

	if (ret == 0)
		ret = kb_baseline_from_json(b, record, "baseline", err);
	if (ret == 0)
		ret = kb_reference_result_from_json(&first, line, "baseline",
						    err);
	if (ret < 0)
		return ret;
	b->problems = make_keys(problems);
	b->problem_count = b->result_count = problems;
	select_problems(&b->conditions, b->problems, problems);
	b->results = kb_xcalloc(problems, sizeof(*b->results));
	for (size_t i = 0; i < problems; i++) {
		b->results[i] = first;
		b->results[i].key = b->problems[i];
		b->results[i].outcome.trial_seeds = draw_seeds(
			&first.outcome.trial_seeds, &state);
		b->results[i].timing = draw_reference(50000, 0, &state);
	}
	return 0;
}

static int write_bundle(const char *store, struct kb_evaluation *e,
			struct kb_baseline *b, struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest id;
	int ret = kb_bundle_writer_new(&w, store, err);

	if (ret == 0)
		ret = e ? kb_evaluation_write(w, e, err) :
			  kb_baseline_write(w, b, err);
	if (ret == 0)
		ret = kb_bundle_writer_commit(w, &id, err);
	if (ret < 0)
		return ret;
	kb_digest_format(&id, hex);
	puts(hex);
	return 0;
}

static int bundles(long count, size_t problems, const char *store,
		   const char *fixtures)
{
	static struct kb_evaluation e = KB_EVALUATION_INIT;
	static struct kb_baseline b = KB_BASELINE_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (fill_evaluation(&e, fixtures, count, problems, &err) < 0 ||
	    fill_baseline(&b, fixtures, problems, &err) < 0 ||
	    write_bundle(store, &e, NULL, &err) < 0 ||
	    write_bundle(store, NULL, &b, &err) < 0) {
		fprintf(stderr, "score: %s\n", err.msg);
		return 4;
	}
	return 0;
}

static int peak(char *argv[])
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(null, STDOUT_FILENO);
		execv(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status)
		return 4;
	tell(RUSAGE_CHILDREN);
	return 0;
}

int main(int argc, char *argv[])
{
	if (argc == 3 && !strcmp(argv[1], "metrics"))
		return metrics(atol(argv[2]));
	if (argc == 6 && !strcmp(argv[1], "bundles"))
		return bundles(atol(argv[2]), (size_t)atol(argv[3]), argv[4],
			       argv[5]);
	if (argc > 2 && !strcmp(argv[1], "peak"))
		return peak(argv + 2);
	fputs("usage: score metrics N | bundles N PROBLEMS STORE FIXTURES | "
	      "peak COMMAND...\n", stderr);
	return 2;
}
