#ifndef KB_CREW_PROCESSORS_H
#define KB_CREW_PROCESSORS_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * While anything is timed, builds keep off the processors that time. What this process
 * may use all that it starts inherits: so a lane that is started anew must be given
 * back what builds gave up, or it would time on processors of theirs, and report fewer
 * than the first one did.
 */
struct kb_processors {
	cpu_set_t all;			/* when they were noted */
	bool is_known;
};

#define KB_PROCESSORS_INIT { .is_known = false }

/*
 * How many of so many processors builds leave to lanes on GPUs: three for each
 * lane, for itself, for the worker that it times and for one to spare, which is
 * what times were seen not to change with; two where a lane has fewer than eight
 * in all, since builds would have too few.
 */
size_t kb_processors_to_time(size_t processors, size_t lanes);

/* Note the processors that this process may use. */
void kb_processors_note(struct kb_processors *p);

/* From now on it does without the first so many of these; with all of them, if
 * none were left. */
void kb_processors_keep_off(const struct kb_processors *p, size_t count);

/* It, and all processes below it but those that are spared. Returns as
 * kb_move_below(). */
bool kb_processors_share(const struct kb_processors *p, size_t kept_off,
			 bool (*is_spared)(void *context, pid_t pid),
			 void *context);

/* Restore the affinity mask that kb_processors_note() saved. No effect on
 * KB_PROCESSORS_INIT. */
void kb_processors_restore(const struct kb_processors *p);

#endif
