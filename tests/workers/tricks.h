#ifndef KB_TESTS_TRICKS_H
#define KB_TESTS_TRICKS_H

#include <stdint.h>

/*
 * What workers/tricks and the test that runs it share: one page, which the
 * program finds as descriptor 3.
 */

#define TRICKS_COUNTERS 8
#define TRICKS_ANSWERS 16

struct tricks_page {
	uint32_t ready;				/* it has begun */
	uint64_t counters[TRICKS_COUNTERS];	/* one a thread or process */
	int32_t answers[TRICKS_ANSWERS];
};

/* What the trick "sigcont" tries, in the order of its answers. */
enum tricks_signal_way {
	TRICKS_KILL,
	TRICKS_TKILL,
	TRICKS_TGKILL,
	TRICKS_SIGQUEUE,
	TRICKS_TGSIGQUEUE,
	TRICKS_PIDFD,
	TRICKS_TIMER,
	TRICKS_SETSIG,
	TRICKS_PDEATHSIG,
	TRICKS_CLONE,
	TRICKS_CLONE3,
	TRICKS_MESSAGE_QUEUE,
	TRICKS_TERMINAL,
	TRICKS_SIGNAL_WAYS,
};

#endif
