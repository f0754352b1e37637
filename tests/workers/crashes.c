/* crashes OP SIGNAL: dies when asked for OP. */
#include "workers/fake.h"

int main(int argc, char *argv[])
{
	struct kb_request r;

	if (argc != 3)
		return 99;
	behave_until(&r, (uint32_t)atoi(argv[1]));
	raise(atoi(argv[2]));
	return 98;
}
