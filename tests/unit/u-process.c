#include "worker/process.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/programs.h"
#include "lib/tap.h"
#include "worker/private_tmp.h"
#include "workers/tricks.h"

/* How long to wait for what must come. Nothing is measured by it. */
#define PATIENCE_NS (60 * KB_NS_PER_S)

/* How long to look whether something that must not happen does. */
#define WATCH_US (30 * 1000)

#define MIB ((uint64_t)1 << 20)

/*
 * One run of workers/tricks. Everything that it starts inherits its
 * standard output, a pipe: end of file there says that all of it is gone.
 */
struct rig {
	struct kb_process process;
	struct tricks_page *page;
	int page_fd, pipe_fd, write_fd, program_fd;
	char root[64], work[80];
	struct kb_files files;
	struct kb_limits limits;
	struct kb_err err;
};

static void rig_open(struct rig *r)
{
	const char *temp = getenv("TMPDIR");
	int fds[2];

	*r = (struct rig){
		.process = KB_PROCESS_INIT,
		.limits = { .file_bytes = MIB, .processes = 256, .files = 64 },
	};
	r->page_fd = memfd_create("tricks", MFD_CLOEXEC);
	if (r->page_fd < 0 || ftruncate(r->page_fd, sizeof(*r->page)) < 0 ||
	    pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		KB_BUG("cannot make a page and a pipe");
	r->page = mmap(NULL, sizeof(*r->page), PROT_READ | PROT_WRITE,
		       MAP_SHARED, r->page_fd, 0);
	r->pipe_fd = fds[0];
	r->write_fd = fds[1];
	r->program_fd = program_open("tricks");

	/* Open to all: what keeps a program in `work` is not the modes. */
	snprintf(r->root, sizeof(r->root), "%.40s/kb-test-XXXXXX",
		 temp ? temp : "/tmp");
	if (!mkdtemp(r->root) || chmod(r->root, 0777) < 0)
		KB_BUG("cannot make a directory");
	snprintf(r->work, sizeof(r->work), "%s/work", r->root);
	if (mkdir(r->work, 0700) < 0 ||
	    (!geteuid() && chown(r->work, KB_WORKER_UID, KB_WORKER_GID) < 0))
		KB_BUG("cannot make a directory");
	r->files.scratch = r->work;
}

static int start_of(struct rig *r, const char *trick, const char *argument)
{
	char work[100];
	const char *const argv[] = { "/tricks", trick, argument, NULL };
	const char *const env[] = { work, NULL };
	const struct kb_spawn spawn = {
		.argv = argv,
		.env = env,
		.files = r->files,
		.program_fd = r->program_fd,
		.channel_fd = r->page_fd,
		.log_fd = r->write_fd,
		.other_user = true,
		.limits = r->limits,
	};

	snprintf(work, sizeof(work), "WORK=%s", r->work);
	return kb_process_start(&r->process, &spawn, &r->err);
}

static int rig_start(struct rig *r, const char *trick, const char *argument)
{
	int ret = start_of(r, trick, argument);

	check_str(r->err.msg, "");
	close(r->write_fd);
	r->write_fd = -1;
	return ret;
}

/* The other end has no holder left; that is so now or never. */
static bool rig_is_deserted(const struct rig *r)
{
	char byte;

	return read(r->pipe_fd, &byte, 1) == 0;
}

static bool rig_becomes_deserted(const struct rig *r)
{
	struct pollfd fd = { .fd = r->pipe_fd, .events = POLLIN };

	return poll(&fd, 1, PATIENCE_NS / KB_NS_PER_MS) == 1 &&
	       rig_is_deserted(r);
}

static void rig_close(struct rig *r)
{
	kb_process_end(&r->process);
	check(rig_is_deserted(r));
	munmap(r->page, sizeof(*r->page));
	close(r->page_fd);
	close(r->pipe_fd);
	close(r->program_fd);
	if (r->write_fd >= 0)
		close(r->write_fd);
	check_int(kb_dir_remove(AT_FDCWD, r->root, NULL), 0);
}

static bool has(const struct rig *r, enum kb_feature f)
{
	return r->process.features & (1u << f);
}

static int wait_for_end(struct rig *r)
{
	int ret = kb_process_wait(&r->process, kb_clock_ns() + PATIENCE_NS,
				  &r->err);

	check_str(r->err.msg, "");
	return ret;
}

/* Start and see it through. */
static void rig_play(struct rig *r, const char *trick, const char *argument)
{
	rig_open(r);
	check_int(rig_start(r, trick, argument), 0);
	check_int(wait_for_end(r), 0);
	check(r->process.ended);
	check_int(r->process.wait_status, 0);
}

/* Start and wait until it has done what it does before it counts. */
static void rig_begin(struct rig *r, const char *trick)
{
	rig_open(r);
	check_int(rig_start(r, trick, NULL), 0);
	while (!__atomic_load_n(&r->page->ready, __ATOMIC_ACQUIRE) &&
	       kb_process_poll(&r->process, &r->err) > 0)
		usleep(1000);
	check(!r->process.ended);
}

static uint64_t counter(const struct rig *r, int i)
{
	return __atomic_load_n(&r->page->counters[i], __ATOMIC_RELAXED);
}

/* It advances beyond what it is now, sooner or later. */
static bool advances(const struct rig *r, int i)
{
	const int64_t deadline_ns = kb_clock_ns() + PATIENCE_NS;
	const uint64_t was = counter(r, i);

	while (counter(r, i) == was) {
		if (kb_clock_ns() > deadline_ns)
			return false;
		usleep(100);
	}
	return true;
}

static bool stands_still(const struct rig *r, int first, int last)
{
	uint64_t was[TRICKS_COUNTERS];

	for (int i = first; i <= last; i++)
		was[i] = counter(r, i);
	usleep(WATCH_US);
	for (int i = first; i <= last; i++)
		if (counter(r, i) != was[i])
			return false;
	return true;
}

static void test_exit_status_is_reported(void)
{
	static const struct {
		const char *text;
		int status;
	} cases[] = { { "0", 0 }, { "1", 1 }, { "77", 77 }, { "255", 255 } };

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct rig r;

		rig_open(&r);
		check_int(rig_start(&r, "exit", cases[i].text), 0);
		check_int(wait_for_end(&r), 0);
		check(r.process.ended && !r.process.running);
		check(WIFEXITED(r.process.wait_status));
		check_int(WEXITSTATUS(r.process.wait_status),
			  cases[i].status);

		/* It stays that way, whatever is asked of it. */
		check_int(kb_process_stop(&r.process, &r.err), 0);
		check_int(kb_process_continue(&r.process, &r.err), 0);
		check_int(kb_process_poll(&r.process, &r.err), 0);
		rig_close(&r);
	}
}
TEST_WITHOUT_NAMESPACES(test_exit_status_is_reported);

