#ifndef KB_CONFINE_SERVED_H
#define KB_CONFINE_SERVED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * A fork server's half of confine/fork_server.h, as a library for an interpreter.
 * In this order: kb_served_begin(), imports, kb_served_ready(); then for each
 * program kb_served_await() and kb_served_fork(). In the program, which is where
 * the latter returns 0, kb_served_argument() and kb_served_variable() until they
 * return NULL, and kb_served_forget().
 */

/* Whatever else this user runs may not look into this process. Returns 0 or an
 * errno value. */
int kb_served_begin(void);

/* Tell the supervisor, if a fork of this process is what it ought to be; false
 * and an errno if not. */
bool kb_served_ready(void);

/* False: there is no supervisor. */
bool kb_served_await(void);

/* The pid of the monitor, a negative errno value, or 0. The interpreter's share of
 * a fork is called before it, and after it in the parent and in the program. */
typedef void kb_served_hook(void);
pid_t kb_served_fork(kb_served_hook *before, kb_served_hook *in_parent,
		     kb_served_hook *in_program);

const char *kb_served_argument(size_t i);
const char *kb_served_variable(size_t i);

/* All that the program was not to be told of how it was started. */
void kb_served_forget(void);

#endif
