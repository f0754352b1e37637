#include "crew/compilers.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crew/builds.h"
#include "lib/tap.h"
#include "store/bundle.h"

/* Builds that compile, that do not, and that are done, for so many places. */
static const struct {
	size_t room, compile, import, done;
	int compilers;
} cases[] = {
	{ 14, 1, 0, 0, 14 },
	{ 14, 4, 8, 0, 3 },		/* imports take nothing from them */
	{ 14, 4, 210, 0, 3 },
	{ 14, 4, 0, 100, 3 },
	{ 14, 7, 0, 0, 2 },
	{ 14, 8, 0, 0, 1 },
	{ 14, 14, 0, 0, 1 },
	{ 14, 200, 0, 0, 1 },
	{ 14, 0, 8, 0, 1 },
	{ 2, 1, 1, 0, 2 },
	{ 1, 1, 0, 0, 1 },
	{ 1, 0, 0, 0, 1 },
};

static int compilers_of(size_t room, size_t compile, size_t import, size_t done)
{
	const size_t count = compile + import + done;
	struct kb_build *items = kb_xcalloc(count + 1, sizeof(*items));
	struct kb_builds b = {
		.items = items, .count = count, .room = room,
	};
	int compilers;

	for (size_t i = 0; i < count; i++) {
		items[i].compiles = i < compile || i >= compile + import ?
			KB_COMPILES : KB_COMPILES_NOT;
		items[i].is_done = i >= compile + import;
	}
	compilers = kb_builds_compilers(&b);
	free(items);
	return compilers;
}

static void test_builds_that_compile_share_what_there_is(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int(compilers_of(cases[i].room, cases[i].compile,
				       cases[i].import, cases[i].done),
			  cases[i].compilers);
}

/* Of four, two that cannot be read and two of native code, nobody knew. */
static void test_what_nobody_has_looked_at_may_compile(void)
{
	static const struct kb_bundle empty;
	struct kb_build items[4] = { { .is_done = false } };
	struct kb_builds b = { .items = items, .count = 4, .room = 8 };

	for (size_t i = 0; i < 4; i++)
		items[i].code = (struct kb_code_file){
			.runtime = i < 2 ? KB_RUNTIME_TORCH : KB_RUNTIME_NATIVE,
			.bundle = &empty, .file = "data/absent",
		};
	check_int(kb_builds_compilers(&b), 2);
	for (size_t i = 0; i < 4; i++)
		check_int(items[i].compiles, KB_COMPILES);
}

TAP_MAIN(
	TAP(test_builds_that_compile_share_what_there_is),
	TAP(test_what_nobody_has_looked_at_may_compile),
);
