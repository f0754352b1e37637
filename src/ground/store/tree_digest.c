#include "store/tree_digest.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "store/quote.h"

struct file {
	char *name;			/* below the directory */
	struct kb_digest digest;
};

struct listing {
	struct file *files;
	size_t count;
};

static void kb_cleanup_listing(struct listing *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->files[i].name);
	free(l->files);
}

KB_DEFINE_CLEANUP(fts, FTS *, (void)fts_close);

/* Hidden files and the blobs of a hub's cache, to which the files with names
 * link: each file counts once, by the name that programs open. */
static bool is_left_out(const FTSENT *e)
{
	return e->fts_level > 0 &&
	       (e->fts_name[0] == '.' || !strcmp(e->fts_name, "blobs"));
}

static int add_file(struct listing *l, struct kb_tree *out, const FTSENT *e,
		    const char *name, struct kb_err *err)
{
	kb_auto(fd) int fd = open(e->fts_accpath, O_RDONLY | O_CLOEXEC);
	struct file *f;
	uint64_t size_bytes = 0;
	int ret;

	/* The digest can be made again with find(1) and sha256sum(1), which
	 * escapes these. */
	if (strpbrk(name, "\n\\"))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has a name that sha256sum would not print "
			      "as it is", kb_quote_str(e->fts_path).text);
	if (fd < 0)
		return kb_err_sys(err, "cannot open '%s'",
				  kb_quote_str(e->fts_path).text);
	l->files = kb_xreallocarray(l->files, l->count + 1, sizeof(*l->files));
	f = &l->files[l->count++];
	*f = (struct file){ .name = kb_xstrdup(name) };
	ret = kb_digest_of_fd(&f->digest, fd, e->fts_path, &size_bytes, err);
	out->files++;
	out->size_bytes += size_bytes;
	return ret;
}

/* Only modes are asked: what else a user may do is the system's to know. */
static bool is_closed(const FTSENT *e)
{
	const mode_t need = e->fts_info == FTS_D ? S_IROTH | S_IXOTH :
			    e->fts_info == FTS_F ? S_IROTH : 0;

	return (e->fts_statp->st_mode & need) != need;
}

/* `skip` is how much of a path is that of the directory itself. */
static int take_entry(struct listing *l, struct kb_tree *out, FTS *fts,
		      FTSENT *e, size_t skip, bool for_others,
		      struct kb_err *err)
{
	const struct kb_quote shown = kb_quote_str(e->fts_path);

	if (kb_interrupted())
		return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
	if (is_left_out(e)) {
		(void)fts_set(fts, e, FTS_SKIP);
		return 0;
	}
	if (for_others && is_closed(e))
		return kb_err(err, KB_ERR_INPUT,
			      "other users cannot read '%s'", shown.text);
	switch (e->fts_info) {
	case FTS_F:
		return add_file(l, out, e, e->fts_path + skip, err);
	case FTS_SLNONE:
		return kb_err(err, KB_ERR_INPUT, "'%s' leads nowhere",
			      shown.text);
	case FTS_DC:
		return kb_err(err, KB_ERR_INPUT, "'%s' leads back to where it is",
			      shown.text);
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		errno = e->fts_errno;
		return kb_err_sys(err, "cannot read '%s'", shown.text);
	default:
		return 0;
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct file *)a)->name,
		      ((const struct file *)b)->name);
}

/* Sorted, because fts(3) gives files as the file system has them, and that is
 * another order on another machine. */
static void digest_lines(struct listing *l, struct kb_digest *out)
{
	kb_auto(hasher) struct kb_hasher *h = kb_hasher_new();

	if (l->count)
		qsort(l->files, l->count, sizeof(*l->files), by_name);
	for (size_t i = 0; i < l->count; i++) {
		kb_auto(mem) char *line = NULL;
		char hex[KB_DIGEST_HEX_SIZE];

		kb_digest_format(&l->files[i].digest, hex);
		line = kb_xasprintf("%s  %s\n", hex, l->files[i].name);
		kb_hasher_add(h, line, strlen(line));
	}
	kb_hasher_finish(h, out);
}

int kb_tree_digest(struct kb_tree *out, const char *path, bool for_others,
		   struct kb_err *err)
{
	kb_auto(mem) char *root = realpath(path, NULL);
	char *const roots[] = { root, NULL };
	kb_auto(fts) FTS *fts = NULL;
	kb_auto(listing) struct listing l = { .count = 0 };
	size_t skip;
	FTSENT *e;

	*out = (struct kb_tree){ .files = 0 };
	if (!root && errno == ENOENT)
		return kb_err(err, KB_ERR_MISSING, "there is no directory '%s'",
			      path);
	if (root)
		/* FTS_LOGICAL: a hub's cache names files by links to its blobs.
		 * FTS_NOCHDIR: the working directory belongs to the whole
		 * process. */
		fts = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	if (!fts)
		return kb_err_sys(err, "cannot read '%s'", path);
	/* Paths begin with the root and a slash, which "/" is already. */
	skip = strcmp(root, "/") ? strlen(root) + 1 : 1;
	while ((errno = 0, e = fts_read(fts))) {
		int ret;

		if (e->fts_level == 0 && e->fts_info == FTS_F)
			return kb_err(err, KB_ERR_INPUT,
				      "'%s' is not a directory", path);
		ret = take_entry(&l, out, fts, e, skip, for_others, err);
		if (ret < 0)
			return ret;
	}
	if (errno)
		return kb_err_sys(err, "cannot read '%s'", path);
	digest_lines(&l, &out->digest);
	return 0;
}
