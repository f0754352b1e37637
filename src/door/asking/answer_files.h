#ifndef KB_ASKING_ANSWER_FILES_H
#define KB_ASKING_ANSWER_FILES_H

#include <stddef.h>

struct kb_err;
struct kb_work;

/*
 * Files of answers: a line each, in any order. A line that cannot be taken is
 * passed over, with a message; the others are taken.
 */
struct kb_taking {
	struct kb_work *work;		/* borrowed */
	/* Hears of lines that were passed over, and of what is odd. */
	void (*say)(const char *message);
	size_t taken;
	size_t taken_before;		/* the same bytes, once more */
	size_t passed_over;
};

/* Bytes that come in pieces, wherever these end. For `name`, a file's. */
struct kb_answer_lines;

struct kb_answer_lines *kb_answer_lines_new(struct kb_taking *t,
					    const char *name);
void kb_answer_lines_free(struct kb_answer_lines *l);	/* NULL is allowed */

/* Fail as kb_work_take() does with KB_ERR_SYS. */
int kb_answer_lines_feed(struct kb_answer_lines *l, const char *piece,
			 size_t len, struct kb_err *err);
int kb_answer_lines_end(struct kb_answer_lines *l, struct kb_err *err);

/* All of the file at `path`. Fails with KB_ERR_MISSING, KB_ERR_SYS. */
int kb_answer_file_take(struct kb_taking *t, const char *path,
			struct kb_err *err);

#endif
