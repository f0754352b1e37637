#ifndef KB_WORKER_VARIABLES_H
#define KB_WORKER_VARIABLES_H

struct kb_json;
struct kb_root;

/*
 * Variables of our environment whose values a confined program gets as they
 * are: where the user's own programs and libraries are, and what compilers and
 * languages for kernels want to be told. All else that a program may look at is
 * set by worker/env.c, the same for every worker; which puts words of its own
 * before those of NVCC_PREPEND_FLAGS.
 *
 * Of TileLang every variable is of them whose name begins with "TILELANG_", but
 * for those that say where it writes.
 */

/* The variables that are set, as "NAME=value"; NULL ends them. The caller frees
 * with kb_variables_free(). */
char **kb_variables_new(void);
void kb_variables_free(char **variables);

/* Where `pip install --user` puts packages: PYTHONUSERBASE, which programs are
 * told if it is not set, or ~/.local. NULL if there are none; the caller frees. */
char *kb_variables_user_base(void);

/* Add what they name to a root: programs with their installation, directories
 * with all below them. */
void kb_variables_show(struct kb_root *r);

/* The variables of compilers and languages that are set, which decide what is
 * built, as an object of strings; NULL without any. The caller frees. */
struct kb_json *kb_variables_to_json(void);

#endif
