/* Answers, and answers again. Holds its word until both are sent. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;
	struct kb_ack ack;
	struct iovec iov = { .iov_base = &ack, .iov_len = sizeof(ack) };
	struct mmsghdr two[2];

	behave_until(&r, KB_OP_GENERATE);
	ack = (struct kb_ack){ .nonce = r.nonce, .op = r.op };
	memset(two, 0, sizeof(two));
	for (int i = 0; i < 2; i++) {
		two[i].msg_hdr.msg_iov = &iov;
		two[i].msg_hdr.msg_iovlen = 1;
	}
	if (sendmmsg(KB_CHANNEL_FD, two, 2, 0) != 2)
		return 92;
	sleep_forever();
}
