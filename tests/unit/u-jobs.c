#include "crew/jobs.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "manifest/record.h"

static struct kb_key key_of(int problem)
{
	return (struct kb_key){ .level = problem ? 1 : 0, .problem_id = problem };
}

/* So many jobs of problems 1, 2, ..., each with a build of its own. */
static void fill(struct kb_jobs *j, const int counts[], const int64_t call_ns[])
{
	size_t build = 0;

	for (int i = 0; counts[i]; i++) {
		struct kb_job_group *g = kb_jobs_add_group(
			j, key_of(i + 1), call_ns ? call_ns[i] : KB_UNKNOWN);

		for (int k = 0; k < counts[i]; k++) {
			struct kb_job *job = kb_jobs_add(j, g, 0, 1);

			job->builds[job->build_count++] = build++;
		}
	}
}

/* Ready is what has not the build that is hidden. */
static bool is_ready(void *context, const struct kb_job *job)
{
	const char *hidden = context;

	return !hidden || !strchr(hidden, 'a' + (char)job->builds[0]);
}

/* As letters, by their builds; "-" is none. */
static void take(struct kb_buf *out, struct kb_jobs *j, int current,
		 char *hidden)
{
	const struct kb_job *job = kb_jobs_next(j, key_of(current), is_ready,
						hidden);

	kb_buf_addch(out, job ? (char)('a' + (char)job->builds[0]) : '-');
}

static void test_nothing_to_do(void)
{
	kb_auto(jobs) struct kb_jobs j = KB_JOBS_INIT;
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
	struct kb_job **order;

	kb_jobs_sort(&j);
	take(&got, &j, 0, NULL);
	take(&got, &j, 1, NULL);
	check_str(got.data, "--");
	order = kb_jobs_order(&j, 3);
	check(!order[0]);
	free(order);
}

static const struct {
	int counts[8];
	const char *currents;		/* of who asks, one after the other */
	char *hidden;
	const char *want;
} choices[] = {
	/* one lane goes through them in order */
	{ { 2, 1, 1 }, "0112333", NULL, "abcd---" },
	/* each gets a problem of its own; then where most is left */
	{ { 2, 4 }, "001222", NULL, "acbdef" },
	{ { 2, 4 }, "0011", NULL, "acbd" },
	{ { 3, 3, 1 }, "000", NULL, "adg" },
	{ { 1, 5, 3 }, "0001", NULL, "abgc" },
	/* what is not ready is passed by */
	{ { 2, 2 }, "01", (char[]){ "a" }, "bc" },
	{ { 1, 1 }, "00", (char[]){ "a" }, "b-" },
	{ { 2, 2 }, "0000", (char[]){ "abcd" }, "----" },
};

static void test_who_gets_what(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(choices); i++) {
		kb_auto(jobs) struct kb_jobs j = KB_JOBS_INIT;
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;

		fill(&j, choices[i].counts, NULL);
		for (const char *c = choices[i].currents; *c; c++)
			take(&got, &j, *c - '0', choices[i].hidden);
		check_str(got.data, choices[i].want);
	}
}

static void test_the_longest_come_first(void)
{
	static const int counts[] = { 1, 1, 1, 1, 1, 0 };
	static const int64_t call_ns[] = { 5, KB_UNKNOWN, 9, 5, 0 };
	kb_auto(jobs) struct kb_jobs j = KB_JOBS_INIT;
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;

	fill(&j, counts, call_ns);
	kb_jobs_sort(&j);
	for (int i = 0; i < 6; i++)
		take(&got, &j, 0, NULL);
	check_str(got.data, "cadeb-");
}

static void test_order_of_builds(void)
{
	static const struct {
		size_t lanes;
		const char *want;
	} rows[] = {
		{ 1, "abcdef" }, { 2, "adbcef" }, { 3, "adebfc" },
		{ 9, "adebfc" },
	};
	static const int counts[] = { 3, 1, 2, 0 };

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(jobs) struct kb_jobs j = KB_JOBS_INIT;
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
		struct kb_job **order;

		fill(&j, counts, NULL);
		order = kb_jobs_order(&j, rows[i].lanes);
		for (size_t k = 0; k < j.count; k++)
			kb_buf_addch(&got, (char)('a' +
				     (char)order[k]->builds[0]));
		check_str(got.data, rows[i].want);
		free(order);
	}
}

