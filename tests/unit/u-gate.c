#include "runtime/lib/kbrt.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "lib/tap.h"
#include "runtime/lib/internal.h"
#include "worker/control.h"

#define GO 7

/* A worker that stands at a gate: how often it slept there is in `*sleeps`. */
struct stand {
	struct kb_control *control;
	int control_fd, channel[2];
	long *sleeps;
	pid_t pid;
};

static long sleeps_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

static void stand_at_gate(const struct stand *s, bool has_device)
{
	static char device;
	struct kb_err err = KB_ERR_INIT;
	struct kbrt rt = {
		.channel_fd = s->channel[1],
		.control = s->control,
		.request.go = GO,
		.cuda = has_device ? (void *)&device : NULL,
	};
	int ret = kbrt_gate_wait(&rt, &err);

	*s->sleeps = sleeps_so_far();
	_exit(ret < 0 ? 1 : 0);
}

static void start(struct stand *s, bool has_device)
{
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_control_make(&s->control, &s->control_fd, &err), 0);
	check_int(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s->channel), 0);
	s->sleeps = mmap(NULL, sizeof(*s->sleeps), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	s->pid = fork();
	if (!s->pid)
		stand_at_gate(s, has_device);
}

/* What the kernel says of it in /proc: its state, and its sleeps until now. */
static void look(const struct stand *s, char *state, long *sleeps)
{
	char path[64], text[4096] = "";
	const char *line;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)s->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	check(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	line = strstr(text, "State:\t");
	*state = line ? line[7] : '?';
	line = strstr(text, "\nvoluntary_ctxt_switches:\t");
	*sleeps = line ? strtol(line + 26, NULL, 10) : -1;
}

static void await_state(const struct stand *s, char wanted)
{
	long sleeps;
	char state;

	do {
		usleep(1000);
		look(s, &state, &sleeps);
	} while (state != wanted);
}

/* How often it has slept, when it does so no more: it is stopped. */
static long count_sleeps(const struct stand *s)
{
	long before = -1, sleeps = -2;
	char state;

	await_state(s, 'T');
	while (before != sleeps) {
		before = sleeps;
		usleep(20000);
		look(s, &state, &sleeps);
	}
	return sleeps;
}

/* Its exit status; `*sleeps` is how often it slept until then. */
static int end(struct stand *s, long *sleeps)
{
	int status = -1;

	waitpid(s->pid, &status, 0);
	*sleeps = *s->sleeps;
	kb_control_unmap(s->control);
	munmap(s->sleeps, sizeof(*s->sleeps));
	close(s->control_fd);
	close(s->channel[0]);
	close(s->channel[1]);
	return status;
}

static void test_who_sleeps_is_woken_by_the_gate(void)
{
	struct stand s;
	long sleeps;

	start(&s, false);
	await_state(&s, 'S');
	kb_control_set_go(s.control, GO);
	kb_control_wake(s.control);
	check_int(end(&s, &sleeps), 0);
	check(sleeps > 0);
}

/* A wait goes on where it was when a process is continued, whoever woke it
 * meanwhile. The device that then opens the gate wakes nobody. */
static void test_who_is_stopped_asleep_watches_when_continued(void)
{
	struct stand s;
	long before, after;

	start(&s, true);
	await_state(&s, 'S');
	kill(s.pid, SIGSTOP);
	before = count_sleeps(&s);
	kb_control_wake(s.control);
	kill(s.pid, SIGCONT);
	usleep(50000);
	kb_control_set_go(s.control, GO);
	check_int(end(&s, &after), 0);
	check_int(after, before);
}

/* The channel's other end is closed, as when the supervisor dies. */
static void test_nobody_stands_at_a_gate_for_good(void)
{
	struct stand s;
	long sleeps;

	start(&s, false);
	await_state(&s, 'S');
	shutdown(s.channel[0], SHUT_RDWR);
	kb_control_wake(s.control);
	check_int(WEXITSTATUS(end(&s, &sleeps)), 1);
}

TAP_MAIN(TAP(test_who_sleeps_is_woken_by_the_gate),
	 TAP(test_who_is_stopped_asleep_watches_when_continued),
	 TAP(test_nobody_stands_at_a_gate_for_good));
