#ifndef KB_CMD_FITS_SUITE_H
#define KB_CMD_FITS_SUITE_H

struct kb_err;
struct kb_submission;
struct kb_suite;

/*
 * Whether a submission may be judged by a suite: there is a problem for each
 * candidate, in the suite or, of one that is derived by sizes, in its parent,
 * which is then looked for in `store`. Fails with KB_ERR_INPUT, and as
 * kb_suite_open_parent().
 */
int kb_fits_suite(const struct kb_submission *s, const struct kb_suite *suite,
		  const char *store, struct kb_err *err);

/* On standard error, of a suite that is derived: that it is, and how. */
void kb_print_derived(const struct kb_suite *suite);

#endif
