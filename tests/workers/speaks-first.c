/* Answers a question that has not been asked yet. */
#include "workers/fake.h"

int main(void)
{
	struct kb_ack ack = { .nonce = 1, .op = KB_OP_LOAD };

	say(&ack, sizeof(ack));
	sleep_forever();
}
