#include "confine/below.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

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
	int depth_max;
};

static bool look_below(pid_t pid, int depth, const struct visit *v);

static bool see_child(pid_t pid, int depth, const struct visit *v)
{
	const enum answer answer = v->see(v->context, pid, depth);

	return answer == STOP ||
	       (answer == GO_ON && look_below(pid, depth, v));
}

/* The children of one thread, "12 345 ". Returns whether it was told to stop. */
static bool look_at_children(pid_t pid, const char *tid, int depth,
			     const struct visit *v)
{
	bool is_over = false;
	char path[300];
	FILE *list;
	int child;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/children", (int)pid, tid);
	list = fopen(path, "re");
	if (!list)
		return false;
	while (!is_over && fscanf(list, "%d", &child) == 1)
		is_over = see_child(child, depth, v);
	fclose(list);
	return is_over;
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

	if (depth == v->depth_max)
		return false;
	tasks = open_tasks(pid);
	if (!tasks)
		return false;
	for (struct dirent *e; !is_over && (e = readdir(tasks));)
		is_over = e->d_name[0] != '.' &&
			  look_at_children(pid, e->d_name, depth + 1, v);
	closedir(tasks);
	return is_over;
}

/* What has more processes, or some further down, is no compiler. */
#define BUSY_DEPTH_MAX 8
#define BUSY_COUNT_MAX 512

struct busy {
	int generations, left;
};

static enum answer see_if_busy(void *context, pid_t pid, int depth)
{
	struct busy *b = context;

	if (!b->left)
		return PASS_OVER;
	b->left--;
	return depth > b->generations && is_busy(pid) ? STOP : GO_ON;
}

bool kb_is_busy_below(pid_t monitor, int generations)
{
	struct busy b = { generations, BUSY_COUNT_MAX };
	const struct visit v = { see_if_busy, &b, BUSY_DEPTH_MAX };

	return monitor > 0 && look_below(monitor, 0, &v);
}

/* --- processors ---------------------------------------------------------- */

/* Who is started by one that has not been moved yet is not, and is found by the next
 * look. */
#define LOOKS_MAX 4
#define MOVE_DEPTH_MAX 64

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
	if (!sched_setaffinity(tid, sizeof(*m->set), m->set))
		m->has_moved = true;
	else if (errno != ESRCH)
		m->has_failed = true;
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
	return GO_ON;
}

bool kb_move_below(const cpu_set_t *set,
		   bool (*is_spared)(void *context, pid_t pid), void *context)
{
	struct move m = { .set = set, .is_spared = is_spared,
			  .context = context, .has_moved = true };
	const struct visit v = { move_process, &m, MOVE_DEPTH_MAX };

	for (int i = 0; i < LOOKS_MAX && m.has_moved; i++) {
		m.has_moved = false;
		(void)look_below(getpid(), 0, &v);
	}
	return !m.has_failed;
}
