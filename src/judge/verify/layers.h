#ifndef KB_VERIFY_LAYERS_H
#define KB_VERIFY_LAYERS_H

struct kb_bundle;
struct kb_checks;
struct kb_err;
struct kb_lineage;

/*
 * The layers "chain" and "arithmetic" of a record that was read: whoever
 * says of a bundle what holds, asks the same in the same order. `l` is of
 * `b`, and receives the parents that are in `store`.
 *
 * Fails only with what says nothing of a bundle, such as KB_ERR_SYS.
 */
int kb_layers_check_record(struct kb_checks *c, struct kb_lineage *l,
			   const struct kb_bundle *b, const char *store,
			   struct kb_err *err);

#endif
