#ifndef KB_TABLES_GENERATION_TABLE_H
#define KB_TABLES_GENERATION_TABLE_H

#include <stdint.h>

#include "manifest/generated.h"
#include "cli/look.h"

struct kb_buf;
struct kb_generation;

/* Append what came of a generation's requests, a row an outcome; tokens; and
 * what they cost, if there are prices. Wants the sums to be up to date. */
void kb_generation_table_print(struct kb_buf *out,
			       const struct kb_generation *g, struct kb_look look);

/* "answers with code": an outcome, as tables have it. */
const char *kb_reply_outcome_text(enum kb_reply_outcome outcome);

/* "0.012345": billionths of a currency in its units, to the millionth, half
 * up; "-" for KB_UNKNOWN. */
#define KB_COST_SIZE 32
void kb_cost_format(char out[KB_COST_SIZE], int64_t cost_nano);

#endif