static void test_signal_is_reported(void)
{
	static const struct {
		const char *text;
		int sig;
	} cases[] = {
		{ "6", SIGABRT }, { "9", SIGKILL }, { "11", SIGSEGV },
		{ "15", SIGTERM }, { "13", SIGPIPE },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct rig r;

		rig_open(&r);
		check_int(rig_start(&r, "signal", cases[i].text), 0);
		check_int(wait_for_end(&r), 0);
		check(WIFSIGNALED(r.process.wait_status));
		check_int(WTERMSIG(r.process.wait_status), cases[i].sig);
		rig_close(&r);
	}
}

static void test_program_that_cannot_run_is_named(void)
{
	static const struct {
		const char *path, *message;
	} cases[] = {
		{ "/nonexistent/program", "cannot run '/nonexistent/program': "
		  "No such file or directory" },
		{ "/etc/passwd", "cannot run '/etc/passwd': "
		  "Permission denied" },
		{ "/etc", "cannot run '/etc': Permission denied" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct rig r;

		rig_open(&r);

		const char *const argv[] = { cases[i].path, NULL };
		const char *const env[] = { NULL };
		const struct kb_spawn spawn = {
			.argv = argv, .env = env, .files.scratch = r.work,
			.program_fd = -1, .channel_fd = -1,
			.log_fd = r.write_fd, .limits = r.limits,
		};

		check_int(kb_process_start(&r.process, &spawn, &r.err),
			  -KB_ERR_SYS);
		check_str(r.err.msg, cases[i].message);
		check_int(r.process.monitor, 0);
		check_int(r.process.monitor_fd, -1);
		close(r.write_fd);
		r.write_fd = -1;
		rig_close(&r);
	}
}
TEST_WITHOUT_NAMESPACES(test_program_that_cannot_run_is_named);

static void test_stop_holds_every_thread(void)
{
	struct rig r;

	rig_begin(&r, "count");
	for (int round = 0; round < 3; round++) {
		check(advances(&r, 0) && advances(&r, 1) && advances(&r, 2));
		check_int(kb_process_stop(&r.process, &r.err), 1);
		check(!r.process.running && !r.process.ended);
		check(stands_still(&r, 0, 2));
		check_int(kb_process_stop(&r.process, &r.err), 1);
		check_int(kb_process_continue(&r.process, &r.err), 1);
		check_int(kb_process_continue(&r.process, &r.err), 1);
	}
	check(advances(&r, 0));
	check_str(r.err.msg, "");
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_stop_holds_every_thread);

static void test_stop_holds_every_process(void)
{
	struct rig r;

	rig_begin(&r, "daemons");
	check(advances(&r, 1) && advances(&r, 2) && advances(&r, 3));
	check_int(kb_process_stop(&r.process, &r.err), 1);
	check(stands_still(&r, 0, 3));
	check_int(kb_process_continue(&r.process, &r.err), 1);
	check(advances(&r, 0) && advances(&r, 1));
	check(advances(&r, 2) && advances(&r, 3));
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_stop_holds_every_process);

static void test_program_that_stopped_itself_can_be_ended(void)
{
	struct rig r;

	rig_begin(&r, "stop");
	check_int(kb_process_wait(&r.process, kb_clock_ns() + KB_NS_PER_MS,
				  &r.err), 1);
	check_int(kb_process_stop(&r.process, &r.err), 1);
	check(stands_still(&r, 0, 0));
	check_int(kb_process_continue(&r.process, &r.err), 1);
	check(advances(&r, 0));
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_program_that_stopped_itself_can_be_ended);

static void test_end_does_not_ask(void)
{
	struct rig r;

	rig_begin(&r, "ignore");
	check(advances(&r, 0));
	rig_close(&r);

	/* Nor does it need the program to be running. */
	rig_begin(&r, "ignore");
	check_int(kb_process_stop(&r.process, &r.err), 1);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_end_does_not_ask);

static void test_end_reaches_every_process(void)
{
	struct rig r;

	rig_begin(&r, "daemons");
	check(advances(&r, 1) && advances(&r, 2) && advances(&r, 3));
	check(!rig_is_deserted(&r));
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_end_reaches_every_process);

/* What a program leaves behind does not outlive the report of its end by
 * more than kb_process_end(). */
static void test_left_processes_are_gone_with_the_program(void)
{
	struct rig r;

	rig_open(&r);
	check_int(rig_start(&r, "leave-daemons", NULL), 0);
	check_int(wait_for_end(&r), 0);
	check_int(WEXITSTATUS(r.process.wait_status), 5);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_left_processes_are_gone_with_the_program);

/* A monitor that has reported the end may still be sent commands. */
static void test_end_and_stop_may_cross(void)
{
	int ends = 0;

	for (int i = 0; i < 25; i++) {
		struct rig r;
		int ret;

		rig_open(&r);
		check_int(rig_start(&r, "exit", "3"), 0);
		for (int spin = 0; spin < 400 * i; spin++)
			__asm__ volatile("" ::: "memory");
		do {
			ret = kb_process_stop(&r.process, &r.err);
			if (ret > 0)
				check(kb_process_continue(&r.process,
							  &r.err) >= 0);
		} while (ret > 0);
		check_int(ret, 0);
		check_str(r.err.msg, "");
		check_int(WEXITSTATUS(r.process.wait_status), 3);
		ends += ret == 0;
		rig_close(&r);
		if (tap_failed)
			break;
	}
	check(ends > 0);
}
TEST_WITHOUT_NAMESPACES(test_end_and_stop_may_cross);

static void test_program_that_cannot_be_stopped_is_ended(void)
{
	struct rig r;

	rig_begin(&r, "vfork");
	check_int(kb_process_stop(&r.process, &r.err), 0);
	check_str(r.err.msg, "");
	check(r.process.ended && r.process.unstoppable);
	check(WIFSIGNALED(r.process.wait_status));
	check_int(WTERMSIG(r.process.wait_status), SIGKILL);
	rig_close(&r);
}

static void test_program_that_starts_programs_can_be_stopped(void)
{
	struct rig r;

	rig_begin(&r, "vfork-exec");
	for (int i = 0; i < 5 && !r.process.ended; i++) {
		check(advances(&r, 0));
		check_int(kb_process_stop(&r.process, &r.err), 1);
		check(stands_still(&r, 0, 0));
		check_int(kb_process_continue(&r.process, &r.err), 1);
	}
	check_str(r.err.msg, "");
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_program_that_starts_programs_can_be_stopped);

/* It may take longer than the supervisor waits, on a machine that is busy:
 * then it is ended, and stores as little. */
static void test_stop_outlasts_a_long_system_call(void)
{
	struct rig r;

	rig_begin(&r, "long-store");
	for (int i = 0; i < 5 && !r.process.ended; i++) {
		check(advances(&r, 0));
		(void)kb_process_stop(&r.process, &r.err);
		r.page->counters[1] = 7;
		usleep(WATCH_US);
		check_int(r.page->counters[1], 7);
		(void)kb_process_continue(&r.process, &r.err);
	}
	check_str(r.err.msg, "");
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_stop_outlasts_a_long_system_call);

static void test_everything_dies_with_the_supervisor(void)
{
	struct rig r;
	int status, go[2];
	char byte;
	pid_t pid;

	rig_open(&r);
	check_int(pipe(go), 0);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		(void)rig_start(&r, "daemons", NULL);
		(void)!write(go[1], "", 1);
		for (;;)
			pause();
	}
	close(r.write_fd);
	r.write_fd = -1;
	check_int(read(go[0], &byte, 1), 1);
	check(advances(&r, 1) && advances(&r, 2) && advances(&r, 3));
	kill(pid, SIGKILL);
	check_int(waitpid(pid, &status, 0), pid);
	check(rig_becomes_deserted(&r));
	close(go[0]);
	close(go[1]);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_everything_dies_with_the_supervisor);

