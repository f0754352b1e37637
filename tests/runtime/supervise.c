#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"

#define ANSWER_TIMEOUT_MS (120 * 1000)

static void __attribute__((noreturn)) die(const char *what)
{
	printf("Bail out! cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

static const char *setting(const char *name)
{
	const char *value = getenv(name);

	if (!value) {
		printf("Bail out! %s is not set\n", name);
		exit(1);
	}
	return value;
}

char *source_path(const char *name)
{
	return kb_xasprintf("%s/tests/runtime/%s", setting("KB_SRC"), name);
}

char *libexec_path(const char *name)
{
	return kb_xasprintf("%s/%s", setting("KB_LIBEXEC"), name);
}

int build_native(const char *name)
{
	char out[] = "/tmp/kb-test-XXXXXX";
	char *command;
	int fd = mkstemp(out);

	if (fd < 0)
		die("make a temporary file");
	command = kb_xasprintf("cc -std=gnu11 -O3 -march=native -fPIC -shared "
			       "-fopenmp -I\"$KB_SRC/src/run/runtime/native\" -o %s "
			       "\"$KB_SRC/tests/runtime/native/%s\" -lm",
			       out, name);
	if (system(command) != 0)
		die("build a native program");
	close(fd);
	fd = open(out, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || unlink(out) < 0)
		die("open what was built");
	free(command);
	return fd;
}

static int make_memfd(const char *name, uint64_t bytes)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0)
		die("make a memfd");
	return fd;
}

