#ifndef KB_PAGES_SITE_H
#define KB_PAGES_SITE_H

#include <stddef.h>

struct kb_err;
struct kb_view;

/*
 * A folder of pages that link to each other: index.html, a leaderboard if
 * there are several views and the page of the only one else; a page for each
 * view and each problem of it; and, beside a leaderboard, its data. It appears
 * whole or not at all.
 *
 * A folder that is there is replaced if kb-report wrote all that is in it; else
 * this fails with KB_ERR_INPUT. Fails with KB_ERR_SYS, and as kb_bundle_read()
 * of sources.
 */
int kb_site_write(const char *path, const struct kb_view *views, size_t count,
		  struct kb_err *err);

/* One file with all of it but problems' pages, and so without sources. An
 * existing file is replaced. */
int kb_site_write_file(const char *path, const struct kb_view *views,
		       size_t count, struct kb_err *err);

#endif
