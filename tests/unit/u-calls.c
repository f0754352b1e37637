#include "confine/calls.h"

#include <string.h>
#include <sys/syscall.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "confine/log.h"
#include "lib/tap.h"

/* What is answered by its arguments, or as if it were not there. */
static bool is_conditional(uint32_t number)
{
	return number == SYS_socket || number == 435;
}

/* Numbers that no call has, or had: from where a machine's own table ends to
 * where numbers are the same everywhere, and ends of it that are reserved. */
static bool is_hole(uint32_t number)
{
#ifdef __x86_64__
	if (number > 334 && number < 424)
		return true;
#else
	if ((number > 294 && number < 424) || (number > 243 && number < 260))
		return true;
#endif
	return number > 456 && number < 462;
}

/* Each is in one table: nothing is forgotten, or allowed and refused. */
static void test_every_call_is_decided(void)
{
	const struct kb_calls with = kb_calls_allowed(true);
	const struct kb_calls without = kb_calls_allowed(false);

	for (uint32_t n = 0; n < KB_CALL_NUMBERS; n++) {
		const bool refused = kb_call_name(n);

		check(!(refused && kb_calls_has(&without, n)));
		check(!kb_calls_has(&without, n) || kb_calls_has(&with, n));
		check(refused || kb_calls_has(&without, n) ||
		      is_conditional(n) || is_hole(n));
		if (tap_failed) {
			printf("# call %u\n", n);
			return;
		}
	}
}

static const struct {
	uint32_t number;
	bool always, with_ipc;
} known[] = {
	{ SYS_read, true, true }, { SYS_ioctl, true, true },
	{ SYS_mmap, true, true }, { SYS_execve, true, true },
	{ SYS_mbind, true, true }, { SYS_sched_setaffinity, true, true },
	{ SYS_shmget, false, true }, { SYS_semop, false, true },
	{ SYS_msgget, false, false }, { SYS_ptrace, false, false },
	{ SYS_keyctl, false, false }, { SYS_bpf, false, false },
	{ SYS_socket, false, false }, { 425, false, false },
	{ 465, true, true }, { 466, false, false },
	{ KB_CALL_NUMBERS, false, false },
	{ UINT32_MAX, false, false },
};

static void test_known_calls(void)
{
	const struct kb_calls with = kb_calls_allowed(true);
	const struct kb_calls without = kb_calls_allowed(false);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		check_int(kb_calls_has(&without, known[i].number),
			  known[i].always);
		check_int(kb_calls_has(&with, known[i].number),
			  known[i].with_ipc);
		if (tap_failed)
			printf("# call %u\n", known[i].number);
	}
}

static void test_refused_calls_are_named(void)
{
	static const struct {
		const char *before;
		uint32_t numbers[3];
		int count;
		const char *after;
	} cases[] = {
		{ "", { 0 }, 0, "" },
		{ "text", { 0 }, 0, "text" },
		{ "", { SYS_bpf }, 1, "[system calls refused: bpf]\n" },
		{ "text", { SYS_bpf }, 1,
		  "text\n[system calls refused: bpf]\n" },
		{ "text\n", { SYS_bpf, 425, 400 }, 3,
		  "text\n[system calls refused: bpf, number 400, "
		  "io_uring_setup]\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		struct kb_calls refused = { .bits = { 0 } };

		for (int k = 0; k < cases[i].count; k++)
			kb_calls_add(&refused, cases[i].numbers[k]);
		kb_buf_addstr(&text, cases[i].before);
		kb_log_refused(&text, &refused);
		check_str(text.data ? text.data : "", cases[i].after);
	}
}

TAP_MAIN(
	TAP(test_every_call_is_decided),
	TAP(test_known_calls),
	TAP(test_refused_calls_are_named),
);
