#ifndef KB_SHEET_COMPARABLE_H
#define KB_SHEET_COMPARABLE_H

#include <stddef.h>

struct kb_err;
struct kb_score_sheet;

/*
 * May these scores be rows of one table? They may if each is there once, and
 * all count the same problems of one suite by one definition. Other
 * differences, such as baseline, machine or tolerance, fit into a row's label:
 * comparison.h.
 *
 * Fails with KB_ERR_INPUT; the message has the `names` of the two that do not
 * belong together, and why.
 */
int kb_sheets_check_comparable(const struct kb_score_sheet *sheets,
			       const char *const names[], size_t count,
			       struct kb_err *err);

#endif
