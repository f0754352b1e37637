#include "confine/below.h"

#include <dirent.h>
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

static bool look_below(pid_t pid, int depth, int generations);

/* The children of one thread, "12 345 ". `depth` is how far below the monitor
 * they are. */
static bool look_at_children(int tasks_fd, const char *tid, int depth,
			     int generations)
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

		/* A blank is behind each number that is whole. */
		if (end == p || !*end)
			return false;
		if ((depth > generations && is_busy(pid)) ||
		    look_below(pid, depth, generations))
			return true;
	}
	return false;
}

static bool look_below(pid_t pid, int depth, int generations)
{
	bool found = false;
	char path[48];
	DIR *tasks;

	if (depth == DEPTH_MAX)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	if (!tasks)
		return false;
	for (struct dirent *e; !found && (e = readdir(tasks));)
		found = e->d_name[0] != '.' &&
			look_at_children(dirfd(tasks), e->d_name, depth + 1,
					 generations);
	closedir(tasks);
	return found;
}

bool kb_is_busy_below(pid_t monitor, int generations)
{
	return monitor > 0 && look_below(monitor, 0, generations);
}
