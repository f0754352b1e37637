/* Answers another question. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_until(&r, KB_OP_GENERATE);
	r.nonce ^= UINT64_C(1) << 63;
	answer(&r, KB_ACK_OK);
	sleep_forever();
}
