#ifndef KB_PUBLISH_CHECK_H
#define KB_PUBLISH_CHECK_H

#include <stdbool.h>

struct kb_checks;
struct kb_err;

/* Is the directory at `path` a publication, unpacked? It has the metadata. */
bool kb_publish_is_folder(const char *path);

/*
 * A publication's folder, unpacked: are its README.md, CITATION.cff and
 * ro-crate-metadata.json the bytes that its bundles give, with the title, the
 * authors, the licence and the date that these files state, and does nothing
 * else lie there? The bundles themselves are checked elsewhere.
 *
 * Adds checks called "publication" in the layer of bytes. A file that another
 * build of kb-pack wrote otherwise is not checked. Fails with KB_ERR_SYS.
 */
int kb_publish_check(struct kb_checks *checks, const char *folder,
		     struct kb_err *err);

#endif
