#include <signal.h>

#include "base/interrupt.h"
#include "lib/tap.h"

static void test_what_is_ignored_stays_ignored(void)
{
	signal(SIGHUP, SIG_IGN);
	kb_interrupt_catch();
	check_int(raise(SIGHUP), 0);
	check(!kb_interrupted());
	kb_interrupt_leave();
	check_int(raise(SIGHUP), 0);
	kb_interrupt_catch();
	check_int(raise(SIGINT), 0);
	check(kb_interrupted());
}

TAP_MAIN(TAP(test_what_is_ignored_stays_ignored));
