#ifndef KB_CONFINE_MONITOR_H
#define KB_CONFINE_MONITOR_H

#include <stdint.h>

struct kb_spawn;

/*
 * The monitor's half of confine/process.h. The supervisor sends one enum
 * kb_monitor_command byte at a time; the monitor sends struct
 * kb_monitor_report, and may send KB_MONITOR_ENDED at any time. After that, or
 * KB_MONITOR_UNSTOPPABLE, it kills what is left and does nothing more; commands
 * that cross such a report are dropped. When the supervisor's end is closed,
 * the monitor kills what is left and exits.
 */

enum kb_monitor_command {
	KB_MONITOR_STOP = 's',		/* answered by STOPPED, or by the end */
	KB_MONITOR_CONTINUE = 'c',	/* not answered */
};

enum kb_monitor_event {
	KB_MONITOR_WORK,	/* with a descriptor of the directory that the
				   program will work in; it starts when it is
				   told to CONTINUE */
	KB_MONITOR_READY,	/* value: features in force */
	KB_MONITOR_REFUSED,	/* value: errno; the namespaces cannot be used */
	KB_MONITOR_FAILED,	/* value: errno; could not start the program */
	KB_MONITOR_STOPPED,
	KB_MONITOR_CALL,	/* value: the number of a system call that was
				   refused for the first time; any time after
				   READY */
	KB_MONITOR_ENDED,	/* value: wait status */
	KB_MONITOR_UNSTOPPABLE,	/* value: wait status; it was killed */
	KB_MONITOR_GONE,	/* said by nobody: the monitor has ended before
				   what it watches */
};

struct kb_monitor_report {
	uint32_t event;
	int32_t value;
};

/* Runs in the fresh child; `fd` is its end of the socket. Returns in the program
 * alone, if that goes on without exec. */
void kb_monitor_run(const struct kb_spawn *spawn, uint32_t clone_flags,
		   uint32_t uid, uint32_t gid, int fd);

#endif
