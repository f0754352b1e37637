#ifndef KB_VERIFY_SIGNATURES_H
#define KB_VERIFY_SIGNATURES_H

#include "cli/options.h"
#include "sign/ed25519.h"

struct kb_bundle;
struct kb_checks;
struct kb_err;

/* The keys that a bundle has to be signed with: the value of an option, and the
 * keys in the files that it names. */
struct kb_signature_keys {
	struct kb_option_list files;
	struct kb_public_key keys[KB_OPTION_LIST_MAX];
};

#define KB_PUBLIC_KEY_OPTION(k) {					\
	.name = "public-key", .letter = 'k', .arg = "FILE",		\
	.help = "require a signature by the key in this PEM file",	\
	.type = KB_OPTION_LIST, .value = &(k).files }

/* Read `keys` from `files`. Fails as kb_public_key_read(). */
int kb_signature_keys_read(struct kb_signature_keys *k, struct kb_err *err);

/*
 * Add the layer "signature" of `b`: a check for each key, which says no unless
 * the key has signed `b`; without keys, that none was given. Signatures by other
 * keys are mentioned.
 *
 * Fails only where that says nothing about the bundle, such as KB_ERR_SYS.
 */
int kb_signatures_check(struct kb_checks *c, const struct kb_bundle *b,
			const struct kb_signature_keys *k, struct kb_err *err);

#endif
