/* acks-wrong-size BYTES: an answer that begins well and has BYTES bytes. */
#include "workers/fake.h"

int main(int argc, char *argv[])
{
	struct {
		struct kb_ack ack;
		char more[64];
	} a;
	struct kb_request r;

	if (argc != 2)
		return 99;
	behave_until(&r, KB_OP_GENERATE);
	memset(&a, 0, sizeof(a));
	a.ack = (struct kb_ack){ .nonce = r.nonce, .op = r.op };
	say(&a, (size_t)atoi(argv[1]));
	sleep_forever();
}
