#include "score/at_k.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "json/json.h"
#include "lib/tap.h"

/* Borrowed from an object. */
static const struct kb_json *member(const struct kb_json *v, const char *key)
{
	const struct kb_json *found = kb_json_find(v, key);

	if (!found)
		KB_BUG(key);
	return found;
}

static void check_golden(const struct kb_json *v)
{
	const int64_t n = kb_json_int_value(member(v, "n"));
	const int64_t c = kb_json_int_value(member(v, "c"));
	const int64_t k = kb_json_int_value(member(v, "k"));
	kb_auto(mem) char *want = kb_xasprintf(
		"%s/%s", kb_json_string_value(member(v, "numerator")),
		kb_json_string_value(member(v, "denominator")));
	const double rate = kb_json_number_value(member(v, "pass_at_k"));
	struct kb_share got;

	kb_at_k_mean(&got, &n, &c, 1, k);
	check_str(got.exact, want);
	check(fabs((double)got.ppm / 1e6 - rate) <= 0.5e-6 + 1e-12);
	kb_share_release(&got);
}

static void test_every_golden_vector(void)
{
	const char *root = getenv("KB_SRC") ? getenv("KB_SRC") : ".";
	kb_auto(mem) char *path =
		kb_xasprintf("%s/tests/golden/kernelbench/passk.json", root);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(json) struct kb_json *all = NULL;
	struct kb_err err = KB_ERR_INIT;

	if (kb_file_read(&text, AT_FDCWD, path, 1 << 20, &err) < 0 ||
	    kb_json_parse(&all, text.data, text.len, KB_JSON_FOREIGN, path,
			  &err) < 0)
		KB_BUG(err.msg);
	check_int(kb_json_count(all), 159);
	for (const struct kb_json *v = kb_json_first(all); v;
	     v = kb_json_next(v))
		check_golden(v);
}

static const struct {
	size_t count;
	int64_t samples[4], right[4], k;
	const char *exact;
	int64_t ppm;
} means[] = {
	{ 0, { 0 }, { 0 }, 1, "0/1", 0 },
	{ 1, { 0 }, { 0 }, 1, "0/1", 0 },	/* nothing was tried */
	{ 2, { 2, 3 }, { 1, 0 }, 1, "1/4", 250000 },
	{ 2, { 2, 3 }, { 1, 1 }, 1, "5/12", 416667 },
	{ 2, { 2, 3 }, { 1, 1 }, 2, "5/6", 833333 },
	{ 3, { 2, 0, 2 }, { 2, 0, 1 }, 2, "2/3", 666667 },
	{ 3, { 4, 4, 4 }, { 1, 2, 1 }, 2, "11/18", 611111 },
	{ 4, { 5, 5, 7, 7 }, { 5, 5, 7, 7 }, 5, "1/1", 1000000 },
	{ 2, { 200, 100 }, { 1, 0 }, 100, "1/4", 250000 },
};

static void test_means_over_problems(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(means); i++) {
		struct kb_share got;

		kb_at_k_mean(&got, means[i].samples, means[i].right,
			     means[i].count, means[i].k);
		check_str(got.exact, means[i].exact);
		check_int(got.ppm, means[i].ppm);
		kb_share_release(&got);
	}
}

static void check_ks(const struct kb_tries tries[], size_t count, size_t want,
		     int last)
{
	struct kb_at_k got[KB_AT_K_COUNT];
	size_t n = kb_at_k_of(got, tries, count);

	check_int(n, want);
	if (n)
		check_int(got[n - 1].k, last);
	for (size_t i = 0; i < n; i++)
		kb_at_k_release(&got[i]);
}

static void test_k_is_what_every_problem_with_samples_has(void)
{
	static const struct kb_tries tries[] = {
		{ .samples = 100 }, { .samples = 0 }, { .samples = 10 },
		{ .samples = 1 },
	};

	check_ks(tries, 0, 0, 0);
	check_ks(tries, 1, 7, 100);
	check_ks(tries, 2, 7, 100);
	check_ks(tries, 3, 4, 10);
	check_ks(tries, 4, 1, 1);
	check_ks(tries + 1, 1, 0, 0);
}

static void test_too_many_different_numbers_of_samples_have_none(void)
{
	static struct kb_tries tries[KB_AT_K_SIZES + 1];

	for (int i = 0; i <= KB_AT_K_SIZES; i++)
		tries[i].samples = 1 + i;
	check_ks(tries, KB_AT_K_SIZES, 1, 1);
	check_ks(tries, KB_AT_K_SIZES + 1, 0, 0);
}

static void test_fast_at_k_counts_the_fast_ones(void)
{
	static const struct kb_tries tries[] = {
		{ .samples = 4, .correct = 4, .fast = { 4, 3, 2, 1, 0, 0 } },
	};
	static const char *const want[KB_FAST_COUNT] = {
		"1/1", "1/1", "5/6", "1/2", "0/1", "0/1",
	};
	struct kb_at_k got[KB_AT_K_COUNT];
	size_t n = kb_at_k_of(got, tries, 1);

	check_int(n, 2);
	check_int(got[1].k, 2);
	check_str(got[1].pass.exact, "1/1");
	for (int p = 0; p < KB_FAST_COUNT; p++)
		check_str(got[1].fast[p].exact, want[p]);
	for (size_t i = 0; i < n; i++)
		kb_at_k_release(&got[i]);
}

TAP_MAIN(TAP(test_every_golden_vector),
	 TAP(test_means_over_problems),
	 TAP(test_k_is_what_every_problem_with_samples_has),
	 TAP(test_too_many_different_numbers_of_samples_have_none),
	 TAP(test_fast_at_k_counts_the_fast_ones));