/* To the kernel, that is: a builder of Nix has another name for it inside. */
static bool is_root(void)
{
	unsigned inside = 0, outside = 0;
	FILE *map = fopen("/proc/self/uid_map", "r");

	if (map) {
		check_int(fscanf(map, "%u %u", &inside, &outside), 2);
		fclose(map);
	}
	return geteuid() - inside + outside == 0;
}

static void test_fork_bomb_is_bounded(void)
{
	struct rig r;

	rig_open(&r);
	r.limits.processes = 40;
	check_int(rig_start(&r, "bomb", NULL), 0);
	if (is_root() && !has(&r, KB_FEATURE_OTHER_USER)) {
		tap_skip("root has as many processes as it likes");
	} else {
		check_int(wait_for_end(&r), 0);
		check(r.page->answers[0] < 40);
		check_int(r.page->answers[1], EAGAIN);
	}
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_fork_bomb_is_bounded);

static void test_memory_is_bounded(void)
{
	struct rig r;

	rig_open(&r);
	r.limits.address_bytes = 64 * MIB;
	check_int(rig_start(&r, "memory", NULL), 0);
	check_int(wait_for_end(&r), 0);
	check_int(r.process.wait_status, 0);
	check(r.page->answers[0] > 16 && r.page->answers[0] < 64);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_memory_is_bounded);

