#include "score/kernelbench.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "import/kernelbench_names.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/record.h"

#define NANO 1000000000

/* KernelBench's own files and what its own analysis says of them. */
#define GOLDEN "tests/golden/kernelbench"

static const struct {
	const char *name, *file;
} baselines[] = {
	{ "h100_modal_eager", "H100_Modal/baseline_time_torch.json" },
	{ "h100_modal_inductor",
	  "H100_Modal/baseline_time_torch_compile_inductor_default.json" },
	{ "h100_pcie_eager", "H100_PCIe_LambdaLabs/baseline_time_torch.json" },
	{ "h100_pcie_inductor",
	  "H100_PCIe_LambdaLabs/baseline_time_torch_compile_inductor_default.json" },
};

/* The file `dir`/`name` of the above. */
static struct kb_json *load(const char *dir, const char *name)
{
	const char *root = getenv("KB_SRC") ? getenv("KB_SRC") : ".";
	kb_auto(mem) char *path =
		kb_xasprintf("%s/" GOLDEN "/%s/%s", root, dir, name);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_json *v = NULL;

	if (kb_file_read(&text, AT_FDCWD, path, 1 << 24, &err) < 0 ||
	    kb_json_parse(&v, text.data, text.len, KB_JSON_FOREIGN, name,
			  &err) < 0)
		KB_BUG(err.msg);
	return v;
}

static const struct kb_json *member(const struct kb_json *v, const char *key)
{
	const struct kb_json *found = kb_json_find(v, key);

	if (!found)
		KB_BUG(key);
	return found;
}

static double number(const struct kb_json *v, const char *key)
{
	return kb_json_number_value(member(v, key));
}

static struct kb_json *load_baseline(const char *name)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(baselines); i++)
		if (!strcmp(baselines[i].name, name))
			return load("baselines", baselines[i].file);
	KB_BUG(name);
}

/* Sample 0 of a problem, which the results may lack. */
static void read_sample(struct kb_upstream_result *r,
			const struct kb_json *results, const char *name)
{
	char id[16];
	const struct kb_json *samples;

	snprintf(id, sizeof(id), "%.*s", (int)strcspn(name, "_"), name);
	samples = kb_json_find(results, id);
	for (const struct kb_json *v = samples ? kb_json_first(samples) : NULL;
	     v; v = kb_json_next(v)) {
		if (kb_json_int_value(member(v, "sample_id")))
			continue;
		r->compiled = kb_json_bool_value(member(v, "compiled"));
		r->correct = kb_json_bool_value(member(v, "correctness"));
		r->runtime_ms = number(v, "runtime");
	}
}

static void read_level(struct kb_upstream *u, const struct kb_json *info,
		       const char *name)
{
	char level[16];
	kb_auto(mem) char *dir = kb_xasprintf("score/%s", name);
	kb_auto(json) struct kb_json *results = load(dir, "eval_results.json");
	kb_auto(json) struct kb_json *names = load(".", "problem-names.json");
	kb_auto(json) struct kb_json *baseline =
		load_baseline(kb_json_string_value(member(info, "baseline")));

	snprintf(level, sizeof(level), "level%d",
		 (int)kb_json_int_value(member(info, "level")));
	for (const struct kb_json *v = kb_json_first(member(names, level)); v;
	     v = kb_json_next(v)) {
		struct kb_upstream_result r = { .runtime_ms = -1 };
		const char *problem = kb_json_string_value(v);
		const struct kb_json *time =
			kb_json_find(member(baseline, level), problem);

		read_sample(&r, results, problem);
		r.baseline_ms = time ? number(time, "mean") : 0;
		kb_upstream_add(u, &r);
	}
}

static void check_near(const char *what, double got, double want)
{
	if (!(fabs(got - want) <= 1e-9))
		tap_fail("%s is %.17g, want %.17g", what, got, want);
}

static void check_case(const char *name)
{
	static const char *const ps[] = { "0.0", "0.5", "0.8", "1.0", "1.5",
					  "2.0" };
	kb_auto(mem) char *dir = kb_xasprintf("score/%s", name);
	kb_auto(json) struct kb_json *info = load(dir, "case.json");
	const struct kb_json *want = member(info, "expected");
	struct kb_upstream u = { 0 };
	double n;

	printf("# %s\n", name);
	read_level(&u, info, name);
	n = (double)u.problems;
	check_int(u.problems, kb_json_int_value(member(want, "total_count")));
	check_int(u.compiled,
		  kb_json_int_value(member(want, "compiled_count")));
	check_int(u.correct, kb_json_int_value(member(want, "correct_count")));
	check_near("compilation_rate", (double)u.compiled / n,
		   number(want, "compilation_rate"));
	check_near("correctness_rate", (double)u.correct / n,
		   number(want, "correctness_rate"));
	check_near("geo_mean_speedup",
		   (double)kb_upstream_geomean(&u, NANO) / 1e9,
		   number(want, "geo_mean_speedup"));
	for (int i = 0; i < KB_FAST_COUNT; i++) {
		double rate = number(member(want, "fast_p"), ps[i]);

		check_near(ps[i], (double)u.fast[i] / (double)u.with_baseline,
			   rate);
		check_int(u.fast[i], llround(rate * (double)u.with_baseline));
	}
}

