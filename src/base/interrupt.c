#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static volatile sig_atomic_t caught;

static void note(int sig)
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
	sa.sa_flags = (int)SA_RESETHAND;	/* and no SA_RESTART */
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		(void)sigaction(signals[i], &sa, NULL);	/* they exist */
}

void kb_interrupt_catch(void)
{
	set_handler(note);
}

void kb_interrupt_leave(void)
{
	set_handler(SIG_DFL);
}

bool kb_interrupted(void)
{
	return caught;
}
