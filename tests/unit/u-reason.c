#include "worker/reason.h"

#include <string.h>

#include "base/alloc.h"
#include "json/utf8.h"
#include "lib/tap.h"

typedef bool find_fn(char out[KB_REASON_SIZE], const char *log, size_t len);

struct row {
	const char *log, *want;		/* NULL: it does not say */
};

static void check_rows(find_fn *find, const struct row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char out[KB_REASON_SIZE] = "as before";
		const bool found = find(out, rows[i].log, strlen(rows[i].log));

		check_str(out, rows[i].want ? rows[i].want : "as before");
		check(found == !!rows[i].want);
	}
}

#define CHECK(find, rows) check_rows(find, rows, KB_ARRAY_LEN(rows))

static void test_a_worker_says_it_last(void)
{
	static const struct row rows[] = {
		{ "", NULL },
		{ "\n\n", NULL },
		{ "kb_torch: ", NULL },
		{ "kb_torch:  \t\n", NULL },
		{ "kb_torch: no\n", "no" },
		{ "kb_torch: no", "no" },
		{ "kb-worker-native: kb_forward() returned 3\n",
		  "kb_forward() returned 3" },
		{ "kb_torch: first\nkb_torch: second\nthird\n", "second" },
		{ "kb_torch: tab\tin it \n", "tab in it" },
		{ " kb_torch: further in\nkb_torch_build: other\n", NULL },
		{ "Traceback (most recent call last):\nE: x\nkb_torch: E: x (line 2)\n"
		  "[system calls refused: fork]\n", "E: x (line 2)" },
	};

	CHECK(kb_reason_by_worker, rows);
}

static void test_a_compiler_says_it_first(void)
{
	static const struct row rows[] = {
		{ "", NULL },
		{ "code.c:1:5: warning: unused\n1 warning generated\n", NULL },
		{ "code.c: In function 'kb_forward':\n"
		  "code.c:3:9: error: 'y' undeclared\n"
		  "code.c:4:1: error: expected ';'\n",
		  "code.c:3:9: error: 'y' undeclared" },
		{ "code.c:1:10: fatal error: no.h: No such file or directory\n",
		  "code.c:1:10: fatal error: no.h: No such file or directory" },
		{ "code.cu(2): warning #177-D: unused\n\n"
		  "code.cu(12): error: identifier \"x\" is undefined\n",
		  "code.cu(12): error: identifier \"x\" is undefined" },
		{ "code.cu(12): error #20: no\n", "code.cu(12): error #20: no" },
		{ "nvcc fatal   : Unsupported gpu architecture 'compute_1'\n",
		  "nvcc fatal   : Unsupported gpu architecture 'compute_1'" },
		{ "ptxas error   : Entry function uses too much shared data\n",
		  "ptxas error   : Entry function uses too much shared data" },
		{ "ptxas info    : 0 bytes gmem\n", NULL },
		{ "/usr/bin/ld: code.o: in function `f':\n"
		  "code.c:(.text+0x5): undefined reference to `g'\n"
		  "collect2: error: ld returned 1 exit status\n",
		  "code.c:(.text+0x5): undefined reference to `g'" },
		{ "/usr/bin/ld: cannot find -lno: No such file or directory\n"
		  "collect2: error: ld returned 1 exit status\n",
		  "ld: cannot find -lno: No such file or directory" },
		{ "/tmp/x/y/main.cpp:3:5: error: 'a/b' was not declared\n",
		  "main.cpp:3:5: error: 'a/b' was not declared" },
		{ "/: error: x\n", ": error: x" },
		{ "c++: fatal error: Killed signal terminated program cc1plus\n",
		  "c++: fatal error: Killed signal terminated program cc1plus" },
	};

	CHECK(kb_reason_by_compiler, rows);
}

static void test_who_aborts_says_it_last(void)
{
	static const struct row rows[] = {
		{ "", NULL },
		{ "Fatal Python error: Aborted\n\nCurrent thread:\n", NULL },
		{ "free(): invalid pointer\nFatal Python error: Aborted\n\n"
		  "  File \"candidate.py\", line 3 in forward\n",
		  "free(): invalid pointer" },
		{ "one\n  what():  two\n\n", "what():  two" },
	};

	CHECK(kb_reason_by_end, rows);
}

