#ifndef KB_PAGES_BOARD_DATA_H
#define KB_PAGES_BOARD_DATA_H

struct kb_board;
struct kb_buf;

/* The leaderboard for programs: canonical JSON, as kb-report(1) tells of it;
 * and as comma-separated values (RFC 4180, with line feeds), a row for each
 * score and level and one for all levels. A text that a spreadsheet would take
 * for a formula gets an apostrophe in front. */
void kb_board_json_print(struct kb_buf *out, const struct kb_board *b);
void kb_board_csv_print(struct kb_buf *out, const struct kb_board *b);

#endif
