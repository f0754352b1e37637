/* Prints all that it may and ends: which of the two is to blame? */
#include "workers/fake.h"

int main(void)
{
	static const char text[] = "all work and no play\n";

	while (write(STDOUT_FILENO, text, sizeof(text) - 1) > 0)
		;
	return 1;
}
