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

void kb_interrupt_catch(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = note;
	sa.sa_flags = (int)SA_RESETHAND;	/* and no SA_RESTART */
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &sa, NULL);
}

bool kb_interrupted(void)
{
	return caught;
}
