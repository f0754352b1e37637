#include "worker/query.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "lib/tap.h"
#include "worker/launch.h"

#define LONG_NS (60 * KB_NS_PER_S)

/* unshare(1) is what makes a system call that is refused. */
static const struct {
	const char *script;
	int64_t timeout_ns;
	int ret;
	const char *said;
} stories[] = {
	{ "echo one; echo two >&2", LONG_NS, 1, "one\ntwo\n" },
	{ ":", LONG_NS, 1, "" },
	{ "unshare --ipc true 2>&-; echo answer", LONG_NS, 1, "answer\n" },
	{ "ulimit -v", LONG_NS, 1, "unlimited\n" },
	{ "echo one; echo two; exit 3", LONG_NS, 0, "two" },
	{ "exit 3", LONG_NS, 0, "ended by itself with status 3" },
	{ "kill -SEGV $$", LONG_NS, 0, "ended by SIGSEGV" },
	{ "echo one; kill -SEGV $$", LONG_NS, 0, "ended by SIGSEGV: one" },
	{ "echo one; unshare --ipc true 2>&-; exit 1", LONG_NS, 0,
	  "one [system calls refused: unshare]" },
	{ "unshare --ipc true 2>&-; exit 1", LONG_NS, 0,
	  "ended by itself with status 1 [system calls refused: unshare]" },
	{ "echo one; while :; do :; done", KB_NS_PER_S, 0,
	  "not done within 1 s: one" },
};

static void test_an_answer_is_what_was_printed_or_why_there_is_none(void)
{
	kb_auto(launcher) struct kb_launcher l = KB_LAUNCHER_INIT;
	struct kb_err err = KB_ERR_INIT;

	l.memory_bytes = (uint64_t)1 << 32;
	l.log_limit_bytes = 64 * 1024;
	l.threads = 1;
	check_int(kb_scratch_open(&l.scratch, &err), 0);
	kb_launcher_choose_user(&l, false, false);
	for (size_t i = 0; i < KB_ARRAY_LEN(stories); i++) {
		const char *const argv[] = { "/bin/sh", "-c", stories[i].script,
					     NULL };
		kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
		kb_auto(buf) struct kb_buf said = KB_BUF_INIT;

		l.load_timeout_ns = stories[i].timeout_ns;
		check_int(kb_scratch_make(&l.scratch, &dir,
					  !l.other_user_why_not, &err), 0);
		check_int(kb_query(&said, &l, &dir, argv, &err), stories[i].ret);
		check_str(said.data, stories[i].said);
		check_str(err.msg, "");
		if (tap_failed)
			printf("# of %s\n", stories[i].script);
	}
}

TAP_MAIN(TAP(test_an_answer_is_what_was_printed_or_why_there_is_none));
