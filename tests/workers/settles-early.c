/* Says how it went before it was asked. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_through(&r, KB_OP_RUN);
	wait_at_gate(&r);
	answer(&r, KB_ACK_OK);
	say_done(&r);
	sleep_forever();
}
