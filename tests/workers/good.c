/* Does as it is told, without computing anything. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	for (;;) {
		take(&r);
		if (r.op == KB_OP_RUN) {
			answer(&r, KB_ACK_OK);
			wait_at_gate(&r);
			say_done(&r);
			wait_for_release(&r);
		}
		answer(&r, KB_ACK_OK);
	}
}
