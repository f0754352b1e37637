#ifndef KB_RUNS_FITS_SUITE_H
#define KB_RUNS_FITS_SUITE_H

#include <stdbool.h>
#include <stddef.h>

struct kb_err;
struct kb_key;
struct kb_submission;
struct kb_suite;

/* Whether a submission may be judged by a suite: one of its candidates is for a
 * problem of it. Of another suite none is. Fails with KB_ERR_INPUT. */
int kb_fits_suite(const struct kb_submission *s, const struct kb_suite *suite,
		  struct kb_err *err);

/* On standard error: how many candidates are for problems that the suite lacks,
 * and which. Nothing, if none is. */
void kb_print_lacking(const struct kb_submission *s,
		      const struct kb_suite *suite);

/* On standard error, of the `count` problems with these keys, which are the
 * suite's: of which it is known, or not known, that an answer that computes less
 * can pass. Those with alternate inputs have none, if these are used. Only modules
 * in Python are audited. */
void kb_print_trivial(const struct kb_suite *suite, const struct kb_key *keys,
		      size_t count, bool has_alternates);

/* On standard error, of a suite that is derived: that it is, and how. */
void kb_print_derived(const struct kb_suite *suite);

#endif
