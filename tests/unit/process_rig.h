#ifndef KB_TESTS_UNIT_PROCESS_RIG_H
#define KB_TESTS_UNIT_PROCESS_RIG_H

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "confine/process.h"
#include "lib/programs.h"
#include "lib/tap.h"
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
	bool unconfined;
	bool loopback;
	struct kb_err err;
};

static inline void rig_open(struct rig *r)
{
	const char *temp = getenv("TMPDIR");
	int fds[2];

	/* The kernel counts those of a user, so another run's workers, too. */
	*r = (struct rig){
		.process = KB_PROCESS_INIT,
		.limits = { .file_bytes = MIB, .processes = 4096, .files = 64 },
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

static inline int start_of(struct rig *r, const char *trick, const char *argument)
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
		.prints_directly = true,
		.other_user = !r->unconfined,
		.unconfined = r->unconfined,
		.loopback = r->loopback,
		.limits = r->limits,
	};

	snprintf(work, sizeof(work), "WORK=%s", r->work);
	return kb_process_start(&r->process, &spawn, &r->err);
}

static inline int rig_start(struct rig *r, const char *trick, const char *argument)
{
	int ret = start_of(r, trick, argument);

	check_str(r->err.msg, "");
	close(r->write_fd);
	r->write_fd = -1;
	return ret;
}

/* The other end has no holder left; that is so now or never. */
static inline bool rig_is_deserted(const struct rig *r)
{
	char byte;

	return read(r->pipe_fd, &byte, 1) == 0;
}

static inline bool rig_becomes_deserted(const struct rig *r)
{
	struct pollfd fd = { .fd = r->pipe_fd, .events = POLLIN };

	return poll(&fd, 1, PATIENCE_NS / KB_NS_PER_MS) == 1 &&
	       rig_is_deserted(r);
}

static inline void rig_close(struct rig *r)
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

static inline bool has(const struct rig *r, enum kb_feature f)
{
	return r->process.features & (1u << f);
}

static inline int wait_for_end(struct rig *r)
{
	int ret = kb_process_wait(&r->process, kb_clock_ns() + PATIENCE_NS,
				  &r->err);

	check_str(r->err.msg, "");
	return ret;
}

/* Start and see it through. */
static inline void rig_play(struct rig *r, const char *trick, const char *argument)
{
	rig_open(r);
	check_int(rig_start(r, trick, argument), 0);
	check_int(wait_for_end(r), 0);
	check(r->process.ended);
	check_int(r->process.wait_status, 0);
}

/* Start and wait until it has done what it does before it counts. */
static inline void rig_go(struct rig *r, const char *trick)
{
	check_int(rig_start(r, trick, NULL), 0);
	while (!__atomic_load_n(&r->page->ready, __ATOMIC_ACQUIRE) &&
	       kb_process_poll(&r->process, &r->err) > 0)
		usleep(1000);
	check(!r->process.ended);
}

static inline void rig_begin(struct rig *r, const char *trick)
{
	rig_open(r);
	rig_go(r, trick);
}

static inline uint64_t counter(const struct rig *r, int i)
{
	return __atomic_load_n(&r->page->counters[i], __ATOMIC_RELAXED);
}

/* It advances beyond what it is now, sooner or later. */
static inline bool advances(const struct rig *r, int i)
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

static inline bool stands_still(const struct rig *r, int first, int last)
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

#endif
