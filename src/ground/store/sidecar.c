#include "store/sidecar.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "store/bundle.h"

#define HEX_LEN (KB_DIGEST_HEX_SIZE - 1)

/* The directory that the bundle is in; caller frees. */
static char *directory_of(const struct kb_bundle *b)
{
	size_t end = strlen(b->path), start;

	while (end > 1 && b->path[end - 1] == '/')
		end--;
	for (start = end; start > 0 && b->path[start - 1] != '/'; start--)
		;
	/* "." and ".." name a directory, but not from the one it is in. */
	if (end - start <= 2 && !strncmp(b->path + start, "..", end - start))
		return kb_xasprintf("%.*s/..", (int)end, b->path);
	while (start > 1 && b->path[start - 1] == '/')
		start--;
	return start ? kb_xstrndup(b->path, start) : kb_xstrdup(".");
}

char *kb_sidecar_name(const struct kb_bundle *b, const struct kb_digest *which,
		      const char *suffix)
{
	char id[KB_DIGEST_HEX_SIZE], other[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&b->id, id);
	kb_digest_format(which, other);
	return kb_xasprintf("%s.%s%s", id, other, suffix);
}

char *kb_sidecar_path(const struct kb_bundle *b, const struct kb_digest *which,
		      const char *suffix)
{
	kb_auto(mem) char *dir = directory_of(b);
	kb_auto(mem) char *name = kb_sidecar_name(b, which, suffix);

	return kb_xasprintf("%s/%s", dir, name);
}

/* `text` begins with a digest and then `next`. Returns what follows. */
static const char *take_digest(struct kb_digest *d, const char *text,
			       const char *next)
{
	char hex[KB_DIGEST_HEX_SIZE];

	if (strlen(text) < HEX_LEN)
		return NULL;
	memcpy(hex, text, HEX_LEN);
	hex[HEX_LEN] = '\0';
	text += HEX_LEN;
	if (kb_digest_parse(d, hex, NULL) < 0 ||
	    strncmp(text, next, strlen(next)))
		return NULL;
	return text + strlen(next);
}

static bool parse_name(struct kb_digest *id, struct kb_digest *which,
		       const char *name, const char *suffix)
{
	const char *rest = take_digest(id, name, ".");

	rest = rest ? take_digest(which, rest, suffix) : NULL;
	return rest && !*rest;
}

bool kb_sidecar_is_named(const char *path, const char *suffix)
{
	const char *slash = strrchr(path, '/');
	struct kb_digest id, which;

	return parse_name(&id, &which, slash ? slash + 1 : path, suffix);
}

static int order_digests(const void *a, const void *b)
{
	const struct kb_digest *x = a, *y = b;

	return memcmp(x->bytes, y->bytes, KB_DIGEST_SIZE);
}

int kb_sidecar_list(struct kb_digest **out, size_t *count,
		    const struct kb_bundle *b, const char *suffix,
		    struct kb_err *err)
{
	kb_auto(mem) struct kb_digest *found = NULL;
	kb_auto(mem) char *path = directory_of(b);
	kb_auto(dir) DIR *d = opendir(path);
	size_t capacity = 0, n = 0;
	struct dirent *e;

	/* One may have a way through a directory and not see what is in it. */
	if (!d && errno == EACCES)
		return 0;
	if (!d)
		return kb_err_sys(err, "cannot read '%s'", path);
	while ((errno = 0, e = readdir(d))) {
		struct kb_digest id, which;

		if (!parse_name(&id, &which, e->d_name, suffix) ||
		    !kb_digest_equal(&id, &b->id))
			continue;
		found = kb_grow(found, n, &capacity, sizeof(*found));
		found[n++] = which;
	}
	if (errno)
		return kb_err_sys(err, "cannot read '%s'", path);
	if (n > 1)
		qsort(found, n, sizeof(*found), order_digests);
	*out = kb_steal(found);
	*count = n;
	return 0;
}
