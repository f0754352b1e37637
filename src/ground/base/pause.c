#include "base/pause.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

/* Shorter ones are what any machine does now and then. A run with one in it is an
 * outlier, and the median of runs does not move. */
#define PAUSE_LEAST_NS (250 * KB_NS_PER_MS)

/* How old what the kernel has counted of this process may be. */
#define COUNTS_AGE_NS (10 * KB_NS_PER_MS)

/* The type that the C standard lets a handler write to (C11, 7.14.1.1). */
static volatile sig_atomic_t continued;

/* One list for the process: our programs have one thread. */
static struct {
	uint32_t count;			/* beside `continued` */
	int64_t paused_ns;
	int64_t looked_ns;		/* when, by CLOCK_MONOTONIC */
	int64_t counted_ns;		/* when the next two were read */
	int64_t busy_ns;		/* computing, or waiting for a processor */
	int64_t asleep_ns;		/* of the machine, since it booted */
} last;

static void on_continue(int sig)
{
	(void)sig;
	/* It is compared, and may begin again at 0. */
	continued = (sig_atomic_t)(((unsigned)continued + 1) & 0xffff);
}

void kb_pause_catch(void)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = on_continue;
	sa.sa_flags = SA_RESTART;
	(void)sigaction(SIGCONT, &sa, NULL);	/* it exists */
}

static int64_t read_clock(clockid_t clock)
{
	struct timespec t = { .tv_sec = 0 };

	(void)clock_gettime(clock, &t);
	return t.tv_sec * KB_NS_PER_S + t.tv_nsec;
}

/* The second number of the file: ns for which it was runnable, and another task
 * had the processor. 0 where the kernel does not count (CONFIG_SCHED_INFO). */
static int64_t wait_for_processor_ns(void)
{
	char text[96];
	char *end;
	kb_auto(fd) int fd = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
	const ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (len <= 0)
		return 0;
	text[len] = '\0';
	(void)strtoll(text, &end, 10);
	return strtoll(end, NULL, 10);
}

static int64_t busy_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID) + wait_for_processor_ns();
}

/* For how long the machine has slept since it booted, at least or at most: between
 * two readings this process may have waited for a processor. */
static int64_t asleep_least_ns(void)
{
	const int64_t boot_ns = read_clock(CLOCK_BOOTTIME);

	return boot_ns - kb_clock_ns();
}

static int64_t asleep_most_ns(void)
{
	const int64_t now_ns = kb_clock_ns();

	return read_clock(CLOCK_BOOTTIME) - now_ns;
}

/* The pause that is subtracted the next time is read before the clock, and the
 * pause compared with it after the clock. So it may be too long, and never too
 * short. */
void kb_pause_begin(void)
{
	last.busy_ns = busy_ns();
	last.asleep_ns = asleep_most_ns();
	last.looked_ns = last.counted_ns = kb_clock_ns();
}

static void note_pause(int64_t slept_ns)
{
	const int64_t paused_ns = slept_ns - (busy_ns() - last.busy_ns);

	if (paused_ns < PAUSE_LEAST_NS)
		return;
	last.count++;
	last.paused_ns += paused_ns;
}

void kb_pause_look(void)
{
	int64_t now_ns = kb_clock_ns(), busy, asleep;

	if (now_ns - last.counted_ns < COUNTS_AGE_NS) {
		last.looked_ns = now_ns;
		return;
	}
	busy = busy_ns();
	asleep = asleep_most_ns();
	now_ns = kb_clock_ns();
	if (now_ns - last.looked_ns >= PAUSE_LEAST_NS)
		note_pause(now_ns - last.looked_ns);
	/* CLOCK_MONOTONIC stood still then. */
	if (asleep_least_ns() - last.asleep_ns >= PAUSE_LEAST_NS)
		last.count++;
	last.busy_ns = busy;
	last.asleep_ns = asleep;
	last.looked_ns = last.counted_ns = now_ns;
}

uint32_t kb_pause_count(void)
{
	return last.count + (uint32_t)continued;
}

int64_t kb_paused_ns(void)
{
	return last.paused_ns;
}

int64_t kb_awake_ns(void)
{
	return kb_clock_ns() - last.paused_ns;
}
