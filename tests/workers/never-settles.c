/* Arrives, and does not say how it went. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_through(&r, KB_OP_RUN);
	wait_at_gate(&r);
	say_done(&r);
	sleep_forever();
}
