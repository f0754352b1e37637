#ifndef KB_CONFINE_STOPPED_H
#define KB_CONFINE_STOPPED_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Whether SIGSTOP has done its work. It is sent at once, but a task stops
 * only when it returns from the system call that it is in, and one preadv()
 * can go on storing to memory for half a second. kill(2) does not wait for
 * that, and waitpid(2) tells of children alone.
 *
 * For the monitor: system calls only, nothing is allocated.
 */

/*
 * Is every thread of every process below the caller stopped or dead, so that
 * none of them changes memory any more? Ask after SIGSTOP was sent to all of
 * them. They have no way to have SIGCONT sent, so that true stays true.
 *
 * `group` is their process group by the numbers of /proc, or KB_EVERYBODY if
 * /proc shows no process but the caller and those below it. Also false if there
 * is no /proc, or if it cannot be read to the end.
 */
#define KB_EVERYBODY ((pid_t)-1)

bool kb_all_stopped(pid_t group);

/*
 * The same of a program that is the caller's only child, has one thread and has
 * started nothing, which is what most are: then nobody but the program is below
 * the caller, and wait(2) says of it whether it has stopped. Descriptors are
 * kept for that, because opening files of /proc costs more than reading them.
 */
struct kb_alone {
	int tasks_fd;			/* /proc/PID/task */
	int children_fd;		/* of its first thread */
	int own_children_fd;		/* of the caller */
};

#define KB_ALONE_INIT { .tasks_fd = -1, .children_fd = -1, \
			.own_children_fd = -1 }

/* Open the files of the caller's first child, which has not been waited for. A
 * file that cannot be opened stays -1. */
void kb_alone_open(struct kb_alone *a);

/* Is nobody below the caller but one thread? To be asked when the program is
 * known to be stopped; false tells nothing. */
bool kb_alone_holds(const struct kb_alone *a);

/* The caller's first child by the numbers of /proc, which are those of another
 * namespace if /proc is; 0, of which no process is, if /proc does not say. */
pid_t kb_first_child(void);

#endif
