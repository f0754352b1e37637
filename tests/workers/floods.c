/* floods OP: prints without end when asked for OP. */
#include "workers/fake.h"

int main(int argc, char *argv[])
{
	static const char text[] = "all work and no play\n";
	struct kb_request r;

	if (argc != 2)
		return 99;
	behave_until(&r, (uint32_t)atoi(argv[1]));
	for (;;)
		(void)!write(STDOUT_FILENO, text, sizeof(text) - 1);
}
