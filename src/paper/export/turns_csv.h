#ifndef KB_EXPORT_TURNS_CSV_H
#define KB_EXPORT_TURNS_CSV_H

struct kb_buf;
struct kb_generation;

/*
 * The results of a refinement as comma-separated values: a row within each
 * number of turns, and one within each number of tokens of a sample, 1, 2, 5,
 * 10 and so on, up to the first that no sample exceeds (turns/by_turn.h).
 * Counts are of samples. What is not known, or is told of turns alone, is
 * empty.
 */
void kb_turns_csv_print(struct kb_buf *out, const struct kb_generation *g);

#endif
