#include "device/granted.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"

#define FILE_BYTES_MAX ((size_t)64 * 1024)

/* --- what the files say ------------------------------------------------ */

/* Is `name` one of a list with commas between? */
static bool is_among(const char *name, const char *list, size_t len)
{
	const size_t name_len = strlen(name);

	while (len >= name_len) {
		const char *comma = memchr(list, ',', len);
		const size_t item = comma ? (size_t)(comma - list) : len;

		if (item == name_len && !memcmp(list, name, item))
			return true;
		if (!comma)
			return false;
		list += item + 1;
		len -= item + 1;
	}
	return false;
}

/* A line is "ID:CONTROLLERS:PATH"; version 2's has no controllers. */
static char *path_of_line(const char *line, size_t len, const char *controller)
{
	const char *list = memchr(line, ':', len), *path;

	if (!list)
		return NULL;
	list++;
	len -= (size_t)(list - line);
	path = memchr(list, ':', len);
	if (!path)
		return NULL;
	if (controller ? !is_among(controller, list, (size_t)(path - list))
		       : path != list)
		return NULL;
	path++;
	len -= (size_t)(path - list);
	return len && *path == '/' ? kb_xstrndup(path, len) : NULL;
}

char *kb_cgroup_path(const char *text, size_t len, const char *controller)
{
	while (len) {
		const char *end = memchr(text, '\n', len);
		const size_t line = end ? (size_t)(end - text) : len;
		char *path = path_of_line(text, line, controller);

		if (path || !end)
			return path;
		text += line + 1;
		len -= line + 1;
	}
	return NULL;
}

/* A number at the start of `*text`, past which that is moved. */
static bool take_number(const char **text, size_t *len, uint64_t *number)
{
	const char *start = *text;

	*number = 0;
	while (*len && **text >= '0' && **text <= '9') {
		const uint64_t digit = (uint64_t)(**text - '0');

		if (*number > (UINT64_MAX - digit) / 10)
			return false;
		*number = *number * 10 + digit;
		(*text)++;
		(*len)--;
	}
	return *text != start;
}

static bool is_end(const char *text, size_t len)
{
	return !len || (len == 1 && *text == '\n');
}

uint64_t kb_cgroup_limit(const char *text, size_t len)
{
	uint64_t number;

	if (!take_number(&text, &len, &number) || !is_end(text, len))
		return KB_NOT_LIMITED;
	return number;
}

uint64_t kb_cgroup_cpus(const char *text, size_t len)
{
	uint64_t quota, period;

	if (!take_number(&text, &len, &quota) || !len || *text != ' ')
		return KB_NOT_LIMITED;
	text++;
	len--;
	if (!take_number(&text, &len, &period) || !is_end(text, len) ||
	    !period || !quota)
		return KB_NOT_LIMITED;
	return quota / period + !!(quota % period);
}

/* --- this process ------------------------------------------------------ */

static void read_file(struct kb_buf *text, const char *root, const char *path)
{
	kb_auto(mem) char *whole = kb_xasprintf("%s%s", root, path);
	struct kb_err why = KB_ERR_INIT;

	kb_buf_clear(text);
	(void)kb_file_read(text, AT_FDCWD, whole, FILE_BYTES_MAX, &why);
}

/* The least that a group and those that it is in say in their `file`. A
 * container may see its own group as the uppermost, and its path from the
 * host: what is not there says nothing. */
static uint64_t least_up(const char *root, const char *mount, const char *group,
			 const char *file,
			 uint64_t (*read)(const char *, size_t))
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(mem) char *at = kb_xstrdup(group);
	uint64_t least = KB_NOT_LIMITED;

	for (;;) {
		kb_auto(mem) char *path = kb_xasprintf(
			"%s%s/%s", mount, strcmp(at, "/") ? at : "", file);
		char *slash = strrchr(at, '/');
		uint64_t limit;

		read_file(&text, root, path);
		limit = read(text.data, text.len);
		if (limit < least)
			least = limit;
		if (!slash || !strcmp(at, "/"))
			return least;
		slash[slash == at] = '\0';
	}
}

static uint64_t least_limit(const char *root, const char *controller,
			    const char *file_v2, const char *file_v1,
			    uint64_t (*read)(const char *, size_t))
{
	kb_auto(buf) struct kb_buf groups = KB_BUF_INIT;
	kb_auto(mem) char *v1 = NULL, *v2 = NULL, *mount = NULL;

	read_file(&groups, root, "/proc/self/cgroup");
	v1 = kb_cgroup_path(groups.data, groups.len, controller);
	v2 = kb_cgroup_path(groups.data, groups.len, NULL);
	if (v1 && file_v1) {
		mount = kb_xasprintf("/sys/fs/cgroup/%s", controller);
		return least_up(root, mount, v1, file_v1, read);
	}
	return v2 ? least_up(root, "/sys/fs/cgroup", v2, file_v2, read)
		  : KB_NOT_LIMITED;
}

int64_t kb_granted_cpus(const char *root)
{
	/* Version 1 has quota and period in two files, which are not read. */
	const uint64_t quota = least_limit(root, "cpu", "cpu.max", NULL,
					   kb_cgroup_cpus);
	int64_t cpus = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t allowed;

	if (!sched_getaffinity(0, sizeof(allowed), &allowed))
		cpus = CPU_COUNT(&allowed);
	if (quota < (uint64_t)cpus)
		cpus = (int64_t)quota;
	return cpus < 1 ? 1 : cpus;
}

uint64_t kb_granted_memory_bytes(const char *root)
{
	const uint64_t limit = least_limit(root, "memory", "memory.max",
					   "memory.limit_in_bytes", kb_cgroup_limit);
	const uint64_t there = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			       (uint64_t)sysconf(_SC_PAGESIZE);

	return limit < there ? limit : there;
}