static void test_every_golden_vector(void)
{
	for (int i = 0; i < 14; i++) {
		char name[16];

		snprintf(name, sizeof(name), "case%02d", i);
		check_case(name);
	}
}

static const struct {
	struct kb_upstream_result results[4];
	size_t count;
	int64_t compiled, correct, with_baseline, fast[KB_FAST_COUNT];
	int64_t geomean_nano;
} levels[] = {
	{ .count = 0 },
	/* Nothing is correct: 0, not unknown. */
	{ { { true, false, 1, 1 } }, 1, 1, 0, 1, { 0 }, 0 },
	/* A tie is not faster than p. */
	{ { { true, true, 1, 1 }, { true, true, 1, 2 } }, 2, 2, 2, 2,
	  { 2, 2, 2, 1, 1, 0 }, 1414213562 },
	/* Without a baseline time it does not even count. */
	{ { { true, true, 1, 4 }, { true, true, 1, 0 } }, 2, 2, 2, 1,
	  { 1, 1, 1, 1, 1, 1 }, 4000000000 },
	/* Doubles: 2.1 / 1.4 is 1.5 and a little. */
	{ { { true, true, 1.4, 2.1 } }, 1, 1, 1, 1,
	  { 1, 1, 1, 1, 1, 0 }, 1500000000 },
	/* One without a time: no mean, and not even fast_0. */
	{ { { true, true, 1, 4 }, { true, true, -1, 4 } }, 2, 2, 2, 2,
	  { 1, 1, 1, 1, 1, 1 }, KB_UNKNOWN },
	/* Two of them: a mean again. */
	{ { { true, true, -1, 2 }, { true, true, -1, 8 } }, 2, 2, 2, 2,
	  { 0 }, 4000000000 },
};

static void test_what_upstream_makes_of_a_level(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(levels); i++) {
		struct kb_upstream u = { 0 };

		for (size_t j = 0; j < levels[i].count; j++)
			kb_upstream_add(&u, &levels[i].results[j]);
		check_int(u.problems, (int64_t)levels[i].count);
		check_int(u.compiled, levels[i].compiled);
		check_int(u.correct, levels[i].correct);
		check_int(u.with_baseline, levels[i].with_baseline);
		for (int p = 0; p < KB_FAST_COUNT; p++)
			check_int(u.fast[p], levels[i].fast[p]);
		check_int(kb_upstream_geomean(&u, NANO),
			  levels[i].geomean_nano);
	}
}

static void test_a_product_that_would_overflow_has_a_mean(void)
{
	struct kb_upstream u = { 0 };

	for (int i = 0; i < 1000; i++)
		kb_upstream_add(&u, &(struct kb_upstream_result){
					    true, true, 1, 1000 });
	check_int(kb_upstream_geomean(&u, NANO), INT64_C(1000) * 1000000000);
}

static void test_the_mean_of_levels_is_weighted_by_correct_ones(void)
{
	struct kb_upstream u[3] = { { 0 }, { 0 }, { 0 } };

	check_int(kb_upstream_mean_of_levels(u, 3, NANO), 0);
	for (int i = 0; i < 3; i++)
		kb_upstream_add(&u[0], &(struct kb_upstream_result){
					       true, true, 1, 2 });
	kb_upstream_add(&u[1],
			&(struct kb_upstream_result){ true, true, 1, 32 });
	/* (2^3 * 32)^(1/4); the level without a mean is left out. */
	kb_upstream_add(&u[2],
			&(struct kb_upstream_result){ true, true, -1, 32 });
	check_int(kb_upstream_mean_of_levels(u, 3, NANO), 4000000000);
	/* A correct one without a baseline weighs all the same. */
	kb_upstream_add(&u[1],
			&(struct kb_upstream_result){ true, true, 1, 0 });
	check_int(kb_upstream_mean_of_levels(u, 3, NANO), 6062866266);
}

/* Of which there are none before the first and behind the last. */
static void test_problems_have_their_names(void)
{
	kb_auto(json) struct kb_json *names = load(".", "problem-names.json");
	struct kb_key key = { 0 };

	check_int(kb_kernelbench_count(0), 0);
	for (const struct kb_json *l = kb_json_first(names); l;
	     l = kb_json_next(l)) {
		key = (struct kb_key){ key.level + 1, 0 };
		check(kb_kernelbench_name(key) == NULL);
		check_int(kb_kernelbench_count(key.level),
			  (int64_t)kb_json_count(l));
		for (const struct kb_json *v = kb_json_first(l); v;
		     v = kb_json_next(v)) {
			key.problem_id++;
			check_str(kb_kernelbench_name(key),
				  kb_json_string_value(v));
		}
		key.problem_id++;
		check(kb_kernelbench_name(key) == NULL);
	}
	check_int(key.level, 4);
	check_int(kb_kernelbench_count(5), 0);
}

TAP_MAIN(TAP(test_every_golden_vector),
	 TAP(test_problems_have_their_names),
	 TAP(test_what_upstream_makes_of_a_level),
	 TAP(test_a_product_that_would_overflow_has_a_mean),
	 TAP(test_the_mean_of_levels_is_weighted_by_correct_ones));
