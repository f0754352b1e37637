/* Says on its standard output what should not reach anybody's terminal. */
#include "workers/fake.h"

int main(void)
{
	struct kb_request r;

	behave_until(&r, KB_OP_GENERATE);
	fputs("hello\n\033[2Jtab\there \x01\xff caf\xc3\xa9\r\n", stdout);
	fflush(stdout);
	fputs("and this\n", stderr);
	answer(&r, KB_ACK_OK);
	sleep_forever();
}
