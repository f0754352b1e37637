#ifndef KB_PAGES_SITE_PLACE_H
#define KB_PAGES_SITE_PLACE_H

struct kb_err;

/*
 * May a folder of pages be written here? Yes if nothing is there, or a folder in
 * which kb-report wrote everything: it is replaced.
 *
 * Fails with KB_ERR_INPUT if not, with KB_ERR_SYS.
 */
int kb_site_check_place(const char *path, struct kb_err *err);

#endif
