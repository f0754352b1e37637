#ifndef KB_MANIFEST_LIKE_H
#define KB_MANIFEST_LIKE_H

#include <stdbool.h>

#include "manifest/record.h"

struct kb_err;
struct kb_json;

/*
 * Settings of somebody else's harness as one word, so that times made with them
 * can be told from times made with some of them. All of them are options of
 * kb-baseline and kb-eval, and members of the policy.
 */
struct kb_like_setting {
	const char *option;		/* NULL ends a list */
	const char *value;
	const char *member;		/* of the policy; an integer there is
					   that as text */
	bool on_cuda;			/* means nothing on a CPU */
	bool of_candidates;		/* nor in a baseline */
};

struct kb_like {
	const char *name;		/* "kernelbench" */
	const struct kb_like_setting *settings;
};

/* NULL if there is none of this name. Static. */
const struct kb_like *kb_like_find(const char *name);

/* The names there are; NULL ends them. */
extern const char *const kb_like_names[];

/*
 * Has a policy, of a record of this kind, each setting? It is well formed
 * (manifest/conditions.h) and has the members that its kind always has. Fails
 * with KB_ERR_INPUT; the message says which one it has not.
 */
int kb_like_check(const struct kb_like *like, const struct kb_json *policy,
		  enum kb_kind kind, bool is_cuda, struct kb_err *err);

#endif