static void test_what_was_lost_comes_again(void)
{
	static const int counts[] = { 3, 0 };
	kb_auto(jobs) struct kb_jobs j = KB_JOBS_INIT;
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
	struct kb_job *lost;

	fill(&j, counts, NULL);
	lost = kb_jobs_next(&j, key_of(0), is_ready, NULL);
	take(&got, &j, 1, NULL);
	kb_jobs_put_back(&j, lost);
	for (int i = 0; i < 3; i++)
		take(&got, &j, 1, NULL);
	check_str(got.data, "bac-");
}

static void test_what_could_be_given_is_counted(void)
{
	kb_auto(jobs) struct kb_jobs j = KB_JOBS_INIT;
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;

	fill(&j, (const int[]){ 2, 1, 3, 0 }, NULL);
	check_int(kb_jobs_count(&j, 9, is_ready, NULL), 6);
	check_int(kb_jobs_count(&j, 6, is_ready, NULL), 6);
	check_int(kb_jobs_count(&j, 5, is_ready, NULL), 5);
	check_int(kb_jobs_count(&j, 0, is_ready, NULL), 0);
	check_int(kb_jobs_count(&j, 9, is_ready, (char[]){ "ade" }), 3);
	take(&got, &j, 0, NULL);
	check_int(kb_jobs_count(&j, 9, is_ready, (char[]){ "ade" }), 3);
	check_int(kb_jobs_count(&j, 9, is_ready, NULL), 5);
}

/* Jobs as they come: of each its problem, and '+' for a high priority before it.
 * Then who asks, and '-' for the removal of the first that is not out. */
static const struct {
	const char *added, *currents, *want;
} streams[] = {
	{ "1122", "0112", "abcd" },
	/* the first that came, and then its problem's */
	{ "121212", "011122", "acebdf" },
	/* so many in a row, and then who waits */
	{ "111111211", "0111111112", "abcdefhgi-" },
	{ "11111111", "01111111", "abcdefgh" },
	/* so many for each of two lanes, and then who waits */
	{ "1231111111122222222", "001212121212121", "abdlemfngohpiqc" },
	/* a higher priority first, the same problem's before others of it */
	{ "11+22+2", "02211", "cedab" },
	{ "12+1", "01", "ca" },
	/* what nobody wants any more */
	{ "112", "-011", "bc-" },
	{ "1212", "0-12", "abd" },
};

static void add_stream(struct kb_jobs *j, const char *added)
{
	size_t build = 0;
	int priority = 0;

	for (; *added; added++) {
		struct kb_job_group *g;
		struct kb_job *job;

		if (*added == '+') {
			priority = 1;
			continue;
		}
		g = kb_jobs_find_group(j, key_of(*added - '0'));
		if (!g)
			g = kb_jobs_add_group(j, key_of(*added - '0'), KB_UNKNOWN);
		job = kb_jobs_add(j, g, 0, 1);
		job->builds[job->build_count++] = build++;
		job->priority = priority;
		priority = 0;
	}
}

static void remove_first(struct kb_jobs *j)
{
	for (size_t i = 0; i < j->group_count; i++)
		for (size_t k = 0; k < j->groups[i].count; k++)
			if (!j->groups[i].jobs[k]->is_out) {
				kb_jobs_remove(j, j->groups[i].jobs[k]);
				return;
			}
}

static void test_jobs_come_while_others_are_done(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(streams); i++) {
		kb_auto(jobs) struct kb_jobs j = KB_JOBS_INIT;
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;

		j.in_a_row_max = 7;
		add_stream(&j, streams[i].added);
		for (const char *c = streams[i].currents; *c; c++) {
			if (*c == '-')
				remove_first(&j);
			else
				take(&got, &j, *c - '0', NULL);
		}
		check_str(got.data, streams[i].want);
	}
}

static void test_a_job_that_is_done_is_removed(void)
{
	static const int counts[] = { 3, 0 };
	kb_auto(jobs) struct kb_jobs j = KB_JOBS_INIT;
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
	struct kb_job *done;

	fill(&j, counts, NULL);
	done = kb_jobs_next(&j, key_of(0), is_ready, NULL);
	take(&got, &j, 1, NULL);
	kb_jobs_remove(&j, done);
	check(j.count == 2 && j.out_count == 1 && kb_jobs_left(&j) == 1);
	take(&got, &j, 1, NULL);
	check_str(got.data, "bc");
}

TAP_MAIN(
	TAP(test_nothing_to_do),
	TAP(test_who_gets_what),
	TAP(test_the_longest_come_first),
	TAP(test_order_of_builds),
	TAP(test_what_was_lost_comes_again),
	TAP(test_what_could_be_given_is_counted),
	TAP(test_jobs_come_while_others_are_done),
	TAP(test_a_job_that_is_done_is_removed)
);
