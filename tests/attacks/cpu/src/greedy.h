#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Once, and not in the first run: the candidate is asked for several. Of short calls
 * the hundredth comes when no more descriptors are sent. */
#ifndef CALL
#define CALL 5
#endif
static int is_the_time(void)
{
	static int calls;

	return ++calls == CALL;
}
