#include "confine/below.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Whoever has more children than fit, or descendants further down, is not looked
 * at to the end: that is no compiler. */
#define LIST_BYTES 4096
#define DEPTH_MAX 8

static bool is_busy(pid_t pid)
{
	char path[48], text[512];
	ssize_t len;
	const char *p;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	kb_auto(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);

	len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (len <= 0)
		return false;
	text[len] = '\0';
	/* "7 (a name) R 1 ...": the name may hold anything. */
	p = strrchr(text, ')');
	return p && (!strncmp(p, ") R", 3) || !strncmp(p, ") D", 3));
}

/* Of the processes below one: stop, pass over all that is below this one, or go on.
 * `depth` is how far below it is. */
enum answer { GO_ON, PASS_OVER, STOP };

struct visit {
	enum answer (*see)(void *context, pid_t pid, int depth);
	void *context;
};

static bool look_below(pid_t pid, int depth, const struct visit *v);

/* The children of one thread, "12 345 ". Returns whether it was told to stop. */
static bool look_at_children(int tasks_fd, const char *tid, int depth,
			     const struct visit *v)
{
	char path[300], text[LIST_BYTES];
	ssize_t len;

	snprintf(path, sizeof(path), "%s/children", tid);
	kb_auto(fd) int fd = openat(tasks_fd, path, O_RDONLY | O_CLOEXEC);

	len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (len <= 0)
		return false;
	text[len] = '\0';
	for (char *p = text, *end; *p; p = end + 1) {
		const pid_t pid = (pid_t)strtol(p, &end, 10);
		enum answer answer;

		/* A blank is behind each number that is whole. */
		if (end == p || !*end)
			return false;
		answer = v->see(v->context, pid, depth);
		if (answer == STOP ||
		    (answer == GO_ON && look_below(pid, depth, v)))
			return true;
	}
	return false;
}

static DIR *open_tasks(pid_t pid)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	return opendir(path);
}

static bool look_below(pid_t pid, int depth, const struct visit *v)
{
	bool is_over = false;
	DIR *tasks;

	if (depth == DEPTH_MAX)
		return false;
	tasks = open_tasks(pid);
	if (!tasks)
		return false;
	for (struct dirent *e; !is_over && (e = readdir(tasks));)
		is_over = e->d_name[0] != '.' &&
			  look_at_children(dirfd(tasks), e->d_name, depth + 1,
					   v);
	closedir(tasks);
	return is_over;
}

static enum answer see_if_busy(void *context, pid_t pid, int depth)
{
	const int *generations = context;

	return depth > *generations && is_busy(pid) ? STOP : GO_ON;
}

bool kb_is_busy_below(pid_t monitor, int generations)
{
	const struct visit v = { see_if_busy, &generations };

	return monitor > 0 && look_below(monitor, 0, &v);
}

/* --- processors ---------------------------------------------------------- */

/* Who is started by one that has not been moved yet is not, and is found by the next
 * look. */
#define LOOKS_MAX 4

struct move {
	const cpu_set_t *set;
	bool (*is_spared)(void *context, pid_t pid);
	void *context;
	bool has_moved, has_failed;
};

/* A thread, which may be gone. */
static void move_thread(struct move *m, pid_t tid)
{
	cpu_set_t has;

	if (sched_getaffinity(tid, sizeof(has), &has) < 0 ||
	    CPU_EQUAL(&has, m->set))
		return;
	m->has_moved = true;
	if (sched_setaffinity(tid, sizeof(*m->set), m->set) < 0)
		m->has_failed |= errno != ESRCH;
}

static enum answer move_process(void *context, pid_t pid, int depth)
{
	struct move *m = context;
	DIR *tasks;

	(void)depth;
	if (m->is_spared(m->context, pid))
		return PASS_OVER;
	tasks = open_tasks(pid);
	if (!tasks)
		return GO_ON;
	for (struct dirent *e; (e = readdir(tasks));)
		if (e->d_name[0] != '.')
			move_thread(m, (pid_t)strtol(e->d_name, NULL, 10));
	closedir(tasks);
	return m->has_failed ? STOP : GO_ON;
}

bool kb_move_below(const cpu_set_t *set,
		   bool (*is_spared)(void *context, pid_t pid), void *context)
{
	struct move m = { .set = set, .is_spared = is_spared,
			  .context = context, .has_moved = true };
	const struct visit v = { move_process, &m };

	for (int i = 0; i < LOOKS_MAX && m.has_moved && !m.has_failed; i++) {
		m.has_moved = false;
		(void)look_below(getpid(), 0, &v);
	}
	return !m.has_failed;
}
