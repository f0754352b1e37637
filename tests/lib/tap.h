#ifndef KB_TESTS_TAP_H
#define KB_TESTS_TAP_H

/*
 * The smallest TAP producer that names the values it compared. A test file
 * is a list of `static void test_x(void)` and one TAP_MAIN line.
 */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int tap_failed, tap_any_failed;
static const char *tap_skipped;

#define tap_fail(...)						\
	do {							\
		tap_failed = 1;					\
		printf("# %s:%d: ", __FILE__, __LINE__);	\
		printf(__VA_ARGS__);				\
		printf("\n");					\
	} while (0)

#define check(cond)						\
	do {							\
		if (!(cond))					\
			tap_fail("not true: %s", #cond);	\
	} while (0)

#define check_int(got, want)					\
	do {							\
		intmax_t got_ = (got), want_ = (want);		\
		if (got_ != want_)				\
			tap_fail("%s is %" PRIdMAX ", want %" PRIdMAX, \
				 #got, got_, want_);		\
	} while (0)

#define check_str(got, want)					\
	do {							\
		const char *got_ = (got), *want_ = (want);	\
		if (strcmp(got_, want_))			\
			tap_fail("%s is \"%s\", want \"%s\"",	\
				 #got, got_, want_);		\
	} while (0)

/* This test cannot be done here, says why; then return from it. */
#define tap_skip(why) ((void)(tap_skipped = (why)))

struct tap_test {
	const char *name;
	void (*run)(void);
};

#define TAP(fn) { #fn, fn }

#define TAP_MAIN(...)						\
	int main(void)						\
	{							\
		static const struct tap_test tests[] = { __VA_ARGS__ }; \
		size_t n = sizeof(tests) / sizeof(tests[0]);	\
								\
		printf("1..%zu\n", n);				\
		for (size_t i = 0; i < n; i++) {		\
			tap_failed = 0;				\
			tap_skipped = NULL;			\
			tests[i].run();				\
			tap_any_failed |= tap_failed;		\
			printf("%sok %zu - %s%s%s\n",		\
			       tap_failed ? "not " : "", i + 1,	\
			       tests[i].name,			\
			       tap_skipped ? " # SKIP " : "",	\
			       tap_skipped ? tap_skipped : "");	\
		}						\
		return tap_any_failed;				\
	}							\
	struct tap_swallow_semicolon

#endif
