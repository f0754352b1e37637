/* Goes to sleep in a way that looks like our own doing. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_until(&r, KB_OP_GENERATE);
	raise(SIGSTOP);
	sleep_forever();
}
