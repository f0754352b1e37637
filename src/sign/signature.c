#include "sign/signature.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "sign/envelope.h"
#include "sign/ed25519.h"
#include "sign/statement.h"
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

char *kb_signature_name(const struct kb_bundle *b,
			const struct kb_digest *key_id)
{
	char id[KB_DIGEST_HEX_SIZE], key[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&b->id, id);
	kb_digest_format(key_id, key);
	return kb_xasprintf("%s.%s" KB_SIGNATURE_SUFFIX, id, key);
}

static char *path_of(const struct kb_bundle *b, const struct kb_digest *key_id)
{
	kb_auto(mem) char *dir = directory_of(b);
	kb_auto(mem) char *name = kb_signature_name(b, key_id);

	return kb_xasprintf("%s/%s", dir, name);
}

int kb_signature_write(char **path, const struct kb_bundle *b,
		       const struct kb_statement *s,
		       const struct kb_secret_key *key, struct kb_err *err)
{
	kb_auto(envelope) struct kb_envelope e = KB_ENVELOPE_INIT;
	kb_auto(mem) char *to = path_of(b, &key->public.id);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	kb_statement_print(&e.payload, s);
	kb_envelope_sign(&e, key);
	kb_envelope_print(&text, &e);
	ret = kb_file_replace(AT_FDCWD, to, text.data, text.len, 0444, err);
	if (ret < 0)
		return ret;
	*path = kb_steal(to);
	return 0;
}

/* Nothing is made of the payload before it is known to be signed. */
static int check_envelope(const struct kb_envelope *e,
			  const struct kb_bundle *b,
			  const struct kb_public_key *key, struct kb_err *err)
{
	kb_auto(statement) struct kb_statement s = KB_STATEMENT_INIT;
	static const char name[] = "statement";
	int ret = kb_envelope_verify(e, key, "envelope", err);

	if (ret < 0)
		return ret;
	ret = kb_statement_parse(&s, e->payload.data, e->payload.len, name,
				 err);
	if (ret < 0)
		return ret;
	return kb_statement_check(&s, b, name, err);
}

/* The bytes of the file `path`, and what they say. */
static int read_envelope(struct kb_envelope *e, struct kb_buf *text,
			 const char *path, struct kb_err *err)
{
	int ret = kb_file_read(text, AT_FDCWD, path, KB_ENVELOPE_BYTES_MAX,
			       err);

	if (ret < 0)
		return ret;
	ret = kb_envelope_parse(e, text->data, text->len, "envelope", err);
	return ret < 0 ? kb_err_wrap(err, "'%s'", path) : 0;
}

int kb_signature_check(const struct kb_bundle *b,
		       const struct kb_public_key *key, struct kb_err *err)
{
	kb_auto(envelope) struct kb_envelope e = KB_ENVELOPE_INIT;
	kb_auto(mem) char *path = path_of(b, &key->id);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = read_envelope(&e, &text, path, err);

	if (ret < 0)
		return ret;
	ret = check_envelope(&e, b, key, err);
	return ret < 0 ? kb_err_wrap(err, "'%s'", path) : 0;
}

int kb_signature_read(struct kb_buf *out, const struct kb_bundle *b,
		      const struct kb_digest *key_id, struct kb_err *err)
{
	kb_auto(envelope) struct kb_envelope e = KB_ENVELOPE_INIT;
	kb_auto(mem) char *path = path_of(b, key_id);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = read_envelope(&e, &text, path, err);

	if (ret < 0)
		return ret;
	kb_buf_add(out, text.data, text.len);
	return 0;
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

static bool parse_name(struct kb_digest *id, struct kb_digest *key_id,
		       const char *name)
{
	const char *rest = take_digest(id, name, ".");

	rest = rest ? take_digest(key_id, rest, KB_SIGNATURE_SUFFIX) : NULL;
	return rest && !*rest;
}

bool kb_signature_is_named(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct kb_digest id, key_id;

	return parse_name(&id, &key_id, slash ? slash + 1 : path);
}

static int order_digests(const void *a, const void *b)
{
	const struct kb_digest *x = a, *y = b;

	return memcmp(x->bytes, y->bytes, KB_DIGEST_SIZE);
}

int kb_signature_list(struct kb_signers *out, const struct kb_bundle *b,
		      struct kb_err *err)
{
	kb_auto(signers) struct kb_signers found = KB_SIGNERS_INIT;
	kb_auto(mem) char *path = directory_of(b);
	kb_auto(dir) DIR *d = opendir(path);
	struct dirent *e;

	/* One may have a way through a directory and not see what is in it. */
	if (!d && errno == EACCES)
		return 0;
	if (!d)
		return kb_err_sys(err, "cannot read '%s'", path);
	while ((errno = 0, e = readdir(d))) {
		struct kb_digest id, key_id;

		if (!parse_name(&id, &key_id, e->d_name) ||
		    !kb_digest_equal(&id, &b->id))
			continue;
		found.key_ids = kb_grow(found.key_ids, found.count,
					&found.capacity,
					sizeof(*found.key_ids));
		found.key_ids[found.count++] = key_id;
	}
	if (errno)
		return kb_err_sys(err, "cannot read '%s'", path);
	if (found.count > 1)
		qsort(found.key_ids, found.count, sizeof(*found.key_ids),
		      order_digests);
	*out = found;
	found = (struct kb_signers)KB_SIGNERS_INIT;
	return 0;
}

void kb_signers_release(struct kb_signers *s)
{
	free(s->key_ids);
	*s = (struct kb_signers)KB_SIGNERS_INIT;
}
