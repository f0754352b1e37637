#ifndef KB_PAGES_CELLS_H
#define KB_PAGES_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/status.h"
#include "store/digest.h"

struct kb_buf;
struct kb_clocked_bound;
struct kb_json;
struct kb_suite;

/*
 * Tables of pages. A cell of a number has two forms: what a record has, in the
 * attribute data-v, by which the script sorts and tests compare, and what
 * people read. For an unknown number data-v is empty and the text is "-".
 */

enum kb_cell {
	KB_CELL_COUNT,			/* 1234 */
	KB_CELL_US,			/* of ns: 1.234 */
	KB_CELL_RATIO,			/* of millionths: 1.234x */
	KB_CELL_SHARE,			/* of millionths: 12.3% */
	KB_CELL_MB,			/* of bytes: 1.234 */
};

void kb_cell_number(struct kb_buf *out, enum kb_cell how, int64_t value);

/* "1.2 to 3.4"; data-v has the lower end. An end that is KB_UNKNOWN or
 * INT64_MAX is "unknown"; if both are KB_UNKNOWN, so is the interval. */
void kb_cell_interval(struct kb_buf *out, enum kb_cell how, int64_t low,
		      int64_t high);

/* So many of so many, with the share in percent. */
void kb_cell_count(struct kb_buf *out, int64_t count, int64_t of);

/* An error, as records have it: nine digits and, to read, two. */
void kb_cell_error(struct kb_buf *out, double error);

/* By which clock a bound is; data-v has the MHz. */
void kb_cell_bound_clock(struct kb_buf *out, const struct kb_clocked_bound *b);

/* Words; and a status with the letter of its class. */
void kb_cell_text(struct kb_buf *out, const char *text);
void kb_cell_status(struct kb_buf *out, enum kb_status status);

/* The head of a column: `of` is the member of a record that it shows, or a
 * name of ours; also of cells' tables. */
struct kb_head {
	const char *of;
	const char *text;
	bool is_text;			/* to the left; sorted from A on */
	bool is_filter;		/* the script offers a choice */
};

/* "<div class=wide><table ...><caption>...<tbody>", for the script to sort
 * and, if `has_filters`, to filter; and its end. */
void kb_table_begin(struct kb_buf *out, const char *id, const char *caption,
		    const struct kb_head heads[], size_t count,
		    bool has_filters);
void kb_table_end(struct kb_buf *out);

/* An entry of a list of facts. */
void kb_fact_begin(struct kb_buf *out, const char *name);
void kb_fact_end(struct kb_buf *out);
void kb_fact(struct kb_buf *out, const char *name, const char *text);
void kb_fact_suite(struct kb_buf *out, const struct kb_suite *s);
void kb_fact_id(struct kb_buf *out, const char *name,
		const struct kb_digest *id);

/* A flat object, or one of flat objects, as a list of facts in what can be
 * unfolded. */
void kb_facts_of_json(struct kb_buf *out, const char *summary,
		      const struct kb_json *object);

#endif
