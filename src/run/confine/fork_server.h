#ifndef KB_CONFINE_FORK_SERVER_H
#define KB_CONFINE_FORK_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct kb_err;
struct kb_spawn;

/*
 * A program that is slow to start, started once. A fork server is an interpreter
 * that has imported what programs need. For each of them it is asked for a
 * monitor (confine/process.h): a child that is ours by CLONE_PARENT, and that
 * forks the program, which goes through every step of confinement and then, in
 * place of exec, goes on in the interpreter.
 *
 * The server is not confined, as we are not, for what it forks could do no more
 * than it can. So it runs nothing of a candidate or a problem, and what it is told
 * of a program is which namespaces that is to have; the rest is in a memory file
 * that its child reads. It has one thread, no descriptor but its standard ones and
 * its socket, and no memory that it shares; or it says that it cannot serve.
 *
 * src/run/confine/served.h is the server's half.
 */
struct kb_fork_server {
	pid_t pid;			/* 0: there is none */
	int fd;
	pid_t owner;			/* whose children its children are */
	bool is_ready;
	int64_t deadline_ns;		/* of its next answer */
	int64_t answer_ns;		/* from a request on; the first has its
					   own time */
};

#define KB_FORK_SERVER_INIT { .fd = -1 }

/* Where the server finds its socket. */
#define KB_FORK_SERVER_FD 3

/*
 * Execute it; it gets ready meanwhile, within `timeout_ns`. `argv` and `env` as of
 * struct kb_spawn. Fails with KB_ERR_SYS.
 */
int kb_fork_server_start(struct kb_fork_server *f, const char *const argv[],
			 const char *const env[], int64_t timeout_ns,
			 struct kb_err *err);

/* Can this process ask it? Not where it was started by another one, of which we
 * are a fork. */
bool kb_fork_server_is_there(const struct kb_fork_server *f);

/*
 * A monitor of a program in new namespaces by `clone_flags`, with `monitor_fd`
 * as its end of the socket to us: `*pid`, or -1 with errno set if it cannot be
 * had. Waits until the server is ready, and then for its answer; one that does not
 * give it in time is ended. Fails with KB_ERR_INTERRUPTED, or KB_ERR_SYS: then
 * there is no server any more.
 */
int kb_fork_server_fork(struct kb_fork_server *f, pid_t *pid,
			const struct kb_spawn *spawn, unsigned clone_flags,
			int monitor_fd, struct kb_err *err);

/* The processes that it has forked go on. */
void kb_fork_server_end(struct kb_fork_server *f);

/* --- what both halves say ---------------------------------------------- */

/* The descriptors of a request: they come in this order, those that there are. */
enum kb_fork_fd {
	KB_FORK_MONITOR,		/* struct kb_spawn has the others */
	KB_FORK_SPAWN,			/* see confine/spawn_bytes.h */
	KB_FORK_LOG,
	KB_FORK_CHANNEL,
	KB_FORK_GROUP,
	KB_FORK_FDS,
};

struct kb_fork_request {
	uint32_t clone_flags;
	uint32_t fds;			/* bit (1 << enum kb_fork_fd) */
};

/* And once, with 0, when it can serve. */
struct kb_fork_answer {
	int32_t pid;			/* of the monitor, or -errno */
};

#endif
