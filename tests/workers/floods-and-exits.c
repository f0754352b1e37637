/* Prints more than is kept, and ends. */
#include "workers/fake.h"

int main(void)
{
	static const char text[] = "all work and no play\n";

	for (int i = 0; i < 100000; i++)
		if (write(STDOUT_FILENO, text, sizeof(text) - 1) !=
		    sizeof(text) - 1)
			return 98;
	return 1;
}
