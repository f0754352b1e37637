#ifndef KB_BASE_OUTPUT_H
#define KB_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct kb_err;
struct kb_new_file;

/*
 * Files that people name for what a program makes: -o FILE.
 *
 * - A link is followed.
 * - A regular file is created with 0666 less the umask or replaced, whole or
 *   not at all, as base/file.h says.
 * - Anything else, such as a device, a FIFO or a terminal, is written to.
 * - What is standard output or standard error already (/dev/stdout) gets the
 *   bytes there, behind what it has.
 *
 * All fail with KB_ERR_SYS.
 */

/* To write to `f->fd`, and then kb_new_file_commit(). The caller releases `f` in
 * any case. */
int kb_output_open(struct kb_new_file *f, const char *path, struct kb_err *err);

int kb_output_write(const char *path, const void *data, size_t len,
		    struct kb_err *err);

/* For who writes after hours of work: could `path` be written now? */
int kb_output_check(const char *path, struct kb_err *err);

/* Is it what standard output is? Then nothing else may be printed there. */
bool kb_output_is_stdout(const char *path);

#endif
