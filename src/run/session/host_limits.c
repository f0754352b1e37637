#include "session/host_limits.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"

#define FILES_LEAST 96
#define STACK_LEAST_BYTES ((rlim_t)512 * 1024)

/* Lane, monitors, workers and a compiler; and of each of two workers torch's
 * threads for operators and for BLAS. */
#define PROCESSES_LEAST(threads) (8 + 4 * (uint64_t)(threads))

/* A directory has a link from each of those in it, and two more. */
static uint64_t threads_of(int proc_fd, const char *pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "%.40s/task", pid);
	if (fstatat(proc_fd, path, &st, 0) < 0 || st.st_uid != getuid() ||
	    st.st_nlink < 3)
		return 0;
	return st.st_nlink - 2;
}

/* RLIMIT_NPROC counts all threads of a user. */
static uint64_t count_threads(void)
{
	kb_auto(dir) DIR *d = opendir("/proc");
	uint64_t count = 0;
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] >= '0' && e->d_name[0] <= '9')
			count += threads_of(dirfd(d), e->d_name);
	return count;
}

static int check_files(struct kb_err *err)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) < 0 || r.rlim_max >= FILES_LEAST)
		return 0;
	return kb_err(err, KB_ERR_SYS, "only %" PRIu64 " files may be open here: "
		      "kb takes %d at least; raise the limit with 'ulimit -n'",
		      (uint64_t)r.rlim_max, FILES_LEAST);
}

static int check_stack(struct kb_err *err)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_STACK, &r) < 0 || r.rlim_cur >= STACK_LEAST_BYTES)
		return 0;
	return kb_err(err, KB_ERR_SYS, "a stack may have only %" PRIu64 " KiB "
		      "here: workers take %" PRIu64 " at least; raise the limit "
		      "with 'ulimit -s'", (uint64_t)r.rlim_cur / 1024,
		      (uint64_t)STACK_LEAST_BYTES / 1024);
}

static int check_processes(int threads, struct kb_err *err)
{
	const uint64_t wanted = PROCESSES_LEAST(threads);
	struct rlimit r;
	uint64_t has;

	/* The kernel does not hold user 0 to it. */
	if (!getuid() || getrlimit(RLIMIT_NPROC, &r) < 0 ||
	    r.rlim_cur == RLIM_INFINITY)
		return 0;
	has = count_threads();
	if (r.rlim_cur >= has && r.rlim_cur - has >= wanted)
		return 0;
	return kb_err(err, KB_ERR_SYS, "this user may have %" PRIu64 " processes "
		      "and threads, and has %" PRIu64 ": kb takes %" PRIu64
		      " more at least; end some, raise the limit with 'ulimit "
		      "-u', or ask for fewer --threads",
		      (uint64_t)r.rlim_cur, has, wanted);
}

int kb_session_check_limits(int threads, struct kb_err *err)
{
	int ret = check_files(err);

	if (ret >= 0)
		ret = check_stack(err);
	return ret < 0 ? ret : check_processes(threads, err);
}