static void *map(int fd, uint64_t bytes, int prot)
{
	void *p = mmap(NULL, bytes, prot, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		die("map a memfd");
	return p;
}

static void become_worker(const char *const argv[], int channel_fd, int log_fd)
{
	if (dup2(log_fd, 1) < 0 || dup2(log_fd, 2) < 0)
		_exit(127);
	if (channel_fd == KB_CHANNEL_FD)
		fcntl(channel_fd, F_SETFD, 0);
	else if (dup2(channel_fd, KB_CHANNEL_FD) < 0)
		_exit(127);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

/* All but the process. Returns the worker's end of the channel. */
static int prepare_worker(struct worker *w)
{
	int fds[2];

	*w = (struct worker){ .plan_fd = -1, .state_fd = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		die("make a socket");
	w->log_fd = memfd_create("log", MFD_CLOEXEC);
	if (w->log_fd < 0 || fcntl(w->log_fd, F_SETFL, O_APPEND) < 0)
		die("make a log");
	w->control_fd = make_memfd("control", KB_CONTROL_BYTES);
	w->control = map(w->control_fd, KB_CONTROL_BYTES,
			 PROT_READ | PROT_WRITE);
	w->channel_fd = fds[0];
	return fds[1];
}

void worker_start(struct worker *w, const char *const argv[])
{
	const int channel_fd = prepare_worker(w);

	fflush(stdout);
	w->pid = fork();
	if (w->pid < 0)
		die("fork");
	if (!w->pid)
		become_worker(argv, channel_fd, w->log_fd);
	close(channel_fd);
}

/* --- the nursery ------------------------------------------------------ */

/* The socket to it, until the test ends. */
static int start_nursery(const char *python)
{
	char *script = source_path("torch_nursery.py");
	int fds[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		die("make a socket");
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		if (dup2(fds[1], 0) == 0)
			execlp(python, python, "-BEs", script, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	free(script);
	return fds[0];
}

static bool ask_nursery(int fd, const char *const argv[], int channel_fd,
			int log_fd)
{
	const int fds[] = { channel_fd, log_fd };
	union {
		char bytes[CMSG_SPACE(sizeof(fds))];
		struct cmsghdr align;
	} control = { .bytes = { 0 } };
	kb_auto(buf) struct kb_buf words = KB_BUF_INIT;
	struct iovec iov;
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	struct cmsghdr *h = &control.align;
	size_t count = 0;

	while (argv[count])
		count++;
	kb_buf_addf(&words, "%zu", count);
	for (size_t i = 0; i < count; i++) {
		kb_buf_addch(&words, '\0');
		kb_buf_add(&words, argv[i], strlen(argv[i]));
	}
	for (char **e = environ; *e; e++) {
		kb_buf_addch(&words, '\0');
		kb_buf_add(&words, *e, strlen(*e));
	}
	iov = (struct iovec){ words.data, words.len };
	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(h), fds, sizeof(fds));
	return sendmsg(fd, &m, MSG_NOSIGNAL) == (ssize_t)words.len;
}

void worker_start_script(struct worker *w, const char *python,
			 const char *const argv[])
{
	static int nursery_fd = -1;
	const int channel_fd = prepare_worker(w);
	char pid[32] = "";

	if (nursery_fd < 0)
		nursery_fd = start_nursery(python);
	if (!ask_nursery(nursery_fd, argv, channel_fd, w->log_fd) ||
	    recv(nursery_fd, pid, sizeof(pid) - 1, 0) <= 0)
		die("start a worker");
	w->pid = (pid_t)strtol(pid, NULL, 10);
	close(channel_fd);
}

int worker_end(struct worker *w)
{
	int status;

	close(w->channel_fd);
	while (waitpid(w->pid, &status, 0) < 0)
		if (errno != EINTR)
			die("wait for a worker");
	for (uint32_t slot = 0; slot < SLOTS_MAX; slot++)
		if (w->memory[slot])
			munmap(w->memory[slot], w->memory_bytes[slot]);
	munmap(w->control, KB_CONTROL_BYTES);
	close(w->control_fd);
	close(w->log_fd);
	close(w->plan_fd);
	close(w->state_fd);
	return status;
}

char *worker_log(const struct worker *w)
{
	off_t bytes = lseek(w->log_fd, 0, SEEK_END);
	char *text = kb_xcalloc(1, (size_t)bytes + 1);

	if (pread(w->log_fd, text, (size_t)bytes, 0) != bytes)
		die("read a log");
	return text;
}

/* --- questions ------------------------------------------------------ */

static void send_request(struct worker *w, struct kb_request *r,
			 const int fds[], size_t fd_count)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE((KB_INPUTS_MAX + KB_OUTPUTS_MAX) *
				      sizeof(int))];
	} control = { .space = { 0 } };
	struct iovec iov = { r, sizeof(*r) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	r->nonce = ++w->nonce * 0x9e3779b97f4a7c15u;
	if (fd_count) {
		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(fd_count * sizeof(int));
		memcpy(CMSG_DATA(&control.align), fds, fd_count * sizeof(int));
	}
	(void)sendmsg(w->channel_fd, &msg, MSG_NOSIGNAL);
}

static uint32_t receive_ack(struct worker *w, const struct kb_request *r)
{
	struct pollfd fd = { .fd = w->channel_fd, .events = POLLIN };
	struct kb_ack ack;

	if (poll(&fd, 1, ANSWER_TIMEOUT_MS) <= 0) {
		kill(w->pid, SIGKILL);
		return ENDED;
	}
	if (recv(w->channel_fd, &ack, sizeof(ack), MSG_TRUNC) != sizeof(ack) ||
	    ack.nonce != r->nonce || ack.op != r->op)
		return ENDED;
	return ack.code;
}

static uint32_t ask(struct worker *w, struct kb_request *r, uint8_t seed,
		    const int fds[], size_t fd_count)
{
	memset(r->seed, seed, sizeof(r->seed));
	send_request(w, r, fds, fd_count);
	return receive_ack(w, r);
}

static uint32_t load(struct worker *w, enum kb_side side, uint8_t seed,
		     int program_fd)
{
	struct kb_request r = { .op = KB_OP_LOAD, .side = side };
	const int fds[] = { w->control_fd, w->plan_fd, w->state_fd, program_fd };

	return ask(w, &r, seed, fds, program_fd < 0 ? 3 : 4);
}

uint32_t worker_load_reference(struct worker *w, uint8_t seed, int program_fd)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
	uint32_t code;

	w->plan_fd = make_memfd("plan", sizeof(w->plan));
	w->state_fd = make_memfd("state", 0);
	code = load(w, KB_SIDE_REFERENCE, seed, program_fd);
	if (code != KB_ACK_OK)
		return code;

	if (fcntl(w->plan_fd, F_ADD_SEALS, seals) < 0 ||
	    fcntl(w->state_fd, F_ADD_SEALS, seals) < 0)
		die("seal plan and state");
	if (pread(w->plan_fd, &w->plan, sizeof(w->plan), 0) != sizeof(w->plan))
		die("read the plan");
	return code;
}

uint32_t worker_load_candidate(struct worker *w, const struct worker *reference,
			       uint8_t seed, int program_fd)
{
	w->plan_fd = dup(reference->plan_fd);
	w->state_fd = dup(reference->state_fd);
	w->plan = reference->plan;
	return load(w, KB_SIDE_CANDIDATE, seed, program_fd);
}

/* Returns what comes after it. */
static uint8_t *place(struct tensor *t, const struct kb_tensor_spec *spec,
		      uint8_t *at)
{
	t->bytes = kb_tensor_bytes(spec);
	t->file = at;
	t->data = at + KB_GUARD_BYTES;
	return at + kb_tensor_file_bytes(t->bytes);
}

static uint64_t slot_bytes(const struct kb_plan *plan)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < plan->input_count; i++)
		total += kb_tensor_file_bytes(kb_tensor_bytes(&plan->inputs[i]));
	for (uint32_t i = 0; i < plan->output_count; i++)
		total += kb_tensor_file_bytes(
			kb_tensor_bytes(&plan->outputs[i]));
	return total;
}

