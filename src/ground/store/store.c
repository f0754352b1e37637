#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "store/refs.h"

#define LISTED_MAX 4	/* ids in a message, so that it stays whole */

static const char *further[KB_STORES_FURTHER_MAX];
static size_t further_count;

int kb_store_also(const char *store, struct kb_err *err)
{
	if (further_count == KB_STORES_FURTHER_MAX)
		return kb_err(err, KB_ERR_USAGE, "there are more than %d stores",
			      1 + KB_STORES_FURTHER_MAX);
	further[further_count++] = store;
	return 0;
}

void kb_store_alone(void)
{
	further_count = 0;
}

/* Where to look: `store` first, and NULL after the last. */
static const char *store_at(const char *store, size_t i)
{
	if (i == 0)
		return store;
	return i <= further_count ? further[i - 1] : NULL;
}

static const char *and_further(void)
{
	return further_count ? " or a further store" : "";
}

/* Ids in a store, sorted. */
struct matches {
	char (*ids)[KB_DIGEST_HEX_SIZE];
	size_t count;
	size_t capacity;
};

static void kb_cleanup_matches(struct matches *m)
{
	free(m->ids);
}

static int order_ids(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int find_matches(struct matches *out, const char *store,
			const char *prefix, struct kb_err *err)
{
	kb_auto(dir) DIR *d = opendir(store);
	struct dirent *e;

	if (!d && errno == ENOENT)
		return 0;
	if (!d)
		return kb_err_sys(err, "cannot read store '%s'", store);

	while ((errno = 0, e = readdir(d))) {
		struct kb_digest id;

		if (strncmp(e->d_name, prefix, strlen(prefix)) ||
		    kb_digest_parse(&id, e->d_name, NULL) < 0)
			continue;
		out->ids = kb_grow(out->ids, out->count, &out->capacity,
				   sizeof(*out->ids));
		strcpy(out->ids[out->count++], e->d_name);
	}
	if (errno)
		return kb_err_sys(err, "cannot read store '%s'", store);

	if (out->count > 1)
		qsort(out->ids, out->count, sizeof(*out->ids), order_ids);
	return 0;
}

static int is_ambiguous(const struct matches *m, const char *prefix,
			const char *store, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf list = KB_BUF_INIT;

	for (size_t i = 0; i < m->count && i < LISTED_MAX; i++)
		kb_buf_addf(&list, " %s", m->ids[i]);
	return kb_err(err, KB_ERR_INPUT,
		      "'%s' stands for %zu bundles in store '%s':%s%s", prefix,
		      m->count, store, list.data,
		      m->count > LISTED_MAX ? " ..." : "");
}

/* The part of an operand that may begin an id, in small letters, or NULL: all
 * of it but slashes behind it and an archive's ending. The caller frees. */
static char *as_id(const char *name)
{
	static const char ending[] = ".tar.gz";
	const size_t ending_len = strlen(ending);
	kb_auto(mem) char *text = kb_xstrdup(name);
	size_t len = strlen(text);

	while (len > 0 && text[len - 1] == '/')
		text[--len] = '\0';
	if (len > ending_len && !strcmp(text + len - ending_len, ending))
		text[len -= ending_len] = '\0';
	for (size_t i = 0; i < len; i++)
		if (text[i] >= 'A' && text[i] <= 'F')
			text[i] = (char)(text[i] - 'A' + 'a');
	return kb_digest_may_begin(text) ? kb_xstrdup(text) : NULL;
}

int kb_store_check_name(const char *name, const struct kb_digest *id,
			struct kb_err *err)
{
	kb_auto(mem) char *begun = as_id(name);
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	if (!begun || !strncmp(hex, begun, strlen(begun)))
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "'%s' looks like an id, and what is called so here has "
		      "the id '%s': './%s' asks for that", name, hex, name);
}

/* Refuse what `b` is, and release it, if it is not what it is called. */
static int check_name(struct kb_bundle *b, const char *name,
		      struct kb_err *err)
{
	int ret = kb_store_check_name(name, &b->id, err);

	if (ret < 0)
		kb_bundle_release(b);
	return ret;
}

static int open_id(struct kb_bundle *b, const char *store,
		   const struct kb_digest *id, const char *unread,
		   struct kb_err *err)
{
	const char *at;
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	for (size_t i = 0; (at = store_at(store, i)); i++) {
		kb_auto(mem) char *path = kb_xasprintf("%s/%s", at, hex);

		if (access(path, F_OK) == 0 ||
		    (errno != ENOENT && errno != ENOTDIR))
			return kb_bundle_open_unread(b, path, unread, err);
	}
	return kb_err(err, KB_ERR_MISSING, "no bundle '%s' in store '%s'%s",
		      hex, store, and_further());
}

