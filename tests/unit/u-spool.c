/* Requests in a folder that are none, and why. */

#include "serving/spool.h"

#include <stdlib.h>
#include <sys/fsuid.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "lib/scratch.h"
#include "lib/tap.h"

#define NOBODY 65534

static void make_link(const char *path)
{
	check_int(symlink("/etc/passwd", path), 0);
}

static void make_fifo(const char *path)
{
	check_int(mkfifo(path, 0600), 0);
	check_int(chmod(path, 0666), 0);
}

static void make_socket(const char *path)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	kb_auto(fd) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(name.sun_path, path);
	check_int(bind(fd, (struct sockaddr *)&name, sizeof(name)), 0);
	check_int(chmod(path, 0666), 0);
}

static void make_closed(const char *path)
{
	scratch_print(path, "{}");
	check_int(chmod(path, 0), 0);
}

static void test_what_is_no_request_is_told(void)
{
	static const struct {
		void (*make)(const char *path);
		const char *why;
	} rows[] = {
		{ make_link, "request: must be a regular file" },
		{ make_fifo, "request: must be a regular file" },
		{ make_socket, "request: must be a regular file" },
		{ make_closed, "cannot open 'request': Permission denied" },
	};
	struct kb_err err = KB_ERR_INIT;
	struct kb_spool s;

	scratch_enter();
	check_int(kb_spool_open(&s, "spool", KB_NS_PER_S, &err), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(mem) char *claim = NULL;
		int own, ret;

		rows[i].make("spool/in/a.json");
		/* Root may read all: the folders are open to who may not. */
		check_int(fchmod(s.in_fd, 0777), 0);
		check_int(fchmod(s.own_fd, 0777), 0);
		own = setfsuid(NOBODY);
		s.looked_ns = 0;
		ret = kb_spool_take(&s, &claim, &text);
		setfsuid((uid_t)own);
		check_int(ret, -1);
		check_str(text.data, rows[i].why);
		if (ret)
			check_int(kb_spool_answer(&s, claim, "x", 1, &err), 0);
		check_int(unlink("spool/out/a.json"), 0);
	}
	check_str(err.msg, "");
	kb_spool_close(&s);
	scratch_leave();
}

TAP_MAIN(TAP(test_what_is_no_request_is_told));
