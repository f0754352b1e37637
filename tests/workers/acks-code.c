/* acks-code OP CODE: answers the first OP with CODE. */
#include "workers/fake.h"

int main(int argc, char *argv[])
{
	struct kb_request r;

	if (argc != 3)
		return 99;
	behave_until(&r, (uint32_t)atoi(argv[1]));
	answer(&r, (uint32_t)atoi(argv[2]));
	sleep_forever();
}