/* From Linux 5.12, and where the root directory is a mount: that of a plain
 * chroot is not. */
static bool root_can_be_made_read_only(void)
{
	struct statx st;

	return syscall(442, -1, "", 0, NULL, 0) < 0 && errno != ENOSYS &&
	       !statx(AT_FDCWD, "/", 0, 0, &st) &&
	       st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

static void test_only_the_working_directory_is_writable(void)
{
	struct rig r;

	rig_play(&r, "files", NULL);
	check_int(r.page->answers[0], 0);
	/* Who grants a PID namespace grants this, if it can be had. */
	check(has(&r, KB_FEATURE_READ_ONLY_FILES) ||
	      !has(&r, KB_FEATURE_PID_NAMESPACE) ||
	      !root_can_be_made_read_only());
	if (has(&r, KB_FEATURE_READ_ONLY_FILES)) {
		check_int(r.page->answers[1], EROFS);
		check_int(r.page->answers[2],
			  access("/var/tmp", F_OK) ? ENOENT : EROFS);
		check_int(r.page->answers[4], EROFS);
	} else {
		tap_skip("no read-only files");
	}
	if (has(&r, KB_FEATURE_PRIVATE_SHM)) {
		check_int(r.page->answers[3], 0);
		check_int(access("/dev/shm/kb-test-tricks", F_OK), -1);
	}
	unlink("/var/tmp/kb-test-tricks");
	unlink("/dev/shm/kb-test-tricks");
	rig_close(&r);
}

/* Its code can be read, /tmp is its own, and others' directories are not
 * there. */
static void test_tmp_is_its_own(void)
{
	const char *roots[1];
	struct kb_private_tmp tmp;
	char code[80], secret[80];
	char **kept;
	struct rig r;

	rig_open(&r);
	roots[0] = r.root;
	kept = kb_private_tmp_names(roots, 1);
	snprintf(code, sizeof(code), "%s/code", r.root);
	snprintf(secret, sizeof(secret), "%s/secret", r.root);
	check_int(mkdir(code, 0755), 0);
	check_int(mkdir(secret, 0755), 0);
	tmp = (struct kb_private_tmp){
		.root = r.root, .code = code,
		.kept = (const char *const *)kept,
	};
	r.files.tmp = &tmp;
	check_int(rig_start(&r, "tmp", r.root), 0);
	check_int(wait_for_end(&r), 0);
	check_int(r.process.wait_status, 0);
	if (!has(&r, KB_FEATURE_PRIVATE_TMP)) {
		check(!has(&r, KB_FEATURE_PID_NAMESPACE));
		tap_skip("no mounts");
	} else {
		check_int(r.page->answers[0], 0);
		check_int(r.page->answers[1], 0);
		check_int(r.page->answers[2], EROFS);
		check_int(r.page->answers[3], ENOENT);
		check_int(r.page->answers[4], EROFS);
		check_int(r.page->answers[5], 0);
	}
	kb_private_tmp_free(kept);
	rig_close(&r);
}

/* What is hidden is not there; and who cannot have it so does not start. */
static void test_files_can_be_hidden(void)
{
	const char *const paths[] = { "/dev/zero", NULL };
	struct rig r;

	rig_open(&r);
	r.files.hidden = paths;
	check_int(rig_start(&r, "zero", NULL), 0);
	check_int(wait_for_end(&r), 0);
	check_int(r.process.wait_status, 0);
	check_int(r.page->answers[0], 0);
	rig_close(&r);
}

static void test_what_cannot_be_hidden_is_an_error(void)
{
	const char *const paths[] = { "/nowhere/at/all", NULL };
	struct rig r;

	rig_open(&r);
	r.files.hidden = paths;
	check(start_of(&r, "zero", NULL) < 0);
	check_str(r.err.msg, "cannot run '/tricks': Operation not permitted");
	close(r.write_fd);
	r.write_fd = -1;
	rig_close(&r);
}

static int give(const void *context, int work_fd, struct kb_err *err)
{
	kb_auto(fd) int fd = openat(work_fd, context, O_WRONLY | O_CREAT |
				    O_EXCL | O_CLOEXEC, 0644);

	return fd < 0 ? kb_err_sys(err, "cannot give '%s'",
				   (const char *)context) : 0;
}

/* Whatever the program works in, it is filled before it starts; or the program
 * does not start. */
static void test_work_can_be_filled(void)
{
	static const struct {
		const char *name, *message;
		int ret;
	} cases[] = {
		{ "given", "", 0 },
		{ "no/where", "cannot give 'no/where': No such file or "
		  "directory", -KB_ERR_SYS },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const char *const argv[] = { "/bin/sh", "-c", "test -f given",
					     NULL };
		const char *const env[] = { NULL };
		struct rig r;

		rig_open(&r);

		const struct kb_spawn spawn = {
			.argv = argv, .env = env, .files = r.files,
			.program_fd = -1, .channel_fd = -1,
			.log_fd = r.write_fd, .other_user = true,
			.limits = r.limits, .fill = give,
			.fill_context = cases[i].name,
		};

		check_int(kb_process_start(&r.process, &spawn, &r.err),
			  cases[i].ret);
		check_str(r.err.msg, cases[i].message);
		close(r.write_fd);
		r.write_fd = -1;
		if (!cases[i].ret) {
			check_int(wait_for_end(&r), 0);
			check_int(r.process.wait_status, 0);
		}
		rig_close(&r);
	}
}
TEST_WITHOUT_NAMESPACES(test_work_can_be_filled);

static void test_names_in_tmp(void)
{
	static const struct {
		const char *path;
		const char *names;	/* joined */
	} cases[] = {
		{ NULL, "" }, { "", "" }, { ":", "" }, { "/usr/bin", "" },
		{ "/tmp", "" }, { "/tmp/", "" }, { "/tmp/./kb-a", "" }, { "/tmp/../kb-a", "" },
		{ "/tmp/.kb-a", ".kb-a " },
		{ "/tmpx/a", "" }, { "/tmp/kb-a", "kb-a " },
		{ "/tmp/kb-a/b", "kb-a " }, { "/tmp/kb-a:/tmp/kb-a/c", "kb-a " },
		{ "/usr/bin:/tmp/kb-a/:/tmp/kb-b", "kb-a kb-b " },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		char **names = kb_private_tmp_names(&cases[i].path, 1);

		for (size_t k = 0; names[k]; k++)
			kb_buf_addf(&text, "%s ", names[k]);
		kb_buf_addstr(&text, "");
		check_str(text.data, cases[i].names);
		kb_private_tmp_free(names);
	}
}

static int listen_abstract(const char *name)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	size_t len = strlen(name);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(a.sun_path + 1, name, len);
	if (fd < 0 ||
	    bind(fd, (struct sockaddr *)&a,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			     len)) < 0 ||
	    listen(fd, 4) < 0)
		KB_BUG("cannot listen");
	return fd;
}

