#ifndef KB_WORKER_TORCH_H
#define KB_WORKER_TORCH_H

#include <stdbool.h>
#include <stddef.h>

struct kb_err;
struct kb_launcher;
struct kb_scratch_dir;

/* The command lines of the torch runtime's programs. */

/* A command line with room for every option; words are borrowed. */
struct kb_arguments {
	const char *argv[24];
	size_t count;
};

/* NULL is no argument: it would be the last one for the program. */
void kb_arguments_add(struct kb_arguments *a, const char *argument);

/* Nothing without a value. */
void kb_arguments_add_option(struct kb_arguments *a, const char *name,
			     const char *value);

/* The launcher's options for torch; for a reference also how it is run, and its
 * alternate inputs, if it has any. */
void kb_arguments_add_torch(struct kb_arguments *a, const struct kb_launcher *l,
			    const char *alternate, bool reference);

/* The runtime's Python files and the suite's modules, into `dir`. As
 * kb_scratch_copy(). */
int kb_torch_put(const struct kb_scratch_dir *dir, const struct kb_launcher *l,
		 struct kb_err *err);

/* There is no Python: fails with KB_ERR_MISSING. */
int kb_torch_missing(struct kb_err *err);

#endif
