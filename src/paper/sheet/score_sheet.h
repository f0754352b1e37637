#ifndef KB_SHEET_SCORE_SHEET_H
#define KB_SHEET_SCORE_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/metrics.h"
#include "store/digest.h"

struct kb_baseline;
struct kb_buf;
struct kb_evaluation;
struct kb_score;

/*
 * A score as a table: a row a level, one for all and one for the sound
 * problems. The notes that its numbers must stay attached to: sheet/notes.h.
 */
struct kb_score_sheet {
	const struct kb_score *score;		/* all borrowed */
	const struct kb_digest *id;		/* of the score, or NULL */
	const struct kb_evaluation *evaluation;	/* its parents, or NULL; nobody
						   asks for results */
	const struct kb_baseline *baseline;
	const char *const *backends;		/* what the candidate of each
						   of the score's lines is
						   written in, or NULL; NULL if
						   nobody asks */
};

/* Rows: a level each, then all of them, then the sound problems where the score
 * tells of these apart and knows them. */
size_t kb_sheet_row_count(const struct kb_score_sheet *s);

/* Which row is of all: as many as there are levels. */
size_t kb_sheet_overall_row(const struct kb_score_sheet *s);

const struct kb_metrics *kb_sheet_metrics(const struct kb_score_sheet *s,
					  size_t row);

/* Append "1", "overall" or "sound". */
void kb_sheet_row_print(struct kb_buf *out, const struct kb_score_sheet *s,
			size_t row);

/* Counts that are also shares of `problems`: compiled, correct and fast_p. */
#define KB_SHEET_COUNTS (2 + KB_FAST_COUNT)
int64_t kb_sheet_count(const struct kb_metrics *m, size_t column);

/* It is one of fast_p; then append its p: "0.5". */
bool kb_sheet_column_is_fast(size_t column);
void kb_sheet_p_print(struct kb_buf *out, size_t column);

/* It is one of the few that a table of several scores has room for: correct,
 * fast_1 and fast_2. */
bool kb_sheet_column_is_brief(size_t column);

/* Append "compiled", "correct", or "fast_" and p. */
void kb_sheet_column_print(struct kb_buf *out, size_t column);

/* Which of fast_p it is, by kb_fast_p_milli. */
size_t kb_sheet_fast_index(size_t column);

/* Its share as the score's definition has it, or NULL if that is of all
 * problems. Borrowed from `m`. */
const struct kb_share *kb_sheet_share(const struct kb_metrics *m,
				      size_t column);

/* Append ", 3 untimed" after a mean that does not count so many; nothing if
 * there are none. */
void kb_sheet_untimed_print(struct kb_buf *out, const struct kb_metrics *m);

/* It is one of fast_p that not everybody with a time is: p is not 0. */
bool kb_sheet_column_has_certainty(size_t column);

/* Append "10 to 12": of one of fast_p, what is certain at 95 %, and what may
 * be. `m` has certainty. */
void kb_sheet_certain_print(struct kb_buf *out, const struct kb_metrics *m,
			    size_t column);

/* Append "0.912 to 1.234", the geometric mean's interval at 95 %, of which one
 * end may be "unknown"; false, and nothing, if neither is known. */
bool kb_sheet_mean_interval_print(struct kb_buf *out,
				  const struct kb_metrics *m);

/* Append "0.5" from 500000 and 6, "2.191" from 2190512 and 3 digits: a
 * quantity in millionths, half up, trailing zeros kept. */
void kb_micro_print(struct kb_buf *out, int64_t micro, int digits);

/* Append "78.6", a share in percent, half up. Of nothing there is none: false,
 * and nothing is appended. */
bool kb_percent_print(struct kb_buf *out, int64_t part, int64_t whole);

/* Append " (78.6%)", or nothing of nothing. `percent` is the format's spelling
 * of its sign. */
void kb_share_print(struct kb_buf *out, int64_t part, int64_t whole,
		    const char *percent);

/* The same of a count: of all problems, or as the score's definition has it. */
bool kb_sheet_percent_print(struct kb_buf *out, const struct kb_metrics *m,
			    size_t column);
void kb_sheet_share_print(struct kb_buf *out, const struct kb_metrics *m,
			  size_t column, const char *percent);

#endif
