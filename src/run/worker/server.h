#ifndef KB_WORKER_SERVER_H
#define KB_WORKER_SERVER_H

#include "confine/fork_server.h"

struct kb_launcher;

/* Modules that a server imports beside torch, for the programs that do so. */
enum kb_module {
	KB_MODULE_TRITON,
	KB_MODULE_INDUCTOR,		/* what torch.compile() imports */
	KB_MODULE_COUNT,		/* not a module */
};

/* The modules that Python code seems to import: bit (1 << enum kb_module). Any
 * bytes will do. */
uint32_t kb_modules_of(const char *code, size_t len);

/* The fork server of a launcher, and what it was started with. */
struct kb_server {
	struct kb_fork_server fork;
	uint32_t modules;
	pid_t owner;			/* who began it; 0: nobody */
	char *python;
	char **env;
};

#define KB_SERVER_INIT { .fork = KB_FORK_SERVER_INIT }

/*
 * The server that forks the program of this command line, or NULL if the
 * program must be executed. A server has imported torch, so that it is for
 * scripts of the torch runtime. It is begun when it is first asked for, and
 * anew for another interpreter or environment, compilers' variables aside; it
 * imports the launcher's `modules`. A lost server is not replaced, unless it had
 * such modules: then by one without, since it may be these that cannot be
 * shared.
 */
struct kb_fork_server *kb_launcher_server(struct kb_launcher *l,
					  const char *const argv[]);

/* Begin it before it is asked for: it imports meanwhile. */
void kb_launcher_begin_server(struct kb_launcher *l);

void kb_launcher_end_server(struct kb_launcher *l);

#endif
