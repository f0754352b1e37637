/* Dies between the gate and the goal. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_through(&r, KB_OP_RUN);
	wait_at_gate(&r);
	abort();
}
