#include "cli/made.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/shown_id.h"
#include "store/refs.h"

int kb_made_check(const struct kb_made_options *m, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;

	if (m->name && kb_ref_check(m->name, &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "--name: %s", why.msg);
	return 0;
}

/* Names that were not asked for: what cannot be had of them is a warning, for
 * instance in a store of another user whose files cannot be replaced. */
static void set_last(const char *store, const char *name,
		     const struct kb_digest *id)
{
	struct kb_err why = KB_ERR_INIT;
	struct kb_digest was;

	if (kb_ref_set(store, name, id, &was, &why) < 0)
		fprintf(stderr, "warning: '%s' does not stand for this bundle: "
			"%s\n", name, why.msg);
}

static void set_last_of_kind(const char *store, enum kb_kind kind,
			     const struct kb_digest *id)
{
	kb_auto(mem) char *name = kb_xasprintf(KB_REF_LAST ":%s",
					       kb_kind_name(kind));

	set_last(store, name, id);
}

/* The bundle is in the store whatever happens to its name: the message says
 * so. */
static int set_name(const char *store, const char *name,
		    const struct kb_digest *id, struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest was;
	const int ret = kb_ref_set(store, name, id, &was, err);

	if (ret < 0)
		return kb_err_wrap(err, "the bundle is in the store, but '%s' "
				   "does not stand for it", name);
	kb_digest_format(&was, hex);
	if (ret > 0)
		fprintf(stderr, "name '%s' stood for %s\n", name, hex);
	return 0;
}

/* A pipe gets the whole id, which a script can pass on; a terminal gets as much
 * as a person wants to read. */
/* Print ids in full where nobody reads, or where the options ask for it. */
static bool has_whole_ids(const struct kb_made_options *m)
{
	return m->porcelain || kb_wants_whole_ids();
}

void kb_made_name_last(const char *store, enum kb_kind kind,
		       const struct kb_digest *id)
{
	set_last_of_kind(store, kind, id);
	set_last(store, KB_REF_LAST, id);
}

int kb_made_print(const struct kb_made_options *m, const char *store,
		  enum kb_kind kind, const struct kb_digest *id,
		  struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_made_name_last(store, kind, id);
	if (!has_whole_ids(m)) {
		kb_shown_id(hex, id);
		printf("%s %s%s%s\n", kb_kind_name(kind), hex,
		       m->name ? " " : "", m->name ? m->name : "");
	} else {
		kb_digest_format(id, hex);
		printf("%s\n", hex);
	}
	return m->name ? set_name(store, m->name, id, err) : 0;
}

void kb_made_print_part(const struct kb_made_options *m, const char *store,
			enum kb_kind kind, const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	set_last_of_kind(store, kind, id);
	if (!has_whole_ids(m)) {
		kb_shown_id(hex, id);
		printf("%s %s\n", kb_kind_name(kind), hex);
	} else {
		kb_digest_format(id, hex);
		printf("%s %s\n", hex, kb_kind_name(kind));
	}
}
