#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

/* The type that the C standard lets a handler write to (C11, 7.14.1.1). */
static volatile sig_atomic_t caught;

static void on_signal(int sig)
{
	(void)sig;
	caught = 1;
}

static void set_handler(void (*handler)(int sig))
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = handler;
	/* Caught once: the second signal ends a program that does not react to
	 * the first. Without SA_RESTART calls that wait return with EINTR, so
	 * that who waits can ask kb_interrupted(). */
	sa.sa_flags = (int)SA_RESETHAND;	/* and no SA_RESTART */
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction old;

		/* These signals exist: sigaction(2) cannot fail. */
		(void)sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			(void)sigaction(signals[i], &sa, NULL);
	}
}

void kb_interrupt_catch(void)
{
	set_handler(on_signal);
}

void kb_interrupt_leave(void)
{
	set_handler(SIG_DFL);
}

bool kb_interrupted(void)
{
	return caught;
}
