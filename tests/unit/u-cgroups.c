#include "worker/cgroup_files.h"

#include <string.h>

#include "base/alloc.h"
#include "lib/tap.h"

/* --- what the files say ------------------------------------------------ */

static const struct {
	const char *text, *word;
	bool has;
} words[] = {
	{ "", "memory", false },
	{ "\n", "memory", false },
	{ "memory\n", "memory", true },
	{ "memory", "memory", true },
	{ "cpuset cpu io memory pids\n", "pids", true },
	{ "cpuset cpu io memory pids\n", "cpu", true },
	{ "cpuset cpu io memory pids\n", "set", false },
	{ "memory_recursive\n", "memory", false },
	{ "mem\n", "memory", false },
};

static void test_words_are_whole_ones(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(words); i++)
		check_int(kb_cgroup_has_word(words[i].text,
					     strlen(words[i].text),
					     words[i].word), words[i].has);
}

static const struct {
	const char *text, *name;
	uint64_t count;
} counts[] = {
	{ "", "oom", 0 },
	{ "oom", "oom", 0 },
	{ "oom \n", "oom", 0 },
	{ "oom 3", "oom", 3 },
	{ "low 0\nhigh 0\nmax 71\noom 2\noom_kill 5\n", "oom", 2 },
	{ "low 0\nhigh 0\nmax 71\noom 2\noom_kill 5\n", "oom_kill", 5 },
	{ "low 0\nhigh 0\nmax 71\noom 2\noom_kill 5\n", "kill", 0 },
	{ "oom many\n", "oom", 0 },
	{ "oom 99999999999999999999\n", "oom", 0 },
};

static void test_counts_are_those_of_their_name(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(counts); i++)
		check_int((long long)kb_cgroup_count(counts[i].text,
						     strlen(counts[i].text),
						     counts[i].name),
			  (long long)counts[i].count);
}

TAP_MAIN(
	TAP(test_words_are_whole_ones),
	TAP(test_counts_are_those_of_their_name),
);
