#ifndef KB_PUBLISH_PUBLISH_H
#define KB_PUBLISH_PUBLISH_H

#include <stddef.h>
#include <stdint.h>

#include "publish/publication.h"

struct kb_err;

/*
 * Publishing: one .tar.gz for whoever finds it. It holds one folder, and in it
 * the bundles of a publication under their ids, so that it is a store
 * (store/store.h), their signatures, and three files about them.
 *
 * It is a function of the bundles, of what is said about them, and of the
 * program that writes it.
 */
struct kb_publish_size {
	char *name;			/* within the folder */
	uint64_t size_bytes;
};

struct kb_publish_sizes {
	struct kb_publish_size *files;	/* in the archive's order */
	size_t count;
	size_t capacity;
	uint64_t total_bytes;		/* of all of them */
	uint64_t archive_bytes;
};

#define KB_PUBLISH_SIZES_INIT { .files = NULL }

void kb_publish_sizes_release(struct kb_publish_sizes *s);

/* "kb-<the first 16 digits of the first bundle's id>": the folder. The caller
 * frees. */
char *kb_publish_folder(const struct kb_publication *p);

/* The default name of a publication; the caller frees. */
char *kb_publish_title(const struct kb_publication *p);

/*
 * README.md, CITATION.cff and ro-crate-metadata.json, by their names. `p` as for
 * kb_publish_write(). Fails as kb_publish_readme_print().
 */
int kb_publish_make_files(struct kb_made_files *files,
			  const struct kb_publication *p, struct kb_err *err);

/*
 * Write it to `path`, whole or not at all. `p` has a bundle, a title and a
 * date, and has passed kb_publication_check_about(). The caller releases
 * `sizes`, in any case.
 *
 * Fails as kb_archive_add() and kb_publish_readme_print(), KB_ERR_SYS.
 */
int kb_publish_write(struct kb_publish_sizes *sizes,
		     const struct kb_publication *p, const char *path,
		     struct kb_err *err);

static inline void kb_cleanup_publish_sizes(struct kb_publish_sizes *s)
{
	kb_publish_sizes_release(s);
}

#endif
