#include "store/refs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define FIRST LETTERS "0123456789"
#define OTHERS FIRST "._+-"

/* The character for the ':' of "@last:suite" in the name of its file: exFAT,
 * FAT, NTFS and the artifacts of CI services have no colons. */
#define LAST_FILE KB_REF_LAST "-"

int kb_ref_check(const char *name, struct kb_err *err)
{
	const size_t len = strlen(name);

	if (len < 1 || len > KB_REF_BYTES_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "a bundle's name has 1 to %d characters, and "
			      "'%.80s' has %zu", KB_REF_BYTES_MAX, name, len);
	if (!strchr(FIRST, name[0]) || strspn(name, OTHERS) != len)
		return kb_err(err, KB_ERR_INPUT,
			      "a bundle's name has letters, digits and ._+-, "
			      "the first of them a letter or a digit: not '%s'",
			      name);
	/* Where an id's first digits are enough, a name that looks like them
	 * would stand for two bundles. */
	if (kb_digest_may_begin(name))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' could be the beginning of an id, and so is "
			      "no name", name);
	return 0;
}

bool kb_ref_is_possible(const char *name)
{
	const char *kind;

	if (strncmp(name, KB_REF_LAST, strlen(KB_REF_LAST)))
		return kb_ref_check(name, NULL) == 0;
	kind = name + strlen(KB_REF_LAST);
	return !*kind || (*kind == ':' && strspn(kind + 1, LETTERS) > 0 &&
			  strspn(kind + 1, LETTERS) == strlen(kind + 1));
}

static char *path_of(const char *store, const char *name)
{
	char *path = kb_xasprintf("%s/" KB_REFS_DIR "/%s", store, name);
	char *colon = path + strlen(path) - strlen(name) + strcspn(name, ":");

	if (*colon)
		*colon = '-';
	return path;
}

/* Releases up to 0.2.0 wrote "@last:suite" into a file of that name. Whoever
 * sets the name removes that file, so that it is the newer one where it is
 * there. NULL if it is not; the caller frees. */
static char *old_path_of(const char *store, const char *name)
{
	kb_auto(mem) char *path =
		kb_xasprintf("%s/" KB_REFS_DIR "/%s", store, name);

	return strchr(name, ':') && access(path, F_OK) == 0 ? kb_steal(path)
							    : NULL;
}

static int no_such_name(const char *store, const char *name,
			struct kb_err *err)
{
	return kb_err(err, KB_ERR_MISSING, "store '%s' has no name '%s'",
		      store, name);
}

int kb_ref_get(struct kb_digest *id, const char *store, const char *name,
		struct kb_err *err)
{
	kb_auto(mem) char *path = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	if (!kb_ref_is_possible(name))
		return 0;
	path = old_path_of(store, name);
	if (!path)
		path = path_of(store, name);
	ret = kb_file_read(&text, AT_FDCWD, path, KB_DIGEST_HEX_SIZE, err);
	if (ret == -KB_ERR_MISSING)
		return 0;
	if (ret < 0 && ret != -KB_ERR_INPUT)
		return ret;
	if (ret == 0 && text.len == KB_DIGEST_HEX_SIZE &&
	    text.data[text.len - 1] == '\n') {
		text.data[text.len - 1] = '\0';
		if (kb_digest_parse(id, text.data, NULL) == 0)
			return 1;
	}
	return kb_err(err, KB_ERR_CORRUPT, "name '%s': '%s' holds no id", name,
		      path);
}

int kb_ref_set(const char *store, const char *name,
		const struct kb_digest *id, struct kb_digest *was,
		struct kb_err *err)
{
	kb_auto(mem) char *path = path_of(store, name);
	kb_auto(mem) char *old_path = NULL;
	kb_auto(mem) char *dir = kb_xasprintf("%s/" KB_REFS_DIR, store);
	char text[KB_DIGEST_HEX_SIZE];
	int ret, had;

	if (!kb_ref_is_possible(name))
		return kb_err(err, KB_ERR_INPUT, "'%s' cannot be a "
			      "bundle's name", name);
	had = kb_ref_get(was, store, name, err);
	/* A name whose file is damaged can be given anew, which repairs it. */
	if (had < 0 && had != -KB_ERR_CORRUPT)
		return had;
	if (had > 0 && kb_digest_equal(was, id))
		return 0;
	ret = kb_dir_make(dir, err);
	if (ret < 0)
		return ret;
	kb_digest_format(id, text);
	/* In the place of the NUL, which is not written. */
	text[KB_DIGEST_HEX_SIZE - 1] = '\n';
	ret = kb_file_replace(AT_FDCWD, path, text, sizeof(text), 0666, err);
	old_path = old_path_of(store, name);
	if (ret == 0 && old_path && unlink(old_path) < 0)
		ret = kb_err_sys(err, "cannot remove '%s'", old_path);
	return ret < 0 ? ret : had > 0;
}

int kb_ref_remove(const char *store, const char *name, struct kb_err *err)
{
	kb_auto(mem) char *path = path_of(store, name);
	kb_auto(mem) char *old_path = NULL;

	if (!kb_ref_is_possible(name))
		return no_such_name(store, name, err);
	old_path = old_path_of(store, name);
	if (old_path && unlink(old_path) < 0)
		return kb_err_sys(err, "cannot remove '%s'", old_path);
	if (unlink(path) == 0 || old_path)
		return 0;
	if (errno == ENOENT || errno == ENOTDIR)
		return no_such_name(store, name, err);
	return kb_err_sys(err, "cannot remove '%s'", path);
}

static int order_refs(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_refs(struct kb_refs *refs, DIR *d)
{
	struct dirent *e;

	while ((errno = 0, e = readdir(d))) {
		if (!strncmp(e->d_name, LAST_FILE, strlen(LAST_FILE)))
			e->d_name[strlen(KB_REF_LAST)] = ':';
		if (!kb_ref_is_possible(e->d_name))
			continue;
		refs->items = kb_grow(refs->items, refs->count,
				       &refs->capacity,
				       sizeof(*refs->items));
		refs->items[refs->count++] = kb_xstrdup(e->d_name);
	}
	return errno ? -1 : 0;
}

/* From a sorted list: a name may have a file of either form. */
static void drop_repeated(struct kb_refs *refs)
{
	size_t kept = 0;

	for (size_t i = 0; i < refs->count; i++)
		if (kept && !strcmp(refs->items[kept - 1], refs->items[i]))
			free(refs->items[i]);
		else
			refs->items[kept++] = refs->items[i];
	refs->count = kept;
}

int kb_refs_list(struct kb_refs *refs, const char *store,
		  struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/" KB_REFS_DIR, store);
	kb_auto(dir) DIR *d = opendir(path);

	if (!d && errno == ENOENT)
		return 0;
	if (!d || read_refs(refs, d) < 0)
		return kb_err_sys(err, "cannot read '%s'", path);
	if (refs->count > 1)
		qsort(refs->items, refs->count, sizeof(*refs->items),
		      order_refs);
	drop_repeated(refs);
	return 0;
}

void kb_refs_release(struct kb_refs *refs)
{
	for (size_t i = 0; i < refs->count; i++)
		free(refs->items[i]);
	free(refs->items);
	*refs = (struct kb_refs)KB_REFS_INIT;
}
