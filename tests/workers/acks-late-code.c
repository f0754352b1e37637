/* acks-late-code CODE: the run is queued, then ends with CODE. */
#include "workers/fake.h"

int main(int argc, char *argv[])
{
	struct kb_request r;

	if (argc != 2)
		return 99;
	behave_through(&r, KB_OP_RUN);
	wait_at_gate(&r);
	say_done(&r);
	wait_for_release(&r);
	answer(&r, (uint32_t)atoi(argv[1]));
	sleep_forever();
}
