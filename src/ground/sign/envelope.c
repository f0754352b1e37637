#include "sign/envelope.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "sign/base64.h"
#include "store/quote.h"

void kb_envelope_release(struct kb_envelope *e)
{
	kb_buf_release(&e->payload);
}

/* DSSE's pre-authentication encoding: lengths in front of type and body, so
 * that no two pairs of them are the same bytes, and a signature over one type
 * of payload is none over another. */
void kb_envelope_add_pae(struct kb_buf *out, const char *type,
			 const void *body, size_t len)
{
	kb_buf_addf(out, "DSSEv1 %zu %s %zu ", strlen(type), type, len);
	kb_buf_add(out, body, len);
}

void kb_envelope_sign(struct kb_envelope *e, const struct kb_secret_key *key)
{
	kb_auto(buf) struct kb_buf pae = KB_BUF_INIT;

	kb_envelope_add_pae(&pae, KB_ENVELOPE_TYPE, e->payload.data,
			    e->payload.len);
	kb_ed25519_sign(e->signature, key, pae.data, pae.len);
	e->key_id = key->public.id;
}

int kb_envelope_verify(const struct kb_envelope *e,
		       const struct kb_public_key *key, const char *name,
		       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf pae = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&e->key_id, hex);
	if (!kb_digest_equal(&e->key_id, &key->id))
		return kb_err(err, KB_ERR_INPUT,
			      "%s: 'keyid' is another key's, '%s'", name, hex);
	kb_envelope_add_pae(&pae, KB_ENVELOPE_TYPE, e->payload.data,
			    e->payload.len);
	if (!kb_ed25519_verify(key, e->signature, pae.data, pae.len))
		return kb_err(err, KB_ERR_CORRUPT,
			      "%s: the key did not sign this payload", name);
	return 0;
}

static struct kb_json *base64_json(const void *data, size_t len)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_base64_encode(&text, data, len);
	return kb_json_string(text.data);
}

void kb_envelope_print(struct kb_buf *out, const struct kb_envelope *e)
{
	kb_auto(json) struct kb_json *root = kb_json_object();
	struct kb_json *signatures = kb_json_array();
	struct kb_json *signature = kb_json_object();

	kb_put_digest(signature, "keyid", &e->key_id);
	kb_json_set(signature, "sig",
		    base64_json(e->signature, sizeof(e->signature)));
	kb_json_append(signatures, signature);
	kb_json_set(root, "payload",
		    base64_json(e->payload.data, e->payload.len));
	kb_json_set_string(root, "payloadType", KB_ENVELOPE_TYPE);
	kb_json_set(root, "signatures", signatures);
	kb_json_print(out, root);
}

static void read_base64(struct kb_buf *out, struct kb_fields *f,
			const char *key)
{
	const char *text = kb_fields_text(f, key);

	if (text && !kb_base64_decode(out, text))
		kb_fields_fail(f, "'%s' is not base64", key);
}

static void read_signature(struct kb_envelope *e, struct kb_fields *f,
			   const struct kb_json *v)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	struct kb_fields inner;

	kb_fields_begin(&inner, v, f->where, f->err);
	e->key_id = kb_fields_digest(&inner, "keyid");
	read_base64(&bytes, &inner, "sig");
	if (bytes.len == sizeof(e->signature))
		memcpy(e->signature, bytes.data, bytes.len);
	else
		kb_fields_fail(&inner, "'sig' is of %zu bytes, want %zu",
			       bytes.len, sizeof(e->signature));
	f->ret = kb_fields_end(&inner);
}

static int read_envelope(struct kb_envelope *e, const struct kb_json *root,
			 const char *name, struct kb_err *err)
{
	const struct kb_json *signatures;
	struct kb_fields f;
	const char *type;

	kb_fields_begin(&f, root, name, err);
	type = kb_fields_text(&f, "payloadType");
	if (type && strcmp(type, KB_ENVELOPE_TYPE))
		kb_fields_fail(&f, "'payloadType' is '%s', want '%s'",
			       kb_quote_str(type).text, KB_ENVELOPE_TYPE);
	read_base64(&e->payload, &f, "payload");
	signatures = kb_fields_array(&f, "signatures");
	/* DSSE allows several. kb keeps one file for each key, and which of
	 * several would have to hold is nobody's to guess. */
	if (signatures && kb_json_count(signatures) != 1)
		kb_fields_fail(&f, "has %zu signatures, want 1",
			       kb_json_count(signatures));
	if (f.ret == 0)
		read_signature(e, &f, kb_json_first(signatures));
	return kb_fields_end(&f);
}

int kb_envelope_parse(struct kb_envelope *out, const void *data, size_t len,
		      const char *name, struct kb_err *err)
{
	kb_auto(json) struct kb_json *root = NULL;
	kb_auto(envelope) struct kb_envelope e = KB_ENVELOPE_INIT;
	int ret;

	ret = kb_json_parse(&root, data, len, KB_JSON_CANONICAL, name, err);
	if (ret < 0)
		return ret;
	ret = read_envelope(&e, root, name, err);
	if (ret < 0)
		return ret;
	*out = e;
	e = (struct kb_envelope)KB_ENVELOPE_INIT;
	return 0;
}
