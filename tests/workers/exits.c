/* exits OP STATUS: ends when asked for OP. */
#include "workers/fake.h"

int main(int argc, char *argv[])
{
	struct kb_request r;

	if (argc != 3)
		return 99;
	behave_until(&r, (uint32_t)atoi(argv[1]));
	return atoi(argv[2]);
}
