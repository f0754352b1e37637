/* Answers with the right nonce for another operation. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_until(&r, KB_OP_GENERATE);
	r.op = KB_OP_RUN;
	answer(&r, KB_ACK_OK);
	sleep_forever();
}
