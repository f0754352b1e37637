/* expected: protocol_violation; forges an acknowledgement, nonce unknown */
#include <unistd.h>

#include <kb_native.h>

#define CHANNEL_FD 3
#define OP_RUN 4

int kb_forward(const struct kb_native_call *call)
{
	const struct {
		uint64_t nonce;
		uint32_t op;
		uint32_t code;
	} ack = { .nonce = 0, .op = OP_RUN, .code = 0 };

	(void)call;
	if (write(CHANNEL_FD, &ack, sizeof(ack)) < 0)
		return KB_NATIVE_FAILED;
	return KB_NATIVE_OK;
}
