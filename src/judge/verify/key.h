#ifndef KB_VERIFY_KEY_H
#define KB_VERIFY_KEY_H

struct kb_checks;
struct kb_conditions;

/*
 * The check "match_key" of verify/conditions.h: is the match key the one that
 * the environment and the policy make, and does the environment say all that
 * such a key is made from? Pure.
 */
void kb_key_verify(struct kb_checks *c, const struct kb_conditions *k);

#endif
