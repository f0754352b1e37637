#include "confine/cgroup_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "device/granted.h"

#define FILE_BYTES_MAX ((size_t)1 << 20)
#define PATIENCE_NS KB_NS_PER_S
#define LOOK_US 500

void kb_cgroup_read(struct kb_buf *text, int fd, const char *name)
{
	struct kb_err why = KB_ERR_INIT;

	kb_buf_clear(text);
	if (kb_file_read(text, fd, name, FILE_BYTES_MAX, &why) < 0)
		kb_buf_clear(text);
}

bool kb_cgroup_write(int fd, const char *name, const char *text)
{
	kb_auto(fd) int file = openat(fd, name, O_WRONLY | O_CLOEXEC);
	const size_t len = strlen(text);

	return file >= 0 && write(file, text, len) == (ssize_t)len;
}

bool kb_cgroup_is_unit(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	return dot && dot > name &&
	       (!strcmp(dot, ".service") || !strcmp(dot, ".scope"));
}

bool kb_cgroup_has_word(const char *text, size_t len, const char *word)
{
	const size_t word_len = strlen(word);
	size_t start = 0;

	for (size_t i = 0; i <= len; i++) {
		if (i < len && text[i] != ' ' && text[i] != '\n')
			continue;
		if (i - start == word_len && !memcmp(text + start, word, word_len))
			return true;
		start = i + 1;
	}
	return false;
}

uint64_t kb_cgroup_count(const char *text, size_t len, const char *name)
{
	const size_t name_len = strlen(name);

	while (len) {
		const char *end = memchr(text, '\n', len);
		const size_t line = end ? (size_t)(end - text) : len;

		if (line > name_len && !memcmp(text, name, name_len) &&
		    text[name_len] == ' ') {
			const uint64_t n = kb_cgroup_limit(text + name_len + 1,
							   line - name_len - 1);

			return n == KB_NOT_LIMITED ? 0 : n;
		}
		text += line + !!end;
		len -= line + !!end;
	}
	return 0;
}

int kb_cgroup_at(int fd, const char *path)
{
	return openat(fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The groups in it; they are empty, or will be in a moment. */
static void remove_below(int fd)
{
	const int copy = kb_cgroup_at(fd, ".");
	DIR *d = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *e;

	if (!d)
		return;
	/* rmdir(2) of a group with groups fails with EBUSY, as with processes,
	 * and not with ENOTEMPTY (cgroup_destroy_locked() in Linux). */
	while ((e = readdir(d)))
		if (e->d_type == DT_DIR && e->d_name[0] != '.' &&
		    unlinkat(fd, e->d_name, AT_REMOVEDIR) < 0) {
			kb_auto(fd) int below = kb_cgroup_at(fd, e->d_name);

			if (below >= 0)
				remove_below(below);
			(void)unlinkat(fd, e->d_name, AT_REMOVEDIR);
		}
	closedir(d);
}

bool kb_cgroup_destroy(int parent_fd, const char *name)
{
	const int64_t deadline_ns = kb_clock_ns() + PATIENCE_NS;
	kb_auto(fd) int fd = kb_cgroup_at(parent_fd, name);

	/* A group is busy until the last process in it is gone, which takes a
	 * moment after SIGKILL, and as long as it has groups. */
	while (unlinkat(parent_fd, name, AT_REMOVEDIR) < 0 && errno != ENOENT) {
		if (fd < 0 || kb_clock_ns() >= deadline_ns)
			return false;
		/* Linux 5.14; before that, who started it has killed it. */
		(void)kb_cgroup_write(fd, "cgroup.kill", "1");
		remove_below(fd);
		usleep(LOOK_US);
	}
	return true;
}