static void test_a_crash_has_a_line(void)
{
	static const struct {
		const char *log;
		int want;
	} rows[] = {
		{ "", 0 },
		{ "  File \"candidate.py\", line 3 in forward\n", 0 },
		{ "Fatal Python error: Aborted\n\n", 0 },
		{ "Fatal Python error: Aborted\n  File \"candidate.py\", line ", 0 },
		{ "Fatal Python error: Segmentation fault\n\n"
		  "Current thread 0x1 (most recent call first):\n"
		  "  File \"ctypes/__init__.py\", line 9 in x\n"
		  "  File \"candidate.py\", line 12 in forward\n"
		  "  File \"candidate.py\", line 40 in g\n", 12 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++)
		check_int(kb_reason_crash_line(rows[i].log,
					       strlen(rows[i].log)),
			  rows[i].want);
}

/* Of every length, so that characters are cut in each place. */
static void test_a_leader_tells_who_ended(void)
{
	static const struct {
		const char *log;
		int want;
		size_t len;
	} rows[] = {
		{ "", -1, 0 },
		{ "a\nkb_torch_ranks: rank 1 ended\nb\n", 1, 2 },
		{ "kb_torch_ranks: rank 0 ended\nkb_torch_ranks: rank 1 ended",
		  1, 29 },
		{ "kb_torch_ranks: rank 2 ended\n", -1, 29 },
		{ "kb_torch_ranks: rank / ended\n", -1, 29 },
		{ "kb_torch_ranks: rank  ended\n", -1, 28 },
		{ "kb_torch_ranks: rank 11 ended\n", -1, 30 },
		{ "kb_torch_ranks: rank 1 ended.\n", -1, 30 },
		{ " kb_torch_ranks: rank 1 ended\n", -1, 30 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		size_t len = strlen(rows[i].log);

		check_int(kb_reason_ended_rank(rows[i].log, &len, 2),
			  rows[i].want);
		check_int(len, rows[i].len);
	}
}

static void test_what_is_too_long_is_cut_between_characters(void)
{
	static const char begin[] = "kb_torch: ";
	char log[1024];
	char out[KB_REASON_SIZE];

	for (size_t shift = 0; shift < 4; shift++) {
		size_t len = sizeof(begin) - 1;

		memcpy(log, begin, len);
		memset(log + len, 'a', shift);
		len += shift;
		for (; len + 4 < sizeof(log); len += 4)
			memcpy(log + len, "\xf0\x9f\x98\x80", 4);
		check(kb_reason_by_worker(out, log, len));
		check(strlen(out) < KB_REASON_SIZE);
		check(strlen(out) >= KB_REASON_SIZE - 8);
		check(kb_utf8_valid(out, strlen(out)));
		check_str(out + strlen(out) - 3, "...");
	}
}

static void test_the_longest_is_whole(void)
{
	char log[16 + KB_REASON_SIZE] = "kb_torch: ";
	char out[KB_REASON_SIZE];
	const size_t begin = strlen(log);

	memset(log + begin, 'a', KB_REASON_SIZE);
	check(kb_reason_by_worker(out, log, begin + KB_REASON_SIZE - 1));
	check_int(strlen(out), KB_REASON_SIZE - 1);
	check(!strchr(out, '.'));
	check(kb_reason_by_worker(out, log, begin + KB_REASON_SIZE));
	check_int(strlen(out), KB_REASON_SIZE - 1);
	check_str(out + KB_REASON_SIZE - 5, "a...");
}

static void test_words_of_the_machine(void)
{
	static const struct {
		const char *text;
		bool want;
	} rows[] = {
		{ "", false },
		{ "code.c:1:2: error: expected ';'", false },
		{ "c++: fatal error: Killed signal terminated program cc1plus",
		  true },
		{ "`ptxas` failed with error code -9", true },
		{ "`ptxas` failed with error code 255", false },
		{ "cc1: out of memory allocating 65536 bytes", true },
		{ "nvcc error   : 'cicc' died due to SIGNAL 9", true },
		{ "ld: final link failed: No space left on device", true },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++)
		check(kb_reason_is_of_machine(rows[i].text,
					      strlen(rows[i].text)) ==
		      rows[i].want);
}

TAP_MAIN(TAP(test_a_worker_says_it_last),
	 TAP(test_a_compiler_says_it_first),
	 TAP(test_who_aborts_says_it_last),
	 TAP(test_a_crash_has_a_line),
	 TAP(test_a_leader_tells_who_ended),
	 TAP(test_what_is_too_long_is_cut_between_characters),
	 TAP(test_the_longest_is_whole),
	 TAP(test_words_of_the_machine));
