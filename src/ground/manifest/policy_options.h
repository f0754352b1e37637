#ifndef KB_MANIFEST_POLICY_OPTIONS_H
#define KB_MANIFEST_POLICY_OPTIONS_H

#include <stdint.h>

/*
 * Members of a policy that are options of the stage, by another name or in
 * another unit: what one of them says in a record, the other says as well.
 * Those of audits and of evaluations and baselines together.
 */
struct kb_policy_option {
	const char *member, *option;
	int64_t unit;			/* of the option, in that of the member;
					   0: it is a word */
};

/* Ended by a member NULL. */
extern const struct kb_policy_option kb_policy_options[];

/* The words of --precision, --tf32 and --deterministic; NULL ends each list. */
extern const char *const kb_precision_words[], *const kb_tf32_words[],
	*const kb_switch_words[];

#endif
