#include "sign/signature.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "sign/envelope.h"
#include "sign/ed25519.h"
#include "sign/statement.h"
#include "store/bundle.h"
#include "store/sidecar.h"

char *kb_signature_name(const struct kb_bundle *b,
			const struct kb_digest *key_id)
{
	return kb_sidecar_name(b, key_id, KB_SIGNATURE_SUFFIX);
}

static char *path_of(const struct kb_bundle *b, const struct kb_digest *key_id)
{
	return kb_sidecar_path(b, key_id, KB_SIGNATURE_SUFFIX);
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
	int ret;

	if (access(path, F_OK) < 0 && errno == ENOENT)
		return kb_err(err, KB_ERR_MISSING,
			      "not signed by it: there is no '%s'", path);
	ret = read_envelope(&e, &text, path, err);
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

bool kb_signature_is_named(const char *path)
{
	return kb_sidecar_is_named(path, KB_SIGNATURE_SUFFIX);
}

int kb_signature_list(struct kb_signers *out, const struct kb_bundle *b,
		      struct kb_err *err)
{
	return kb_sidecar_list(&out->key_ids, &out->count, b,
			       KB_SIGNATURE_SUFFIX, err);
}

void kb_signers_release(struct kb_signers *s)
{
	free(s->key_ids);
	*s = (struct kb_signers)KB_SIGNERS_INIT;
}
