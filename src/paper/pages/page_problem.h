#ifndef KB_PAGES_PAGE_PROBLEM_H
#define KB_PAGES_PAGE_PROBLEM_H

#include "manifest/key.h"

struct kb_buf;
struct kb_err;
struct kb_view;

/*
 * The page of one problem in a view: the reference, every candidate with how
 * it went, its times and samples, its errors, what it printed and its source,
 * and what differs between one candidate and the next.
 */
struct kb_problem_page {
	const struct kb_view *view;	/* borrowed */
	struct kb_key key;
	const char *home;		/* file of the view's page */
};

/* Fails as kb_bundle_read() of a source. */
int kb_problem_page_print(struct kb_buf *out, const struct kb_problem_page *p,
			  struct kb_err *err);

/* The bytes of a source that a page shows. The rest is in the bundle. */
#define KB_SOURCE_BYTES_SHOWN ((size_t)512 << 10)
#define KB_LOG_BYTES_SHOWN ((size_t)64 << 10)

#endif
