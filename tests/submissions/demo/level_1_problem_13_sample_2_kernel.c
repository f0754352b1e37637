/* expected: timed_out; in phase run, sleeps for ever and ignores SIGTERM */
#include <signal.h>
#include <unistd.h>

#include <kb_native.h>

int kb_forward(const struct kb_native_call *call)
{
	(void)call;
	signal(SIGTERM, SIG_IGN);
	for (;;)
		pause();
}
