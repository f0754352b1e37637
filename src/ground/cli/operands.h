#ifndef KB_CLI_OPERANDS_H
#define KB_CLI_OPERANDS_H

struct kb_err;

/*
 * Operands, as a usage line has them: "SUITE SUBMISSION", "BUNDLE...",
 * "[COMMAND]", "COMMAND [ARGUMENT...]". Words are separated by one blank.
 * What is in brackets may be left out, "..." stands for more of the same, and
 * "|" for "or".
 *
 * Are there as many as `usage` says? Fails with KB_ERR_USAGE: the first that is
 * missing, or the first that is too many.
 */
int kb_operands_check(const char *usage, int argc, char *const argv[],
		      struct kb_err *err);

#endif
