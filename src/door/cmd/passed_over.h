#ifndef KB_CMD_PASSED_OVER_H
#define KB_CMD_PASSED_OVER_H

struct kb_passed_over;

/* Say on standard error what was not packed, or the first of it. */
void kb_print_passed_over(const char *tool, const struct kb_passed_over *p);

#endif