uint32_t worker_ask_slots(struct worker *w, uint32_t first, uint32_t count,
			  int fd)
{
	struct kb_request r = {
		.op = KB_OP_SLOT, .first_slot = first, .slot_count = count,
	};

	return ask(w, &r, 0, &fd, 1);
}

static uint8_t *place_slot(struct worker *w, uint32_t slot, uint8_t *at)
{
	for (uint32_t i = 0; i < w->plan.input_count; i++)
		at = place(&w->inputs[slot][i], &w->plan.inputs[i], at);
	for (uint32_t i = 0; i < w->plan.output_count; i++)
		at = place(&w->outputs[slot][i], &w->plan.outputs[i], at);
	return at;
}

uint32_t worker_slots(struct worker *w, const struct worker *reference,
		      uint32_t first, uint32_t count)
{
	const uint64_t bytes = count * slot_bytes(&w->plan);
	int fd = make_memfd("slots", bytes);
	uint8_t *at = map(fd, bytes, PROT_READ | PROT_WRITE);
	uint32_t code;

	w->inputs_of = reference;
	w->memory[first] = at;
	w->memory_bytes[first] = bytes;
	for (uint32_t i = 0; i < count; i++)
		at = place_slot(w, first + i, at);
	code = worker_ask_slots(w, first, count, fd);
	close(fd);
	return code;
}

uint32_t worker_slot(struct worker *w, const struct worker *reference,
		     uint32_t slot)
{
	return worker_slots(w, reference, slot, 1);
}

static void copy_inputs(const struct worker *to, const struct worker *from,
			uint32_t slot)
{
	for (uint32_t i = 0; i < to->plan.input_count; i++)
		memcpy(to->inputs[slot][i].data, from->inputs[slot][i].data,
		       to->inputs[slot][i].bytes);
}

static uint32_t generate(struct worker *w, uint32_t first, uint32_t count,
			 uint8_t seed, uint32_t alternate)
{
	struct kb_request r = {
		.op = KB_OP_GENERATE,
		.first_slot = first,
		.slot_count = count,
		.alternate = alternate,
	};

	return ask(w, &r, seed, NULL, 0);
}

uint32_t worker_generate(struct worker *w, uint32_t first, uint32_t count,
			 uint8_t seed)
{
	return generate(w, first, count, seed, 0);
}

uint32_t worker_generate_alternate(struct worker *w, uint32_t first,
				   uint32_t count, uint8_t seed)
{
	return generate(w, first, count, seed, 1);
}

static uint32_t ask_fp64_error(struct worker *w, uint8_t seed,
			       uint32_t alternate,
			   struct kb_fp64_error_report *report)
{
	struct kb_request r = {
		.op = KB_OP_FP64_ERROR, .slot_count = 3, .alternate = alternate,
	};
	int fd = make_memfd("fp64-error", sizeof(*report));
	uint32_t code = ask(w, &r, seed, &fd, 1);

