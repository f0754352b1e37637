#ifndef KB_PUBLISH_PUBLICATION_H
#define KB_PUBLISH_PUBLICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "export/made_files.h"
#include "manifest/record.h"
#include "store/bundle.h"

struct kb_err;
struct kb_json;

/*
 * The contents of a publication: the named bundles and all their ancestors,
 * each once. What publish/ro_crate.h, publish/citation.h and publish/readme.h
 * describe.
 */
struct kb_published {
	struct kb_bundle bundle;
	enum kb_kind kind;
	struct kb_parent parents[KB_PARENTS_MAX];
	size_t parent_count;
	struct kb_json *tool;		/* that made it, or NULL */
	struct kb_made_files signatures;	/* beside it, by their names */
	bool is_asked;			/* and not only a parent */
	char *warnings;			/* of a score, as one text; else NULL */
};

struct kb_author {
	const char *name;		/* "Family, Given", or a group's */
	const char *orcid;		/* "0000-0002-1825-0097", or NULL */
};

/* The facts that no bundle has; all borrowed. */
struct kb_publication_about {
	const char *title;
	const struct kb_author *authors;
	size_t author_count;
	const char *license;		/* its name at SPDX, or NULL */
	const char *date;		/* "2026-11-21" */
};

struct kb_publication {
	struct kb_publication_about about;
	struct kb_published *items;	/* those asked for first, each before
					   its parents */
	size_t count;
	size_t capacity;
	struct kb_parent *missing;
	size_t missing_count;
	size_t missing_capacity;
};

#define KB_PUBLICATION_INIT { .items = NULL }

void kb_publication_release(struct kb_publication *p);

/*
 * Open and check the bundles `names`, as kb_store_open() takes them, and their
 * parents out of `store`. With `allow_missing` an absent bundle is noted as
 * missing. `p` is released by the caller, in any case.
 *
 * Fails as kb_store_open() and kb_record_check(), with KB_ERR_INPUT if one is a
 * report, if a parent is of another kind than its child says or if a file
 * beside it that is called like a signature is none.
 */
int kb_publication_gather(struct kb_publication *p, const char *store,
			  const char *const names[], size_t count,
			  bool allow_missing, struct kb_err *err);

/* The same of bundles in `store` alone, each opened once however often it is
 * named. Absent parents are noted as missing. */
int kb_publication_gather_ids(struct kb_publication *p, const char *store,
			      const struct kb_digest ids[], size_t count,
			      struct kb_err *err);

/* NULL if it is not there. Borrowed. */
const struct kb_published *
kb_publication_find(const struct kb_publication *p, const struct kb_digest *id);

/*
 * Fails unless the facts about a publication can be written into its files:
 * texts are UTF-8 on one line, names and dates have their form, and an ORCID iD
 * has the check digit that it should. Fails with KB_ERR_USAGE.
 */
int kb_publication_check_about(const struct kb_publication_about *a,
			       struct kb_err *err);

/* The given name within "Family, Given", or NULL if there is no comma. */
const char *kb_author_given_name(const struct kb_author *a);

static inline void kb_cleanup_publication(struct kb_publication *p)
{
	kb_publication_release(p);
}

#endif
