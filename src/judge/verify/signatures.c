#include "verify/signatures.h"

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "sign/signature.h"
#include "verify/checks.h"
#include "verify/lineage.h"

int kb_signature_keys_read(struct kb_signature_keys *k, struct kb_err *err)
{
	int ret = 0;

	for (int i = 0; ret == 0 && i < k->files.count; i++)
		ret = kb_public_key_read(&k->keys[i], k->files.items[i], err);
	return ret;
}

static int check_key(struct kb_checks *c, const struct kb_bundle *b,
		     const struct kb_signature_keys *k, int i,
		     struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	int ret = kb_signature_check(b, &k->keys[i], err);

	if (ret < 0) {
		ret = kb_err_wrap(err, "key '%s'", k->files.items[i]);
		if (!kb_is_answer(ret))
			return ret;
		kb_checks_add(c, KB_LAYER_SIGNATURE, "signature", KB_ANSWER_NO,
			      "%s", err->msg);
		return 0;
	}
	kb_digest_format(&k->keys[i].id, hex);
	kb_checks_add(c, KB_LAYER_SIGNATURE, "signature", KB_ANSWER_OK, "%s",
		      hex);
	return 0;
}

static bool is_wanted(const struct kb_signature_keys *k,
		      const struct kb_digest *key_id)
{
	for (int i = 0; i < k->files.count; i++)
		if (kb_digest_equal(&k->keys[i].id, key_id))
			return true;
	return false;
}

static int mention_others(struct kb_checks *c, const struct kb_bundle *b,
			  const struct kb_signature_keys *k, struct kb_err *err)
{
	kb_auto(signers) struct kb_signers signers = KB_SIGNERS_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret = kb_signature_list(&signers, b, err);

	for (size_t i = 0; ret == 0 && i < signers.count; i++) {
		if (is_wanted(k, &signers.key_ids[i]))
			continue;
		kb_digest_format(&signers.key_ids[i], hex);
		kb_checks_add(c, KB_LAYER_SIGNATURE, "signature", k->files.count ?
			      KB_ANSWER_NOTE : KB_ANSWER_NOT_CHECKED,
			      "there is one by %s, which was not asked for",
			      hex);
	}
	return ret;
}

int kb_signatures_check(struct kb_checks *c, const struct kb_bundle *b,
			const struct kb_signature_keys *k, struct kb_err *err)
{
	int ret = 0;

	if (!k->files.count)
		kb_checks_add(c, KB_LAYER_SIGNATURE, "signature",
			      KB_ANSWER_NOT_CHECKED, "no key was given");
	for (int i = 0; ret == 0 && i < k->files.count; i++)
		ret = check_key(c, b, k, i, err);
	return ret < 0 ? ret : mention_others(c, b, k, err);
}
