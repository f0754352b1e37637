#include "confine/served.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "confine/cgroups.h"
#include "confine/fork_server.h"
#include "confine/monitor.h"
#include "confine/pass_fd.h"
#include "confine/spawn_bytes.h"

/* One server a process, one program a fork of it. */
static struct kb_fork_request request;
static int fds[KB_FORK_FDS];
static void *bytes = MAP_FAILED;
static size_t byte_count;
static struct kb_spawned spawned = KB_SPAWNED_INIT;

int kb_served_begin(void)
{
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		return errno;
	return kb_cgroup_fork_prepare();
}

/* --- what is inherited ------------------------------------------------- */

/* A fork has the calling thread alone, and others may hold locks for ever. */
static bool has_one_thread(void)
{
	struct stat st;

	/* Two links of its own, and one for each thread (proc(5)). */
	return !stat("/proc/self/task", &st) && st.st_nlink == 3;
}

static bool has_no_other_descriptor(void)
{
	kb_auto(dir) DIR *d = opendir("/proc/self/fd");
	struct dirent *e;

	if (!d)
		return false;
	while ((e = readdir(d))) {
		const int fd = atoi(e->d_name);

		if (e->d_name[0] != '.' && fd > KB_FORK_SERVER_FD &&
		    fd != dirfd(d)) {
			errno = EBUSY;
			return false;
		}
	}
	return true;
}

/* Memory that several of them could write to. Of a file that cannot be written
 * the kernel says that it is not shared ("sh" of "VmFlags", proc(5)). */
static bool shares_no_memory(void)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	kb_auto(mem) char *line = NULL;
	size_t size = 0, count = 0;
	bool shares = false;

	if (!f)
		return false;
	while (getline(&line, &size, f) > 0) {
		if (strncmp(line, "VmFlags:", strlen("VmFlags:")))
			continue;
		count++;
		shares |= strstr(line, " sh") != NULL;
	}
	fclose(f);
	errno = EBUSY;
	return count && !shares;
}

bool kb_served_ready(void)
{
	const struct kb_fork_answer a = { .pid = 0 };

	return has_one_thread() && has_no_other_descriptor() &&
	       shares_no_memory() &&
	       send(KB_FORK_SERVER_FD, &a, sizeof(a), MSG_NOSIGNAL) ==
		       sizeof(a);
}

/* --- for each program -------------------------------------------------- */

static void close_fds(void)
{
	for (int i = 0; i < KB_FORK_FDS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

bool kb_served_await(void)
{
	int taken[KB_FORK_FDS], next = 0;
	ssize_t n;

	do
		n = kb_take_fds(KB_FORK_SERVER_FD, &request, sizeof(request),
				taken, KB_FORK_FDS, 0);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(request))
		return false;
	for (int i = 0; i < KB_FORK_FDS; i++)
		fds[i] = request.fds & 1u << i ? taken[next++] : -1;
	return true;
}

/* Only here is read what the program is. */
static int read_spawn(struct kb_spawn **out)
{
	struct stat st;
	int ret;

	if (fstat(fds[KB_FORK_SPAWN], &st) < 0)
		return errno;
	byte_count = (size_t)st.st_size;
	bytes = mmap(NULL, byte_count, PROT_READ, MAP_PRIVATE,
		     fds[KB_FORK_SPAWN], 0);
	if (bytes == MAP_FAILED)
		return errno;
	ret = kb_spawned_from_bytes(&spawned, bytes, byte_count);
	spawned.spawn.log_fd = fds[KB_FORK_LOG];
	spawned.spawn.channel_fd = fds[KB_FORK_CHANNEL];
	spawned.spawn.group_fd = fds[KB_FORK_GROUP];
	spawned.spawn.goes_on = true;
	*out = &spawned.spawn;
	return ret;
}

/* Returns in the program. */
static void become_monitor(uid_t uid, gid_t gid)
{
	struct kb_monitor_report r = { .event = KB_MONITOR_FAILED };
	struct kb_spawn *spawn;

	r.value = read_spawn(&spawn);
	if (r.value) {
		(void)!send(fds[KB_FORK_MONITOR], &r, sizeof(r), MSG_NOSIGNAL);
		_exit(1);
	}
	kb_monitor_run(spawn, request.clone_flags, uid, gid,
		       fds[KB_FORK_MONITOR]);
}

pid_t kb_served_fork(kb_served_hook *before, kb_served_hook *in_parent,
		     kb_served_hook *in_program)
{
	/* Asked before the clone: in a new user namespace that has no map yet,
	 * ids are those of nobody. */
	const uid_t uid = geteuid();
	const gid_t gid = getegid();
	struct kb_fork_answer a;

	before();
	/* Its parent is the supervisor, which waits for it, and whose end it is
	 * told of. */
	a.pid = (int32_t)syscall(SYS_clone, request.clone_flags | CLONE_PARENT |
				 SIGCHLD, NULL, NULL, NULL, NULL);
	if (!a.pid) {
		become_monitor(uid, gid);
		in_program();
		return 0;
	}
	if (a.pid < 0)
		a.pid = -errno;
	in_parent();
	close_fds();
	(void)!send(KB_FORK_SERVER_FD, &a, sizeof(a), MSG_NOSIGNAL);
	return a.pid;
}

const char *kb_served_argument(size_t i)
{
	return spawned.spawn.argv[i];
}

const char *kb_served_variable(size_t i)
{
	return spawned.spawn.env[i];
}

void kb_served_forget(void)
{
	kb_spawned_release(&spawned);
	munmap(bytes, byte_count);
}
