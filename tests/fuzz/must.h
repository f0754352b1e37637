#ifndef KB_TESTS_FUZZ_MUST_H
#define KB_TESTS_FUZZ_MUST_H

#include "base/alloc.h"

/* What holds for any input. It aborts, which a fuzzer takes for a find. */
#define must(cond)						\
	do {							\
		if (!(cond))					\
			KB_BUG("not true: " #cond);		\
	} while (0)

#endif
