#ifndef KB_CMD_COMPLETION_H
#define KB_CMD_COMPLETION_H

struct kb_buf;
struct kb_command;
struct kb_err;

/*
 * Scripts by which shells complete command lines, made from option tables.
 *
 * A script is a head, a part for each program, and a foot. Each program
 * prints its own part, since only it has its tables; kb(1) prints the head,
 * its own part, those of the others, and the foot.
 */
enum kb_shell {
	KB_SHELL_BASH,
	KB_SHELL_ZSH,
	KB_SHELL_FISH,
	KB_SHELL_COUNT,			/* not a shell */
};

/* Fails with KB_ERR_USAGE. */
int kb_shell_parse(enum kb_shell *out, const char *name, struct kb_err *err);

void kb_completion_head(struct kb_buf *out, enum kb_shell shell);
void kb_completion_part(struct kb_buf *out, enum kb_shell shell,
			const struct kb_command *c);
void kb_completion_foot(struct kb_buf *out, enum kb_shell shell);

#endif
