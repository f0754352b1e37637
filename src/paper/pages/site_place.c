#include "pages/site_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "pages/html.h"
#include "store/quote.h"

/* More than comes before the name of the program in a page. */
#define HEAD_BYTES 4096

#define NEXT_STEP ": name another with '--output', or delete it"

static bool ends_in(const char *name, const char *end)
{
	const size_t len = strlen(name);

	return len > strlen(end) && !strcmp(name + len - strlen(end), end);
}

static bool is_our_page(int dirfd, const char *name)
{
	kb_auto(fd) int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW |
				    O_NONBLOCK | O_CLOEXEC);
	char head[HEAD_BYTES];
	ssize_t len = fd < 0 ? -1 : read(fd, head, sizeof(head));

	return len > 0 && memmem(head, (size_t)len, KB_PAGE_GENERATOR,
				 strlen(KB_PAGE_GENERATOR));
}

/* Data lies beside the index of a leaderboard alone. */
static bool is_ours(int dirfd, const char *name)
{
	if (ends_in(name, ".html"))
		return is_our_page(dirfd, name);
	return (!strcmp(name, "leaderboard.json") ||
		!strcmp(name, "leaderboard.csv")) &&
	       is_our_page(dirfd, "index.html");
}

static int check_folder(int fd, const char *path, struct kb_err *err)
{
	kb_auto(names) char **names = NULL;
	const int ret = kb_dir_names(&names, fd, path, err);

	for (char **name = names; ret == 0 && *name; name++)
		if (!is_ours(fd, *name))
			return kb_err(err, KB_ERR_INPUT,
				      "'%s' has '%s', which kb-report did not "
				      "write" NEXT_STEP, path,
				      kb_quote_str(*name).text);
	return ret;
}

int kb_site_check_place(const char *path, struct kb_err *err)
{
	kb_auto(fd) int fd = -1;
	struct stat st;

	/* lstat(2), because a link that leads nowhere is something as well. */
	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 :
		       kb_err_sys(err, "cannot write '%s'", path);
	if (!S_ISDIR(st.st_mode))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is no folder" NEXT_STEP, path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return kb_err_sys(err, "cannot read '%s'", path);
	return check_folder(fd, path, err);
}
