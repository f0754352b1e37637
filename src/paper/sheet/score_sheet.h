#ifndef KB_SHEET_SCORE_SHEET_H
#define KB_SHEET_SCORE_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sheet/format.h"

struct kb_baseline;
struct kb_buf;
struct kb_digest;
struct kb_evaluation;
struct kb_metrics;
struct kb_score;
struct kb_share;

/*
 * A score as rows of numbers for each of its parts, made once for all forms,
 * which print them. The notes that the numbers must stay attached to:
 * sheet/notes.h.
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

/* Parts: each level, then all of them, then the sound problems where the score
 * tells of these apart and knows them. */
size_t kb_sheet_part_count(const struct kb_score_sheet *s);

/* The part with all problems. */
size_t kb_sheet_overall(const struct kb_score_sheet *s);

/* Borrowed from the score. */
const struct kb_metrics *kb_sheet_part(const struct kb_score_sheet *s,
				       size_t part);

/* Append "1", "overall" or "sound"; and the same as a head, "level 1". */
void kb_sheet_part_print(struct kb_buf *out, const struct kb_score_sheet *s,
			 size_t part);
void kb_sheet_part_title(struct kb_buf *out, const struct kb_score_sheet *s,
			 size_t part);

enum kb_row_kind {
	KB_ROW_COUNT,			/* of problems */
	KB_ROW_SHARE,			/* a count that is a share of them */
	KB_ROW_MEAN,			/* of speedups */
	KB_ROW_AT_K,			/* a probability */
};

struct kb_sheet_row {
	size_t i;			/* which it is */
	enum kb_row_kind kind;
	char name[KB_FORMAT_SIZE];	/* "problems", "missing", "compiled",
					   "correct", "fast_0.5", "geomean",
					   "pass@1": for programs */
	char title[KB_FORMAT_SIZE];	/* as the preset calls it: for people */
	bool is_fast;			/* one of fast_p */
	bool has_interval;		/* that says something: not fast_0 */
	bool is_interval;		/* what is certain of it is wanted */
	bool is_share_alone;		/* and its count is not */
};

/* Eleven, and pass@k for at most KB_AT_K_COUNT of k: what a forged record has
 * beyond this is left out. */
#define KB_SHEET_ROWS_MAX 32

struct kb_sheet_rows {
	struct kb_sheet_row items[KB_SHEET_ROWS_MAX];
	size_t count;
};

enum kb_row_choice {
	KB_ROWS_BESIDE_STATUSES,	/* all but what a table of statuses
					   has: those that are missing */
	KB_ROWS_TABLE,			/* all but pass@k */
	KB_ROWS_INTERVALS,		/* what is certain at 95 %: none by a
					   preset without intervals */
	KB_ROWS_BRIEF,			/* what a table of several scores has
					   room for: shares and the mean */
	KB_ROWS_BRIEF_INTERVALS,
};

/* Rows of a score, in the order of all tables: of fast_p those that its preset
 * has. */
struct kb_sheet_rows kb_sheet_rows(const struct kb_score_sheet *s,
				   enum kb_row_choice which);

struct kb_sheet_cell {
	int64_t value;			/* a count; of a mean and of pass@k
					   millionths, or KB_UNKNOWN */
	int64_t part, whole;		/* what is a share of what; of nothing
					   if `whole` is 0 */
	const struct kb_share *share;	/* the same exactly, if the score's
					   definition has it; borrowed */
	int64_t untimed;		/* correct candidates that a mean does
					   not count */
	bool has_interval;		/* from `low` to `high`, at 95 %: what
					   is certain and what may be, and of a
					   mean millionths, or KB_UNKNOWN */
	int64_t low, high;
};

struct kb_sheet_cell kb_sheet_cell(const struct kb_score_sheet *s, size_t part,
				   const struct kb_sheet_row *row);

/* How a form spells what is in cells. */
struct kb_cell_style {
	const char *percent, *times;	/* behind a share, and a mean */
	const char *none;		/* "-" */
	const char *before_untimed, *after_untimed;	/* the number */
};

/* Append "12 (66.7%)", "1.414x, 1 untimed", "10 to 12" or "0.912 to 1.234", of
 * which one end may be "unknown". */
void kb_sheet_cell_print(struct kb_buf *out, const struct kb_score_sheet *s,
			 size_t part, const struct kb_sheet_row *row,
			 const struct kb_cell_style *style);

#endif