	if (code == KB_ACK_OK &&
	    pread(fd, report, sizeof(*report), 0) != sizeof(*report))
		die("read a report");
	close(fd);
	return code;
}

uint32_t worker_fp64_error(struct worker *w, uint8_t seed,
			   struct kb_fp64_error_report *report)
{
	return ask_fp64_error(w, seed, 0, report);
}

uint32_t worker_fp64_error_alternate(struct worker *w, uint8_t seed,
				     struct kb_fp64_error_report *report)
{
	return ask_fp64_error(w, seed, 1, report);
}

static void poison(struct tensor *t)
{
	const uint64_t file_bytes = kb_tensor_file_bytes(t->bytes);

	if (!t->file)
		return;
	memset(t->file, GUARD_SENTINEL, file_bytes);
	memset(t->data, OUTPUT_SENTINEL, t->bytes);
}

static void set_go(struct worker *w)
{
	w->control->seed = w->gate_seed;
	__atomic_store_n(&w->control->go, ++w->go, __ATOMIC_RELEASE);
	__atomic_fetch_add(&w->control->wakes, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &w->control->wakes, FUTEX_WAKE, INT_MAX, NULL, NULL,
		0);
}

/* Returns false when the worker has ended instead. */
static bool wait_done(struct worker *w)
{
	const struct timespec moment = { .tv_nsec = 20 * 1000 * 1000 };
	struct pollfd fd = { .fd = w->channel_fd, .events = POLLIN };
	uint32_t done;

	while ((done = __atomic_load_n(&w->control->done, __ATOMIC_ACQUIRE)) !=
	       w->go) {
		syscall(SYS_futex, &w->control->done, FUTEX_WAIT, done, &moment,
			NULL, 0);
		/* Nothing may be said before the release. */
		if (poll(&fd, 1, 0) > 0)
			return false;
	}
	return true;
}

uint32_t worker_queue(struct worker *w, uint32_t first, uint32_t count,
		      uint8_t seed)
{
	w->asked = (struct kb_request){
		.op = KB_OP_RUN,
		.first_slot = first,
		.slot_count = count,
		.go = w->go + 1,
	};
	memset(&w->gate_seed, seed, sizeof(w->gate_seed));
	return ask(w, &w->asked, 0, NULL, 0);
}

uint32_t worker_run(struct worker *w, uint32_t first, uint32_t count,
		    uint8_t seed)
{
	uint32_t code;

	for (uint32_t slot = first; slot < first + count; slot++) {
		for (uint32_t i = 0; i < w->plan.output_count; i++)
			poison(&w->outputs[slot][i]);
		if (w->inputs_of)
			copy_inputs(w, w->inputs_of, slot);
	}
	code = worker_queue(w, first, count, seed);
	if (code != KB_ACK_OK)
		return code;
	set_go(w);
	if (!wait_done(w))
		return ENDED;
	for (uint32_t slot = first; w->inputs_of && slot < first + count; slot++)
		copy_inputs(w->inputs_of, w, slot);
	set_go(w);
	return receive_ack(w, &w->asked);
}

/* --- looking -------------------------------------------------------- */

static bool all_bytes_are(const uint8_t *p, uint64_t n, uint8_t value)
{
	while (n && *p == value)
		p++, n--;
	return !n;
}

bool guards_whole(const struct worker *w, uint32_t slot)
{
	for (uint32_t i = 0; i < w->plan.output_count; i++) {
		const struct tensor *t = &w->outputs[slot][i];
		const uint8_t *end = t->file + kb_tensor_file_bytes(t->bytes);
		const uint8_t *after = t->data + t->bytes;

		if (!all_bytes_are(t->file, KB_GUARD_BYTES, GUARD_SENTINEL) ||
		    !all_bytes_are(after, (uint64_t)(end - after),
				   GUARD_SENTINEL))
			return false;
	}
	return true;
}

bool outputs_equal(const struct worker *a, const struct worker *b,
		   uint32_t slot, uint32_t i)
{
	return !memcmp(a->outputs[slot][i].data, b->outputs[slot][i].data,
		       a->outputs[slot][i].bytes);
}
