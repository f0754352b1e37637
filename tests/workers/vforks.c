/* Answers from a second thread while the first cannot be stopped. */
#include <pthread.h>

#include "workers/fake.h"

static void *vfork_and_wait(void *unused)
{
	if (!vfork())
		sleep_forever();
	return unused;
}

int main(void)
{
	struct kb_request r;
	pthread_t t;

	behave_until(&r, KB_OP_GENERATE);
	if (pthread_create(&t, NULL, vfork_and_wait, NULL))
		return 98;
	usleep(50 * 1000);
	answer(&r, KB_ACK_OK);
	sleep_forever();
}
