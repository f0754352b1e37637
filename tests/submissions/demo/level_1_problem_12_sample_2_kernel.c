/* expected: exited; leaves a child behind that holds all it inherited */
#include <signal.h>
#include <unistd.h>

#include <kb_native.h>

#define CHILD_LIFE_S 600

int kb_forward(const struct kb_native_call *call)
{
	(void)call;
	if (fork() == 0) {
		signal(SIGTERM, SIG_IGN);
		setsid();
		sleep(CHILD_LIFE_S);
	}
	_exit(7);
}
