/* Passes the gate and does not arrive. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_through(&r, KB_OP_RUN);
	wait_at_gate(&r);
	sleep_forever();
}
