#ifndef KB_WORKER_TASK_H
#define KB_WORKER_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/launch.h"
#include "worker/limit.h"

struct kb_buf;
struct kb_err;

/*
 * A program that is run to its end, confined: a compiler, a query, an audit.
 * It speaks no protocol; what it prints is its log. Several may run at a
 * time.
 */
struct kb_task {
	struct kb_process process;
	int log_fd;
	enum kb_phase phase;		/* what a fault of it says */
	struct kb_limit limit;		/* by kb_awake_ns() */
	const char *const *hidden;	/* set before the start: files that it is
					   not to see, as struct kb_files has
					   them; or NULL */
	int64_t quiet_ns;		/* set before the start: of its time,
					   with no process below it busy; 0:
					   all */
	bool unlimited;			/* set before the start: its memory is
					   not limited */
};

#define KB_TASK_INIT { .process = KB_PROCESS_INIT, .log_fd = -1 }

/*
 * Start `argv` in `dir`, with the limits of `l`; what it will leave is there.
 * Fails with KB_ERR_SYS. The caller ends it with kb_task_end(), also after a
 * failure.
 */
int kb_task_start(struct kb_task *t, struct kb_launcher *l,
		  const char *const argv[], struct kb_scratch_dir *dir,
		  enum kb_phase phase, int64_t timeout_ns, struct kb_err *err);

enum kb_task_state {
	KB_TASK_FAILED,			/* see the fault */
	KB_TASK_DONE,			/* it ended with status 0 */
	KB_TASK_RUNNING,
};

/*
 * How is it? After anything but KB_TASK_RUNNING it is only good for
 * kb_task_log() and kb_task_end(). Both fail with KB_ERR_SYS,
 * KB_ERR_INTERRUPTED.
 */
int kb_task_poll(struct kb_task *t, struct kb_fault *fault,
		 struct kb_err *err);

/* The same when it has ended: 1 if it is done, 0 if it failed. */
int kb_task_wait(struct kb_task *t, struct kb_fault *fault,
		 struct kb_err *err);

/* Append what it printed; kills what still runs. See kb_log_read(). */
void kb_task_printed(struct kb_task *t, struct kb_buf *out, bool *truncated);

/* The same, and a line that names system calls which it was refused, for people. */
void kb_task_log(struct kb_task *t, struct kb_buf *log, bool *truncated);

/* Kills it, gives everything back. Fine on KB_TASK_INIT. */
void kb_task_end(struct kb_task *t);

static inline void kb_cleanup_task(struct kb_task *t)
{
	kb_task_end(t);
}

#endif
