#include "confine/stopped.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

/* An entry from getdents64(2); libc has it only behind opendir(), which
 * allocates. */
struct entry {
	uint64_t inode;
	int64_t offset;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

/* The numbers among the names of a directory. */
struct numbers {
	int fd;
	long len, at;			/* of what is in `buf` */
	_Alignas(struct entry) char buf[2048];
};

static pid_t number_of(const char *name)
{
	pid_t n = 0;

	for (; *name >= '0' && *name <= '9'; name++)
		n = 10 * n + (*name - '0');
	return *name ? 0 : n;
}

/*
 * May what /proc does not give be left out? What has ended may; and of a group
 * those that are somebody else's, which /proc can be told to hide. Anything
 * else, such as a lack of descriptors, which many processes can bring about,
 * tells nothing, and nothing is not "stopped".
 */
static bool is_not_below(int error, pid_t group)
{
	return error == ENOENT || error == ESRCH ||
	       (group != KB_EVERYBODY && (error == EACCES || error == EPERM));
}

/* The next one, 0 at the end; if that is an error, `len` is below 0. */
static pid_t next_number(struct numbers *n)
{
	for (;;) {
		const struct entry *e;
		pid_t number;

		if (n->at >= n->len) {
			n->at = 0;
			n->len = syscall(SYS_getdents64, n->fd, n->buf,
					 sizeof(n->buf));
			if (n->len <= 0)
				return 0;
		}
		e = (const void *)(n->buf + n->at);
		n->at += e->bytes;
		number = number_of(e->name);
		if (number > 0)
			return number;
	}
}

/* "123/task" for 123. */
static void make_path(char path[32], pid_t number, const char *rest)
{
	char digits[16];
	size_t count = 0, at = 0;

	for (; number > 0; number /= 10)
		digits[count++] = (char)('0' + number % 10);
	while (count)
		path[at++] = digits[--count];
	strcpy(path + at, rest);
}

/* The fields that we read of /proc/PID/task/TID/stat. */
struct task {
	char state;			/* 0: errno says why it is not known */
	pid_t group;
};

static struct task read_task(int tasks_fd, pid_t number)
{
	struct task t = { .state = 0 };
	char path[32], text[256];
	const char *p;
	ssize_t len;

	make_path(path, number, "/stat");
	kb_auto(fd) int fd = openat(tasks_fd, path, O_RDONLY | O_CLOEXEC);

	/* The wanted fields come right after the name, which is short:
	 * prctl(2), PR_SET_NAME, takes 15 bytes. */
	len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (!len)
		errno = EIO;
	if (len <= 0)
		return t;
	text[len] = '\0';
	errno = EIO;
	/* "7 (a name) T 1 7 ...": the name may hold anything. */
	p = strrchr(text, ')');
	if (!p || strlen(p) < 4)
		return t;
	t.state = p[2];
	p = strchr(p + 4, ' ');
	for (p = p ? p + 1 : ""; *p >= '0' && *p <= '9'; p++)
		t.group = 10 * t.group + (*p - '0');
	return t;
}

/* T: stopped. Z, X: it has ended, and so has what it did to memory. */
static bool is_stopped(char state)
{
	return state == 'T' || state == 'Z' || state == 'X';
}

static bool process_stopped(int proc_fd, pid_t pid, pid_t group)
{
	struct numbers tasks = { .len = 0 };
	char path[32];
	pid_t tid;

	make_path(path, pid, "/task");
	kb_auto(fd) int fd = openat(proc_fd, path,
				    O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return is_not_below(errno, group);
	tasks.fd = fd;
	while ((tid = next_number(&tasks))) {
		const struct task t = read_task(fd, tid);

		if (t.state && group != KB_EVERYBODY && t.group != group)
			return true;
		if (t.state ? !is_stopped(t.state)
			    : !is_not_below(errno, group))
			return false;
	}
	return tasks.len >= 0 || is_not_below(errno, group);
}

/* All that /proc lists from where it stands. `*seen`, if not NULL: the caller
 * is among them, and is left out. */
static bool listed_stopped(int proc_fd, pid_t group, bool *seen)
{
	struct numbers processes = { .fd = proc_fd };
	const pid_t self = getpid();
	pid_t pid;

	while ((pid = next_number(&processes))) {
		if (seen && pid == self)
			*seen = true;
		else if (!process_stopped(proc_fd, pid, group))
			return false;
	}
	return processes.len >= 0;
}

/*
 * Linux lists dozens of files before processes, which takes longer than these:
 * they begin at this offset. An init is the first of them, so if it is not
 * there some may have been skipped.
 */
#define FIRST_PROCESS 256

static bool everybody_stopped(int proc_fd)
{
	bool seen = false;

	if (getpid() == 1 && lseek(proc_fd, FIRST_PROCESS, SEEK_SET) >= 0 &&
	    !listed_stopped(proc_fd, KB_EVERYBODY, &seen))
		return false;
	return seen || (lseek(proc_fd, 0, SEEK_SET) == 0 &&
			listed_stopped(proc_fd, KB_EVERYBODY, &seen));
}

bool kb_all_stopped(pid_t group)
{
	kb_auto(fd) int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || !group)
		return false;
	return group == KB_EVERYBODY ? everybody_stopped(fd)
				     : listed_stopped(fd, group, NULL);
}

pid_t kb_first_child(void)
{
	kb_auto(fd) int fd = open("/proc/thread-self/children",
				  O_RDONLY | O_CLOEXEC);
	char text[16] = "";
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	char *end = len < 0 ? NULL : strchr(text, ' ');

	if (!end)
		return 0;
	*end = '\0';
	return number_of(text);
}

/* --- a program that is alone ------------------------------------------- */

static int open_tasks(pid_t pid)
{
	char path[48] = "/proc/";

	make_path(path + strlen(path), pid, "/task");
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void kb_alone_open(struct kb_alone *a)
{
	const pid_t pid = kb_first_child();
	char path[32];

	*a = (struct kb_alone)KB_ALONE_INIT;
	a->own_children_fd = open("/proc/thread-self/children",
				  O_RDONLY | O_CLOEXEC);
	a->tasks_fd = pid ? open_tasks(pid) : -1;
	if (a->tasks_fd < 0)
		return;
	make_path(path, pid, "/children");
	a->children_fd = openat(a->tasks_fd, path, O_RDONLY | O_CLOEXEC);
}

/* Count the children in a file such as "12 345 ". Below 0 if it cannot be read;
 * more than two may be taken for two. */
static int count_children(int fd)
{
	char text[32];
	const ssize_t len = fd < 0 ? -1 : pread(fd, text, sizeof(text), 0);
	int count = 0;

	for (ssize_t i = 0; i < len; i++)
		count += text[i] == ' ';
	return len < 0 ? -1 : count;
}

/* A directory has a link from each of those in it, and two more. */
static bool has_one_thread(int tasks_fd)
{
	struct stat st;

	return tasks_fd >= 0 && !fstat(tasks_fd, &st) && st.st_nlink == 3;
}

/*
 * The order matters. A stopped program without threads or children cannot get
 * any. Any other process descends from another child of ours, and if that child
 * dies, its children become ours.
 */
bool kb_alone_holds(const struct kb_alone *a)
{
	return has_one_thread(a->tasks_fd) &&
	       !count_children(a->children_fd) &&
	       count_children(a->own_children_fd) == 1;
}
