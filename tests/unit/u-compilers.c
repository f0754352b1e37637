#include "crew/compilers.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crew/builds.h"
#include "lib/tap.h"
#include "store/bundle.h"

/* Builds that are to be made and that are done, for so many places. */
static const struct {
	size_t room, left, done;
	int compilers;
} cases[] = {
	{ 14, 1, 0, 14 },
	{ 14, 4, 0, 3 },
	{ 14, 4, 100, 3 },		/* these take nothing */
	{ 14, 7, 0, 2 },
	{ 14, 8, 0, 1 },
	{ 14, 14, 0, 1 },
	{ 14, 200, 0, 1 },
	{ 14, 0, 8, 1 },
	{ 2, 1, 1, 2 },
	{ 1, 1, 0, 1 },
	{ 1, 0, 0, 1 },
};

static int compilers_of(size_t room, size_t left, size_t done)
{
	const size_t count = left + done;
	struct kb_build *items = kb_xcalloc(count + 1, sizeof(*items));
	const struct kb_builds b = {
		.items = items, .count = count, .room = room,
	};
	int compilers;

	for (size_t i = left; i < count; i++)
		items[i].is_done = true;
	compilers = kb_builds_compilers(&b);
	free(items);
	return compilers;
}

static void test_builds_share_what_there_is(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int(compilers_of(cases[i].room, cases[i].left,
				       cases[i].done),
			  cases[i].compilers);
}

/* What cannot be read may compile: its build says that it cannot be read. */
static void test_code_that_cannot_be_read_may_compile(void)
{
	static const struct kb_bundle empty;
	struct kb_code_file code = { .bundle = &empty, .file = "data/absent" };

	code.runtime = KB_RUNTIME_TORCH;
	check(kb_code_compiles(&code));
	code.runtime = KB_RUNTIME_NATIVE;
	check(kb_code_compiles(&code));
}

TAP_MAIN(
	TAP(test_builds_share_what_there_is),
	TAP(test_code_that_cannot_be_read_may_compile),
);
