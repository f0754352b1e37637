#include "store/one_member.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "store/bag.h"
#include "store/beneath.h"
#include "store/store.h"

#define DIGITS (KB_DIGEST_HEX_SIZE - 1)

/* A manifest in the reading: "<64 digits>  <name>" a line. */
struct search {
	const char *name;		/* of the member */
	char line[KB_BAG_LINE_BYTES_MAX + 1];
	size_t len;			/* of the line so far; no more than fit */
	struct kb_digest digest;	/* of the member, if it was found */
	bool found;
};

/* A name with a NUL in it is not that of the part before. */
static void end_line(struct search *s)
{
	const size_t len = strlen(s->name);

	if (s->len == DIGITS + 2 + len &&
	    !memcmp(s->line + DIGITS + 2, s->name, len)) {
		s->line[DIGITS] = '\0';
		s->found = kb_digest_parse(&s->digest, s->line, NULL) == 0;
	}
	s->len = 0;
}

static void take_piece(struct search *s, const char *piece, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (piece[i] == '\n')
			end_line(s);
		else if (s->len < KB_BAG_LINE_BYTES_MAX)
			s->line[s->len++] = piece[i];
}

/* The maker of bytes with the right digest has read them, so their form is not
 * checked again. */
static int search_manifest(struct search *s, struct kb_digest *id, int dirfd,
			   struct kb_err *err)
{
	kb_auto(hasher) struct kb_hasher *h = kb_hasher_new();
	kb_auto(mem) char *piece = kb_xmalloc(KB_FILE_READ_CHUNK_BYTES);
	uint64_t size_bytes;
	kb_auto(fd) int fd = kb_beneath_open(dirfd, KB_BAG_MANIFEST_NAME,
					     &size_bytes, err);
	ssize_t n;

	if (fd == -KB_ERR_MISSING)
		return kb_err(err, KB_ERR_INPUT,
			      "there is no '" KB_BAG_MANIFEST_NAME "'");
	if (fd < 0)
		return fd;
	while ((n = read(fd, piece, KB_FILE_READ_CHUNK_BYTES)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return kb_err_sys(err, "cannot read '"
					  KB_BAG_MANIFEST_NAME "'");
		kb_hasher_add(h, piece, (size_t)n);
		take_piece(s, piece, (size_t)n);
	}
	kb_hasher_finish(h, id);
	return 0;
}

static int open_found(struct kb_bundle *b, const struct search *s,
		      struct kb_err *err)
{
	uint64_t size_bytes;
	kb_auto(fd) int fd = kb_beneath_open(b->dirfd, s->name, &size_bytes,
					     err);

	if (fd == -KB_ERR_MISSING)
		return kb_err(err, KB_ERR_CORRUPT,
			      "'%s' is declared but not there", s->name);
	if (fd < 0)
		return fd;
	b->members = kb_xcalloc(1, sizeof(*b->members));
	b->members[0] = (struct kb_bundle_member){
		.name = kb_xstrdup(s->name), .size_bytes = size_bytes,
		.digest = s->digest,
	};
	b->member_count = 1;
	return 0;
}

/* `b` has its directory. */
static int open_member(struct kb_bundle *b, const struct kb_digest *id,
		       const char *name, struct kb_err *err)
{
	kb_auto(mem) struct search *s = kb_xcalloc(1, sizeof(*s));
	int ret;

	s->name = name;
	ret = search_manifest(s, &b->id, b->dirfd, err);
	if (ret < 0)
		return ret;
	if (!kb_digest_equal(&b->id, id)) {
		char hex[KB_DIGEST_HEX_SIZE];

		kb_digest_format(&b->id, hex);
		return kb_err(err, KB_ERR_CORRUPT,
			      "'" KB_BAG_MANIFEST_NAME "' makes its id '%s'",
			      hex);
	}
	if (!s->found)
		return kb_err(err, KB_ERR_INPUT, "has no '%s'", name);
	return open_found(b, s, err);
}

int kb_store_open_member(struct kb_bundle *b, const char *store,
			 const struct kb_digest *id, const char *name,
			 struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle fresh = KB_BUNDLE_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	kb_digest_format(id, hex);
	fresh.path = kb_xasprintf("%s/%s", store, hex);
	fresh.dirfd = open(fresh.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fresh.dirfd < 0)
		return kb_store_open_id(b, store, id, err);
	ret = open_member(&fresh, id, name, err);
	if (ret < 0)
		return kb_err_wrap(err, "bundle '%s'", fresh.path);
	*b = fresh;
	fresh = (struct kb_bundle)KB_BUNDLE_INIT;
	return 0;
}
