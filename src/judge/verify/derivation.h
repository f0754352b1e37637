#ifndef KB_VERIFY_DERIVATION_H
#define KB_VERIFY_DERIVATION_H

struct kb_bundle;
struct kb_checks;
struct kb_err;
struct kb_lineage;

/*
 * A suite that is derived from another, `b`, beside its parent: the parent's
 * files are changed once more, as the record says, and are then this suite's,
 * byte for byte. Adds checks called "sizes" to the layer "chain", or "backward"
 * if it is one of gradients, and none to those of any other record.
 *
 * Fails only with what says nothing of a bundle, such as KB_ERR_SYS.
 */
int kb_derivation_check(struct kb_checks *c, const struct kb_lineage *l,
			const struct kb_bundle *b, struct kb_err *err);

#endif
