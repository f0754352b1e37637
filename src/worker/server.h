#ifndef KB_WORKER_SERVER_H
#define KB_WORKER_SERVER_H

#include "confine/fork_server.h"

struct kb_launcher;

/* The fork server of a launcher, and what it was started with. */
struct kb_server {
	struct kb_fork_server fork;
	pid_t owner;			/* who began it; 0: nobody */
	char *python;
	char **env;
};

#define KB_SERVER_INIT { .fork = KB_FORK_SERVER_INIT }

/*
 * What forks the program of this command line, or NULL: then it is to be
 * executed. A server has imported torch, so that it is for scripts of the torch
 * runtime. It is begun when it is first asked for, and anew for another
 * interpreter or environment; one that was lost is not replaced.
 */
struct kb_fork_server *kb_launcher_server(struct kb_launcher *l,
					  const char *const argv[]);

void kb_launcher_end_server(struct kb_launcher *l);

#endif
