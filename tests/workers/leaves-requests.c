/* Reads each request, answers it, and takes none off its channel. */
#include "workers/fake.h"

int main(void)
{
	const int start = 0;
	struct kb_request r;

	take(&r);
	answer(&r, KB_ACK_OK);
	if (setsockopt(KB_CHANNEL_FD, SOL_SOCKET, SO_PEEK_OFF, &start,
		       sizeof(start)) < 0)
		return 93;
	while (recv(KB_CHANNEL_FD, &r, sizeof(r), MSG_PEEK) == sizeof(r))
		answer(&r, KB_ACK_OK);
	return 94;
}