static void test_there_is_no_network(void)
{
	char name[32];
	struct rig r;
	int fd;

	snprintf(name, sizeof(name), "kb-test-%d", (int)getpid());
	fd = listen_abstract(name);
	rig_play(&r, "network", name);
	check_int(r.page->answers[0], EPERM);
	check_int(r.page->answers[1], EPERM);
	check_int(r.page->answers[2], EPERM);
	check_int(r.page->answers[3], 0);
	if (has(&r, KB_FEATURE_NET_NAMESPACE))
		check_int(r.page->answers[4], ECONNREFUSED);
	close(fd);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_there_is_no_network);

static void test_no_way_to_send_sigcont(void)
{
	static const struct {
		enum tricks_signal_way way;
		int answer;
	} cases[] = {
		{ TRICKS_KILL, EPERM },
		{ TRICKS_TKILL, EPERM },
		{ TRICKS_TGKILL, EPERM },
		{ TRICKS_SIGQUEUE, EPERM },
		{ TRICKS_TGSIGQUEUE, EPERM },
		{ TRICKS_PIDFD, EPERM },
		{ TRICKS_TIMER, EPERM },
		{ TRICKS_SETSIG, EPERM },
		{ TRICKS_PDEATHSIG, EPERM },
		{ TRICKS_CLONE, EPERM },
		{ TRICKS_CLONE3, ENOSYS },
		{ TRICKS_MESSAGE_QUEUE, EPERM },
	};
	struct rig r;

	rig_play(&r, "sigcont", NULL);
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int(r.page->answers[cases[i].way], cases[i].answer);
	check(r.page->answers[TRICKS_TERMINAL] != 0);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_no_way_to_send_sigcont);

