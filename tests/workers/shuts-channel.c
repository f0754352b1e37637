/* Keeps the channel, but will not say anything more. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_until(&r, KB_OP_GENERATE);
	shutdown(KB_CHANNEL_FD, SHUT_WR);
	sleep_forever();
}
