#ifndef KB_MANIFEST_EXTRACTION_H
#define KB_MANIFEST_EXTRACTION_H

#include "manifest/backend.h"

/*
 * By which rule code is taken from an answer: kb-generate(1) has the last, and
 * what differs in those before it. A record names the rule, so that its
 * verifier takes the same.
 */
enum kb_extraction_rule {
	KB_EXTRACTION_BLOCKS_1,		/* the last complete block */
	KB_EXTRACTION_BLOCKS_2,		/* the last that defines what is asked
					   for, behind the reasoning */
	KB_EXTRACTION_RULE_COUNT,	/* not a rule */
};

#define KB_EXTRACTION_RULE_LAST (KB_EXTRACTION_RULE_COUNT - 1)

extern const char *const kb_extraction_rules[KB_EXTRACTION_RULE_COUNT];

/* The settings that decide which code is taken from a text. */
struct kb_extraction {
	enum kb_backend backend;
	enum kb_extraction_rule rule;
};

#endif
