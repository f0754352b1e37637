#ifndef KB_PUBLISH_ABOUT_H
#define KB_PUBLISH_ABOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "publish/publication.h"
#include "store/digest.h"

struct kb_err;
struct kb_json;

/*
 * The RO-Crate metadata that no bundle has: title, authors, licence, date, and
 * the bundles that the user named. The inverse of publish/ro_crate.h, as far as
 * it goes.
 */
struct kb_crate_about {
	struct kb_publication_about about;	/* its texts are borrowed of this */
	struct kb_author *authors;
	char **names;			/* of the authors; owned */
	struct kb_digest *asked;	/* owned */
	size_t asked_count;
	char *maker;			/* "kb-pack 0.2.0, commit ..."; owned */
	struct kb_json *crate;
};

#define KB_CRATE_ABOUT_INIT { .authors = NULL }

void kb_crate_about_release(struct kb_crate_about *a);

/*
 * Read it from the `len` bytes of the file. The caller releases `a` in any
 * case. Fails with KB_ERR_INPUT if it is no such metadata.
 */
int kb_crate_about_parse(struct kb_crate_about *a, const void *data, size_t len,
			 struct kb_err *err);

/* "kb-pack 0.2.0, commit <40 digits>, modified", or without the commit if that is
 * NULL. The caller frees. */
char *kb_crate_maker(const char *version, const char *commit, bool is_modified);

static inline void kb_cleanup_crate_about(struct kb_crate_about *a)
{
	kb_crate_about_release(a);
}

#endif
