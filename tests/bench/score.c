/*
 * For tools/bench: what scoring costs, by the number of results.
 *
 *	score metrics N		the metrics of N made-up verdicts, of each kind,
 *				one verdict after the other
 *	score bundles N PROBLEMS STORE
 *				an evaluation of N results of so many problems
 *				and its baseline, made up; prints the two ids
 *	score peak COMMAND...	run a command without its output
 *
 * The first and the last print milliseconds of processor time and KiB of peak
 * memory.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/tool.h"
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

#define TRIALS 5

/* A time of `ns` a call, give or take. */
static struct kb_timing *draw_timing(int64_t ns, uint64_t *state)
{
	struct kb_timing *t = kb_timing_new(KB_CLOCK_CALL, 1, 11);

	for (int i = 0; i < TRIALS; i++) {
		kb_timing_add(t, KB_SERIES_SMALL,
			      10000 + ns + next_random(state) % 100);
		kb_timing_add(t, KB_SERIES_LARGE,
			      10000 + 11 * ns + next_random(state) % 1000);
	}
	kb_time_decide(t, NULL);
	return t;
}

/* A hundred problems a level, as KernelBench has them. */
static struct kb_key key_of(long problem)
{
	return (struct kb_key){ 1 + (int)(problem / 100) % KB_LEVEL_MAX,
				1 + (int)(problem / 100 / KB_LEVEL_MAX * 100 +
					  problem % 100) };
}

static void fill_conditions(struct kb_conditions *c)
{
	static const char *const sections[] = { "cpu", "os", "python", "torch",
						"compiler", "isolation" };
	struct kb_json *device = kb_json_object();

	c->tool = kb_tool_json("bench");
	c->options = kb_json_object();
	c->match_key = kb_json_object();
	c->policy = kb_json_object();
	c->environment = kb_json_object();
	kb_json_set_string(device, "kind", "cpu");
	kb_json_set(c->environment, "device", device);
	for (size_t i = 0; i < KB_ARRAY_LEN(sections); i++)
		kb_json_set(c->environment, sections[i],
			    kb_unavailable("made up"));
}

static void fill(struct kb_evaluation *e, struct kb_baseline *b, long count,
		 size_t problems)
{
	uint64_t state = 1;

	fill_conditions(&e->conditions);
	fill_conditions(&b->conditions);
	e->problems = kb_xcalloc(problems, sizeof(*e->problems));
	b->problems = kb_xcalloc(problems, sizeof(*b->problems));
	b->results = kb_xcalloc(problems, sizeof(*b->results));
	e->results = kb_xcalloc((size_t)count, sizeof(*e->results));
	e->problem_count = b->problem_count = b->result_count = problems;
	e->result_count = (size_t)count;
	for (size_t i = 0; i < problems; i++) {
		struct kb_reference_result *r = &b->results[i];

		*r = (struct kb_reference_result)KB_REFERENCE_RESULT_INIT;
		r->key = e->problems[i] = b->problems[i] = key_of((long)i);
		r->outcome.status = KB_STATUS_TIMED;
		r->timing = draw_timing(50000, &state);
	}
	for (long i = 0; i < count; i++) {
		struct kb_result *r = &e->results[i];

		*r = (struct kb_result)KB_RESULT_INIT;
		r->key = key_of(i % (long)problems);
		r->sample_id = (int)(i / (long)problems);
		r->outcome.status = KB_STATUS_CORRECT;
		r->timing = draw_timing(20000 + (int64_t)(next_random(&state) %
							  60000), &state);
		r->reference_timing = draw_timing(50000, &state);
	}
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

static int bundles(long count, size_t problems, const char *store)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(baseline) struct kb_baseline b = KB_BASELINE_INIT;
	struct kb_err err = KB_ERR_INIT;

	fill(&e, &b, count, problems);
	if (write_bundle(store, &e, NULL, &err) < 0 ||
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
	if (argc == 5 && !strcmp(argv[1], "bundles"))
		return bundles(atol(argv[2]), (size_t)atol(argv[3]), argv[4]);
	if (argc > 2 && !strcmp(argv[1], "peak"))
		return peak(argv + 2);
	fputs("usage: score metrics N | bundles N PROBLEMS STORE | "
	      "peak COMMAND...\n", stderr);
	return 2;
}
