/* Lives on, but will not be talked to. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_until(&r, KB_OP_GENERATE);
	close(KB_CHANNEL_FD);
	sleep_forever();
}
