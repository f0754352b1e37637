/* never-acks OP: busy for ever when asked for OP. */
#include "workers/fake.h"

int main(int argc, char *argv[])
{
	struct kb_request r;

	if (argc != 2)
		return 99;
	behave_until(&r, (uint32_t)atoi(argv[1]));
	for (;;)
		__asm__ volatile("" ::: "memory");
}
