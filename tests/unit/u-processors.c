#include "crew/processors.h"

#include "base/alloc.h"
#include "lib/tap.h"

/* In place of libc's: what the kernel was told, and so many processors at
 * first, every second one. */
static cpu_set_t now;

static void set_processors(int count)
{
	CPU_ZERO(&now);
	for (int i = 0; i < count; i++)
		CPU_SET(2 * i + 1, &now);
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	check_int(pid, 0);
	check_int(size, sizeof(*set));
	*set = now;
	return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	check_int(pid, 0);
	check_int(size, sizeof(*set));
	now = *set;
	return 0;
}

static void test_builds_keep_off_the_first(void)
{
	static const struct {
		int count;
		size_t kept_off;
		int left, first;
	} cases[] = {
		{ 8, 0, 8, 1 }, { 8, 1, 7, 3 }, { 8, 6, 2, 13 },
		{ 8, 7, 1, 15 },
		/* none would be left */
		{ 8, 8, 8, 1 }, { 8, 9, 8, 1 }, { 1, 1, 1, 1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_processors p = KB_PROCESSORS_INIT;

		set_processors(cases[i].count);
		kb_processors_note(&p);
		kb_processors_keep_off(&p, cases[i].kept_off);
		check_int(CPU_COUNT(&now), cases[i].left);
		check(CPU_ISSET(cases[i].first, &now));
	}
}

static void test_lanes_have_three_each_where_there_are_many(void)
{
	static const struct {
		size_t processors, lanes, to_time;
	} cases[] = {
		{ 16, 1, 3 }, { 9, 1, 3 }, { 8, 1, 3 }, { 7, 1, 2 },
		{ 2, 1, 2 }, { 1, 1, 2 },
		{ 64, 4, 12 }, { 32, 4, 12 }, { 31, 4, 8 }, { 128, 8, 24 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int(kb_processors_to_time(cases[i].processors,
						cases[i].lanes),
			  cases[i].to_time);
}

static void test_lanes_get_all_of_them_back(void)
{
	struct kb_processors p = KB_PROCESSORS_INIT;
	cpu_set_t before;

	set_processors(8);
	before = now;
	kb_processors_restore(&p);
	check(CPU_EQUAL(&now, &before));
	kb_processors_note(&p);
	kb_processors_keep_off(&p, 5);
	kb_processors_restore(&p);
	check(CPU_EQUAL(&now, &before));
}

TAP_MAIN(
	TAP(test_builds_keep_off_the_first),
	TAP(test_lanes_have_three_each_where_there_are_many),
	TAP(test_lanes_get_all_of_them_back),
);