static void test_nothing_is_stored_later(void)
{
	struct rig r;

	rig_play(&r, "later", NULL);
	for (int i = 0; i < 3; i++)
		check_int(r.page->answers[i], EPERM);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_nothing_is_stored_later);

static bool is_refused(const struct rig *r, uint32_t number)
{
	const struct kb_calls allowed =
		kb_calls_allowed(has(r, KB_FEATURE_IPC_NAMESPACE));

	return kb_call_name(number) && !kb_calls_has(&allowed, number);
}

/* Without namespaces System V's memory is among them: where we do not know
 * before what there is, none of it is tried. */
static char *list_refused(int *count)
{
	const struct kb_calls allowed = kb_calls_allowed(true);
	struct kb_buf text = KB_BUF_INIT;

	*count = 0;
	for (uint32_t n = 0; n < KB_CALL_NUMBERS; n++)
		if (kb_call_name(n) && !kb_calls_has(&allowed, n))
			kb_buf_addf(&text, "%s%u", (*count)++ ? "," : "", n);
	return kb_buf_detach(&text);
}

static void test_calls_are_refused_and_told(void)
{
	int count, told = 0;
	kb_auto(mem) char *list = list_refused(&count);
	struct rig r;

	rig_play(&r, "refused", list);
	check_int(r.page->answers[0], 0);
	check_int(r.page->answers[1], count);
	check_int(r.page->answers[2], ENOSYS);
	for (uint32_t n = 0; n < KB_CALL_NUMBERS; n++) {
		const bool has_it = kb_calls_has(&r.process.refused, n);

		check(!has_it || is_refused(&r, n));
		told += has_it;
	}
	/* Linux 5.0 can tell; one that watches us may not let it. */
	check(told == count || !told);
	if (!told)
		tap_skip("refused calls are not told of here");
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_calls_are_refused_and_told);