/* Returns 1, or 0 if the store has no such name. */
static int open_named(struct kb_bundle *b, const char *store,
		      const char *name, const char *unread, struct kb_err *err)
{
	struct kb_digest id;
	const char *at;
	int ret = 0;

	for (size_t i = 0; ret == 0 && (at = store_at(store, i)); i++)
		ret = kb_ref_get(&id, at, name, err);
	if (ret <= 0)
		return ret;
	ret = open_id(b, store, &id, unread, err);
	if (ret < 0)
		return kb_err_wrap(err, "name '%s'", name);
	ret = check_name(b, name, err);
	return ret < 0 ? ret : 1;
}

static int open_path(struct kb_bundle *b, const char *path, const char *unread,
		     struct kb_err *err)
{
	const int ret = kb_bundle_open_unread(b, path, unread, err);

	return ret < 0 ? ret : check_name(b, path, err);
}

/* Candidates in the folder 'mine' and their score have one name, often. */
static bool is_other_folder(const char *path)
{
	kb_auto(mem) char *bagit = kb_xasprintf("%s/bagit.txt", path);
	kb_auto(mem) char *folder = kb_xasprintf("%s/.", path);

	/* A link without a target is no other folder: it is a damaged bundle. */
	return access(folder, F_OK) == 0 &&
	       faccessat(AT_FDCWD, bagit, F_OK, AT_SYMLINK_NOFOLLOW) < 0;
}

static int not_found(const char *store, const char *name, struct kb_err *err)
{
	if (name[0] == KB_REF_LAST[0])
		return kb_err(err, KB_ERR_MISSING,
			      "store '%s' has no '%s': no such bundle was made "
			      "there, and 'kb ls' lists its bundles", store, name);
	return kb_err(err, KB_ERR_MISSING,
		      "'%s' is neither a file, nor a folder, nor a bundle in "
		      "'%s'%s", name, store, and_further());
}

int kb_store_open(struct kb_bundle *b, const char *store, const char *name,
		  struct kb_err *err)
{
	return kb_store_open_unread(b, store, name, NULL, err);
}

int kb_store_open_unread(struct kb_bundle *b, const char *store,
			 const char *name, const char *unread,
			 struct kb_err *err)
{
	kb_auto(matches) struct matches m = { .ids = NULL };
	const char *at = NULL;
	struct kb_digest id;
	int ret;

	if (access(name, F_OK) == 0 && !is_other_folder(name))
		return open_path(b, name, unread, err);
	ret = open_named(b, store, name, unread, err);
	if (ret)
		return ret < 0 ? ret : 0;
	if (access(name, F_OK) == 0)
		return kb_err(err, KB_ERR_CORRUPT,
			      "'%s' is a folder without 'bagit.txt', so it is no "
			      "bundle; kb-pack makes bundles of folders", name);
	for (size_t i = 0; kb_digest_may_begin(name) && !m.count &&
	     (at = store_at(store, i)); i++) {
		ret = find_matches(&m, at, name, err);
		if (ret < 0)
			return ret;
	}
	if (m.count == 0)
		return not_found(store, name, err);
	if (m.count > 1)
		return is_ambiguous(&m, name, at, err);

	/* Opened under its id, it must have that id. */
	(void)kb_digest_parse(&id, m.ids[0], NULL);	/* matches are ids */
	return open_id(b, at, &id, unread, err);
}

int kb_store_open_id(struct kb_bundle *b, const char *store,
		     const struct kb_digest *id, struct kb_err *err)
{
	return open_id(b, store, id, NULL, err);
}

int kb_store_list(struct kb_digest **ids, size_t *count, const char *store,
		  struct kb_err *err)
{
	kb_auto(matches) struct matches m = { .ids = NULL };
	int ret = find_matches(&m, store, "", err);

	*ids = NULL;
	*count = 0;
	if (ret < 0)
		return ret;
	*ids = kb_xcalloc(m.count + 1, sizeof(**ids));
	for (; *count < m.count; ++*count)
		(void)kb_digest_parse(&(*ids)[*count], m.ids[*count],
				      NULL);	/* names of matches are ids */
	return 0;
}
