#include "base/self.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/err.h"

char *kb_self_prefix(struct kb_err *err)
{
	char path[PATH_MAX];
	/* The kernel's word, and not argv[0]: an installed tree is found
	 * wherever it was moved and however it was called. */
	const ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (len < 0) {
		kb_err_sys(err, "cannot read '/proc/self/exe'");
		return NULL;
	}
	/* readlink(2) writes no NUL. Programs are in a directory of the prefix,
	 * so that it is two components up. */
	path[len] = '\0';
	for (int up = 0; up < 2; up++) {
		char *slash = strrchr(path, '/');

		if (slash)
			*slash = '\0';
	}
	return kb_xstrdup(path);
}