static void test_descriptors_are_those_of_the_contract(void)
{
	int extra[20];
	struct rig r;

	/* Careless ones, open across exec. */
	for (size_t i = 0; i < KB_ARRAY_LEN(extra); i++)
		extra[i] = fcntl(STDOUT_FILENO, F_DUPFD, 30 + (int)i);
	rig_play(&r, "descriptors", NULL);
	check_int(r.page->answers[0], 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3);
	check_int(r.page->answers[1], 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(extra); i++)
		close(extra[i]);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_descriptors_are_those_of_the_contract);

static void test_identity_is_that_of_nobody(void)
{
	char self[16];
	struct rig r;

	/* What we ignore is not the program's business. */
	signal(SIGTERM, SIG_IGN);
	snprintf(self, sizeof(self), "%d", (int)getpid());
	rig_play(&r, "identity", self);
	signal(SIGTERM, SIG_DFL);
	check_int(has(&r, KB_FEATURE_OTHER_USER), !geteuid());
	check_int(r.page->answers[0],
		  geteuid() ? (int)geteuid() : KB_WORKER_UID);
	check_int(r.page->answers[1],
		  geteuid() ? (int)getegid() : KB_WORKER_GID);
	if (!geteuid())
		check_int(r.page->answers[2], 0);
	check_int(r.page->answers[3], 1);
	if (has(&r, KB_FEATURE_PID_NAMESPACE))
		check_int(r.page->answers[4], ESRCH);
	else if (!geteuid())
		check_int(r.page->answers[4], EPERM);
	check_int(r.page->answers[5], 1);
	check_int(r.page->answers[6], 1);
	check_int(r.page->answers[7], 1);
	check(r.page->answers[8] != 0);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_identity_is_that_of_nobody);

