#ifndef KB_CONFINE_PRIVATE_TMP_H
#define KB_CONFINE_PRIVATE_TMP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A /tmp of a worker's own. Its scratch directory is mounted there, so that it
 * may write where programs write by habit, under names that are the same in
 * every worker; what lay in /tmp is out of sight, but for what it needs; and
 * of all scratch directories it sees its own alone.
 */
struct kb_private_tmp {
	const char *root;		/* of all scratch directories */
	const char *code;		/* what of it is to be read */
	const char *const *kept;	/* names in /tmp that stay there, to be
					   read; ends with NULL */
};

/* The names in /tmp that are on the way to any of `paths`, or of where these
 * lead to: a list that ends with NULL, freed with kb_private_tmp_free(). Paths
 * may be NULL, and lists of paths with colons between. */
char **kb_private_tmp_names(const char *const paths[], size_t count);
void kb_private_tmp_free(char **names);

/* In a mount namespace of one's own in which nothing travels back, and where
 * `scratch` is a mount: no allocation, no locks. Returns 0 or an errno value,
 * after which the files are as they were. */
int kb_private_tmp_enter(const struct kb_private_tmp *t, const char *scratch);

/* Nothing, in place of each of these files; the list ends with NULL. Likewise;
 * on failure some may be hidden. With `all` it is one if one is not there. */
int kb_private_tmp_hide(const char *const paths[], bool all);

#endif
