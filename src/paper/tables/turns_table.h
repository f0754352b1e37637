#ifndef KB_TABLES_TURNS_TABLE_H
#define KB_TABLES_TURNS_TABLE_H

#include "cli/look.h"

struct kb_buf;
struct kb_generation;

/* Append what a refinement came to turn by turn, a row each: samples asked,
 * those that compiled until then, were correct, and were faster than what they
 * are compared with, and what had been spent (turns/by_turn.h). */
void kb_turns_table_print(struct kb_buf *out, const struct kb_generation *g,
			  struct kb_look look);

#endif