static void test_wait_ends_at_its_deadline(void)
{
	struct rig r;

	rig_begin(&r, "count");
	check_int(kb_process_poll(&r.process, &r.err), 1);
	check_int(kb_process_wait(&r.process, kb_clock_ns() + KB_NS_PER_MS,
				  &r.err), 1);
	check(r.process.running);
	rig_close(&r);
}

static void test_end_of_what_never_began_is_nothing(void)
{
	struct kb_process p = KB_PROCESS_INIT;

	errno = EXDEV;
	kb_process_end(&p);
	kb_process_end(&p);
	check_int(errno, EXDEV);
	check(p.ended);
}

TAP_MAIN(
	TAP(test_exit_status_is_reported),
	TAP(test_exit_status_is_reported_without_namespaces),
	TAP(test_signal_is_reported),
	TAP(test_program_that_cannot_run_is_named),
	TAP(test_program_that_cannot_run_is_named_without_namespaces),
	TAP(test_stop_holds_every_thread),
	TAP(test_stop_holds_every_thread_without_namespaces),
	TAP(test_stop_holds_every_process),
	TAP(test_stop_holds_every_process_without_namespaces),
	TAP(test_program_that_stopped_itself_can_be_ended),
	TAP(test_program_that_stopped_itself_can_be_ended_without_namespaces),
	TAP(test_end_does_not_ask),
	TAP(test_end_does_not_ask_without_namespaces),
	TAP(test_end_reaches_every_process),
	TAP(test_end_reaches_every_process_without_namespaces),
	TAP(test_left_processes_are_gone_with_the_program),
	TAP(test_left_processes_are_gone_with_the_program_without_namespaces),
	TAP(test_end_and_stop_may_cross),
	TAP(test_end_and_stop_may_cross_without_namespaces),
	TAP(test_program_that_cannot_be_stopped_is_ended),
	TAP(test_program_that_starts_programs_can_be_stopped),
	TAP(test_program_that_starts_programs_can_be_stopped_without_namespaces),
	TAP(test_stop_outlasts_a_long_system_call),
	TAP(test_stop_outlasts_a_long_system_call_without_namespaces),
	TAP(test_everything_dies_with_the_supervisor),
	TAP(test_everything_dies_with_the_supervisor_without_namespaces),
	TAP(test_fork_bomb_is_bounded),
	TAP(test_fork_bomb_is_bounded_without_namespaces),
	TAP(test_memory_is_bounded),
	TAP(test_memory_is_bounded_without_namespaces),
	TAP(test_only_the_working_directory_is_writable),
	TAP(test_work_can_be_filled),
	TAP(test_work_can_be_filled_without_namespaces),
	TAP(test_names_in_tmp),
	TAP(test_tmp_is_its_own),
	TAP(test_files_can_be_hidden),
	TAP(test_what_cannot_be_hidden_is_an_error),
	TAP(test_there_is_no_network),
	TAP(test_there_is_no_network_without_namespaces),
	TAP(test_no_way_to_send_sigcont),
	TAP(test_no_way_to_send_sigcont_without_namespaces),
	TAP(test_nothing_is_stored_later),
	TAP(test_nothing_is_stored_later_without_namespaces),
	TAP(test_calls_are_refused_and_told),
	TAP(test_calls_are_refused_and_told_without_namespaces),
	TAP(test_descriptors_are_those_of_the_contract),
	TAP(test_descriptors_are_those_of_the_contract_without_namespaces),
	TAP(test_identity_is_that_of_nobody),
	TAP(test_identity_is_that_of_nobody_without_namespaces),
	TAP(test_wait_ends_at_its_deadline),
	TAP(test_end_of_what_never_began_is_nothing),
);
