/* Says that it is done before the gate is open. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_until(&r, KB_OP_RUN);
	say_done(&r);
	answer(&r, KB_ACK_OK);
	wait_for_release(&r);
	answer(&r, KB_ACK_OK);
	sleep_forever();
}
