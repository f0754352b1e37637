#ifndef KB_MANIFEST_SEEDS_H
#define KB_MANIFEST_SEEDS_H

#include <stddef.h>
#include <stdint.h>

#include "json/json.h"

struct kb_err;
struct kb_fields;

/* Seeds that modules and their weights are made under, each once, in the
 * order in which they are taken. */
#define KB_SEEDS_MAX 16
#define KB_WEIGHTS_SEED_MAX KB_JSON_INT_MAX

struct kb_seeds {
	int64_t items[KB_SEEDS_MAX];
	size_t count;			/* 0: there is no list */
};

/*
 * From "42,123": one or more, each in its one spelling, so that two lists are
 * the same if their texts are. Fails with KB_ERR_INPUT.
 */
int kb_seeds_parse(struct kb_seeds *seeds, const char *list,
		   struct kb_err *err);

/* The list again, "" if there is none. The caller frees. */
char *kb_seeds_format(const struct kb_seeds *seeds);

/* An array of integers. The caller owns it. */
struct kb_json *kb_seeds_to_json(const struct kb_seeds *seeds);

/* The member `key`, of one or more; no list if it is not there. */
void kb_seeds_read(struct kb_seeds *seeds, struct kb_fields *f,
		   const char *key);

#endif
