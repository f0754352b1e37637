/* Answers and is gone, now before, now after it could be stopped. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	take(&r);
	answer(&r, KB_ACK_OK);
	_exit(3);
}
