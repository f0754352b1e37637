#ifndef KB_WORKER_KEEPER_H
#define KB_WORKER_KEEPER_H

#include <stdint.h>

struct kb_spawn;

/*
 * The keeper's half of worker/process.h. The supervisor sends one enum
 * kb_keeper_command byte at a time; the keeper sends struct
 * kb_keeper_report, and may send KB_KEEPER_ENDED at any time. After that, or
 * KB_KEEPER_UNSTOPPABLE, it kills what is left and does nothing more; commands
 * that cross such a report are dropped. When the supervisor's end is closed,
 * the keeper kills what is left and exits.
 */

enum kb_keeper_command {
	KB_KEEPER_STOP = 's',		/* answered by STOPPED, or by the end */
	KB_KEEPER_CONTINUE = 'c',	/* not answered */
};

enum kb_keeper_event {
	KB_KEEPER_READY = 1,	/* value: features in force */
	KB_KEEPER_REFUSED,	/* value: errno; the namespaces cannot be used */
	KB_KEEPER_FAILED,	/* value: errno; could not start the program */
	KB_KEEPER_STOPPED,
	KB_KEEPER_ENDED,	/* value: wait status */
	KB_KEEPER_UNSTOPPABLE,	/* value: wait status; it was killed */
};

struct kb_keeper_report {
	uint32_t event;
	int32_t value;
};

/* Runs in the fresh child; `fd` is its end of the socket. */
void kb_keeper_run(const struct kb_spawn *spawn, uint32_t clone_flags,
		   uint32_t uid, uint32_t gid, int fd) __attribute__((noreturn));

#endif
