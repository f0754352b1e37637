#include "base/pause.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "lib/tap.h"

#define PAUSE_NS (400 * KB_NS_PER_MS)

/* What a process that waits says of itself: a byte each time it has looked. */
static void wait_and_look(int fd)
{
	const int look_ms = (int)(KB_PAUSE_LOOK_NS / KB_NS_PER_MS);
	const uint32_t count = kb_pause_count();

	kb_pause_begin();
	for (;;) {
		(void)poll(NULL, 0, look_ms);
		kb_pause_look();
		if (write(fd, kb_pause_count() == count ? "." : "p", 1) != 1)
			_exit(1);
	}
}

static void sleep_ns(int64_t ns)
{
	struct timespec t = { .tv_sec = ns / KB_NS_PER_S,
			      .tv_nsec = ns % KB_NS_PER_S };

	while (nanosleep(&t, &t) < 0)
		;
}

static void test_who_only_waits_is_not_paused(void)
{
	const uint32_t count = kb_pause_count();
	const int64_t awake_ns = kb_awake_ns();

	kb_pause_begin();
	for (int i = 0; i < 20; i++) {
		sleep_ns(KB_PAUSE_LOOK_NS);
		kb_pause_look();
	}
	check_int(kb_pause_count(), count);
	check(kb_awake_ns() - awake_ns >= 20 * KB_PAUSE_LOOK_NS);
}

static void test_who_computes_is_not_paused(void)
{
	const uint32_t count = kb_pause_count();
	const int64_t end_ns = kb_clock_ns() + PAUSE_NS;

	kb_pause_begin();
	while (kb_clock_ns() < end_ns)
		;
	kb_pause_look();
	check_int(kb_pause_count(), count);
}

/* A candidate can make its supervisor wait for a processor, which is no pause. */
static void test_who_waits_for_a_processor_is_not_paused(void)
{
	const uint32_t count = kb_pause_count();
	pid_t others[40];

	for (size_t i = 0; i < 40; i++) {
		others[i] = fork();
		while (!others[i])
			;
	}
	kb_pause_begin();
	for (int i = 0; i < 40; i++) {
		sleep_ns(KB_PAUSE_LOOK_NS);
		kb_pause_look();
	}
	for (size_t i = 0; i < 40; i++) {
		check(!kill(others[i], SIGKILL));
		check_int(waitpid(others[i], NULL, 0), others[i]);
	}
	check_int(kb_pause_count(), count);
}

/* As who is frozen sleeps: longer than was asked for. */
static void test_time_that_was_slept_is_not_counted(void)
{
	const uint32_t count = kb_pause_count();
	const int64_t paused_ns = kb_paused_ns(), awake_ns = kb_awake_ns();
	const int64_t start_ns = kb_clock_ns();

	kb_pause_begin();
	sleep_ns(PAUSE_NS);
	kb_pause_look();
	check_int(kb_pause_count(), count + 1);
	check(kb_paused_ns() - paused_ns >= PAUSE_NS / 2);
	check(kb_awake_ns() - awake_ns < kb_clock_ns() - start_ns -
						 PAUSE_NS / 2);
}

static void test_a_wait_that_begins_anew_forgets_what_was_before(void)
{
	const uint32_t count = kb_pause_count();

	kb_pause_begin();
	sleep_ns(PAUSE_NS);
	kb_pause_begin();
	kb_pause_look();
	check_int(kb_pause_count(), count);
}

static void test_being_continued_counts_however_short(void)
{
	const uint32_t count = kb_pause_count();

	kb_pause_catch();
	check(!raise(SIGCONT));
	check_int(kb_pause_count(), count + 1);
}

static char read_byte(int fd)
{
	char byte = 0;

	check(read(fd, &byte, 1) == 1);
	return byte;
}

static void test_a_process_that_is_stopped_and_continued_was_paused(void)
{
	int fds[2], byte = '.';
	pid_t pid;

	check(!pipe(fds));
	pid = fork();
	if (!pid)
		wait_and_look(fds[1]);
	close(fds[1]);
	check_int(read_byte(fds[0]), '.');
	check(!kill(pid, SIGSTOP));
	check_int(waitpid(pid, NULL, WUNTRACED), pid);
	sleep_ns(PAUSE_NS);
	check(!kill(pid, SIGCONT));
	/* What lies in the pipe, and one more. */
	for (int i = 0; i < 100 && byte == '.'; i++)
		byte = read_byte(fds[0]);
	check_int(byte, 'p');
	check(!kill(pid, SIGKILL));
	check_int(waitpid(pid, NULL, 0), pid);
	close(fds[0]);
}

TAP_MAIN(TAP(test_who_only_waits_is_not_paused),
	 TAP(test_who_computes_is_not_paused),
	 TAP(test_who_waits_for_a_processor_is_not_paused),
	 TAP(test_time_that_was_slept_is_not_counted),
	 TAP(test_a_wait_that_begins_anew_forgets_what_was_before),
	 TAP(test_a_process_that_is_stopped_and_continued_was_paused),
	 TAP(test_being_continued_counts_however_short));
