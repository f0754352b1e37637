/* Prints without end between the gate and the goal. */
#include "workers/fake.h"

int main(void)
{
	static const char text[] = "all work and no play\n";
	struct kb_request r;

	behave_through(&r, KB_OP_RUN);
	wait_at_gate(&r);
	for (;;)
		(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
}
