#ifndef KB_MANIFEST_KEY_H
#define KB_MANIFEST_KEY_H

#include <stddef.h>

struct kb_err;

/*
 * The name of a problem inside its suite: level and problem number, both
 * counted from 1. Its text form is "1/19": no sign, no leading zero, so
 * that a problem has one spelling.
 */
struct kb_key {
	int level;
	int problem_id;
};

#define KB_LEVEL_MAX 99
#define KB_PROBLEM_ID_MAX 999999
#define KB_SAMPLE_ID_MAX 999999
#define KB_KEY_SIZE 12		/* bytes of the longest text form, with NUL */

void kb_key_format(char out[KB_KEY_SIZE], struct kb_key key);

/* Fails with KB_ERR_INPUT. */
int kb_key_parse(struct kb_key *out, const char *text, struct kb_err *err);

/* As strcmp(): by level, then by problem number. */
int kb_key_compare(struct kb_key a, struct kb_key b);

/* The same for a sample of a problem: by key, then by sample number. */
int kb_sample_compare(struct kb_key a, int sample_a, struct kb_key b,
		      int sample_b);

void kb_keys_sort(struct kb_key keys[], size_t count);

/*
 * Find `key` in an array of `count` structs of `size` bytes whose first
 * member is a struct kb_key, sorted by it. Returns the first that has it,
 * or NULL; `run` (may be NULL) receives how many have.
 */
const void *kb_key_find(const void *items, size_t count, size_t size,
			struct kb_key key, size_t *run);

#endif
