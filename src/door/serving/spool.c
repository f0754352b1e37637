#include "serving/spool.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hex.h"
#include "random/random.h"
#include "serving/request.h"

#define ALIVE "alive"
#define EXTENSION ".json"
#define NAME_RANDOM_BYTES 8
#define LOOK_NS (KB_NS_PER_S / 5)

struct kb_spool_peer {
	char *name;
	uint64_t beats;
	int64_t seen_ns;		/* when they were another number */
	bool is_there;
};

/* --- names ------------------------------------------------------------- */

/* The length of what stands before the extension; 0 if it is no request's. */
static size_t stem_of(const char *file)
{
	const size_t len = strlen(file), end = strlen(EXTENSION);

	if (file[0] == '.' || len <= end ||
	    len - end > KB_SPOOL_NAME_BYTES_MAX ||
	    strcmp(file + len - end, EXTENSION))
		return 0;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)file[i]) && !strchr("._-", file[i]))
			return 0;
	return len - end;
}

/* --- opening ----------------------------------------------------------- */

static int open_dir(int at, const char *name, struct kb_err *err)
{
	int fd;

	if (mkdirat(at, name, 0700) < 0 && errno != EEXIST)
		return kb_err_sys(err, "cannot make directory '%s'", name);
	fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? kb_err_sys(err, "cannot open directory '%s'", name) : fd;
}

/* A name that no other server on any node has, or had. */
static char *name_server(struct kb_err *err)
{
	uint8_t random[KB_RANDOM_SEED_BYTES];
	char hex[2 * NAME_RANDOM_BYTES + 1];
	char host[65] = "";

	(void)gethostname(host, sizeof(host) - 1);
	for (char *c = host; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '-')
			*c = '-';
	if (kb_random_seed(random, err) < 0)
		return NULL;
	kb_hex_format(hex, random, NAME_RANDOM_BYTES);
	return kb_xasprintf("%s.%s", host, hex);
}

static void close_all(struct kb_spool *s)
{
	int *const fds[] = { &s->in_fd, &s->out_fd, &s->taken_fd, &s->own_fd };

	for (size_t i = 0; i < KB_ARRAY_LEN(fds); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

static int open_all(struct kb_spool *s, struct kb_err *err)
{
	kb_auto(fd) int root = -1;
	int ret;

	close_all(s);
	free(s->server);
	s->server = name_server(err);
	ret = s->server ? kb_dir_make(s->path, err) : -KB_ERR_SYS;
	if (ret < 0)
		return ret;
	root = open(s->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return kb_err_sys(err, "cannot open it");
	s->in_fd = ret = open_dir(root, "in", err);
	if (ret >= 0)
		s->out_fd = ret = open_dir(root, "out", err);
	if (ret >= 0)
		s->taken_fd = ret = open_dir(root, "taken", err);
	if (ret >= 0)
		s->own_fd = ret = open_dir(s->taken_fd, s->server, err);
	return ret;
}

int kb_spool_open(struct kb_spool *s, const char *path, int64_t lease_ns,
		  struct kb_err *err)
{
	int ret;

	*s = (struct kb_spool)KB_SPOOL_INIT;
	s->path = kb_xstrdup(path);
	s->lease_ns = lease_ns;
	ret = open_all(s, err);
	return ret < 0 ? kb_err_wrap(err, "spool '%s'", path) :
			 kb_spool_beat(s, err);
}

/* --- other servers ----------------------------------------------------- */

static bool has(int dirfd, const char *file)
{
	struct stat st;

	return !fstatat(dirfd, file, &st, AT_SYMLINK_NOFOLLOW);
}

/* A claim that was answered goes, and one whose name a later request has waits. */
static void give_back_file(const struct kb_spool *s, int from, const char *file)
{
	if (has(s->out_fd, file))
		(void)unlinkat(from, file, 0);
	else if (!has(s->in_fd, file))
		(void)renameat(from, file, s->in_fd, file);
}

/* Everything of a server that is gone becomes a request again; where two see to
 * that, each file is renamed by one of them. */
static void give_back(struct kb_spool *s, const char *server)
{
	const int fd = openat(s->taken_fd, server,
			      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (stem_of(e->d_name))
			give_back_file(s, dirfd(dir), e->d_name);
	if (dir) {
		(void)unlinkat(dirfd(dir), ALIVE, 0);
		closedir(dir);
	}
	(void)unlinkat(s->taken_fd, server, AT_REMOVEDIR);
}

/* The time of a server's last heartbeat; 0 if unreadable. */
static uint64_t read_beats(const struct kb_spool *s, const char *server)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/" ALIVE, server);
	const int fd = openat(s->taken_fd, path,
			      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char text[32] = "";

	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return strtoull(text, NULL, 10);
}

static struct kb_spool_peer *find_peer(struct kb_spool *s, const char *name)
{
	struct kb_spool_peer *p;

	for (size_t i = 0; i < s->peer_count; i++)
		if (!strcmp(s->peers[i].name, name))
			return &s->peers[i];
	s->peers = kb_xreallocarray(s->peers, s->peer_count + 1,
				    sizeof(*s->peers));
	p = &s->peers[s->peer_count++];
	*p = (struct kb_spool_peer){
		.name = kb_xstrdup(name), .seen_ns = kb_clock_ns(),
	};
	return p;
}

static void look_at_peer(struct kb_spool *s, const char *name)
{
	struct kb_spool_peer *p = find_peer(s, name);
	const uint64_t beats = read_beats(s, name);
	const int64_t now_ns = kb_clock_ns();

	p->is_there = true;
	if (beats != p->beats) {
		p->beats = beats;
		p->seen_ns = now_ns;
	}
	/* The clocks of nodes differ, so that ours alone counts. */
	if (now_ns - p->seen_ns > s->lease_ns)
		give_back(s, name);
}

static void forget_peers(struct kb_spool *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->peer_count; i++) {
		if (!s->peers[i].is_there)
			free(s->peers[i].name);
		else
			s->peers[kept++] = s->peers[i];
	}
	s->peer_count = kept;
}

static DIR *open_list(int fd)
{
	const int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return copy < 0 ? NULL : fdopendir(copy);
}

static void look_at_peers(struct kb_spool *s)
{
	DIR *dir = open_list(s->taken_fd);
	const struct dirent *e;

	for (size_t i = 0; i < s->peer_count; i++)
		s->peers[i].is_there = false;
	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.' && strcmp(e->d_name, s->server))
			look_at_peer(s, e->d_name);
	if (dir)
		closedir(dir);
	forget_peers(s);
}

static int write_beat(struct kb_spool *s, struct kb_err *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 "\n", ++s->beats);
	return kb_file_replace(s->own_fd, ALIVE, text, strlen(text), 0600, err);
}

/* A server that was taken for dead has no folder any more, and its claims are
 * others'. It goes on under another name, by which it has none of them. */
static int say_alive(struct kb_spool *s, struct kb_err *err)
{
	int ret = write_beat(s, err);

	if (ret >= 0 || has(s->taken_fd, s->server))
		return ret;
	ret = open_all(s, err);
	return ret < 0 ? ret : write_beat(s, err);
}

int kb_spool_beat(struct kb_spool *s, struct kb_err *err)
{
	const int64_t now_ns = kb_clock_ns();
	struct kb_err why = KB_ERR_INIT;

	if (s->beats && now_ns - s->beaten_ns < s->lease_ns / 6)
		return 0;
	s->beaten_ns = now_ns;
	if (say_alive(s, &why) >= 0)
		s->alive_ns = now_ns;
	else if (now_ns - s->alive_ns > s->lease_ns)
		return kb_err(err, why.kind, "spool '%s': %s", s->path, why.msg);
	look_at_peers(s);
	return 0;
}

void kb_spool_close(struct kb_spool *s)
{
	if (s->own_fd >= 0)
		give_back(s, s->server);
	for (size_t i = 0; i < s->peer_count; i++)
		free(s->peers[i].name);
	free(s->peers);
	free(s->path);
	free(s->server);
	close_all(s);
	*s = (struct kb_spool)KB_SPOOL_INIT;
}

/* --- requests ---------------------------------------------------------- */

/* Read a claimed file. Returns 1, or -1 with the reason in `text`. */
static int read_claim(const struct kb_spool *s, const char *file,
		      struct kb_buf *text)
{
	kb_auto(fd) int fd = openat(s->own_fd, file,
				    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct kb_err why = KB_ERR_INIT;
	struct stat st;
	int ret;

	if (fd < 0 && errno != ELOOP && errno != ENXIO)
		ret = kb_err_sys(&why, "cannot open 'request'");
	else if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		ret = kb_err(&why, KB_ERR_INPUT,
			     "request: must be a regular file");
	else
		ret = kb_file_read_fd(text, fd, "request",
				      KB_REQUEST_LINE_BYTES_MAX, &why);
	if (ret >= 0)
		return 1;
	kb_buf_clear(text);
	kb_buf_addstr(text, why.msg);
	return -1;
}

/* The first in the folder's own order that we get. A folder is none of it: it
 * stays where it is. So does a name that was claimed or answered before, until its
 * answer is taken away. */
static char *claim_file(struct kb_spool *s)
{
	DIR *dir = open_list(s->in_fd);
	const struct dirent *e;
	char *file = NULL;

	while (dir && !file && (e = readdir(dir))) {
		struct stat st;

		if (stem_of(e->d_name) &&
		    !fstatat(s->in_fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    !S_ISDIR(st.st_mode) && !has(s->own_fd, e->d_name) &&
		    !has(s->out_fd, e->d_name) &&
		    !renameat(s->in_fd, e->d_name, s->own_fd, e->d_name))
			file = kb_xstrdup(e->d_name);
	}
	if (dir)
		closedir(dir);
	return file;
}

int kb_spool_take(struct kb_spool *s, char **claim, struct kb_buf *text)
{
	kb_auto(mem) char *file = NULL;
	const int64_t now_ns = kb_clock_ns();

	/* A folder that is empty is not listed all the time. */
	if (s->looked_ns && now_ns - s->looked_ns < LOOK_NS)
		return 0;
	file = claim_file(s);
	s->looked_ns = file ? 0 : now_ns;
	if (!file)
		return 0;
	*claim = kb_xasprintf("%s/%s", s->server, file);
	return read_claim(s, file, text);
}

int kb_spool_answer(struct kb_spool *s, const char *claim, const void *text,
		    size_t len, struct kb_err *err)
{
	const char *file = strrchr(claim, '/') + 1;
	kb_auto(mem) char *temp = kb_xasprintf(".%s.%s", file, s->server);
	int ret;

	/* Another server took it, believing this one dead. */
	if (!has(s->taken_fd, claim))
		return 0;
	ret = kb_file_replace(s->out_fd, temp, text, len, 0600, err);
	if (ret < 0)
		return ret;
	if (linkat(s->out_fd, temp, s->out_fd, file, 0) < 0 && errno != EEXIST)
		ret = kb_err_sys(err, "spool '%s': cannot write the answer to "
				 "'%s'", s->path, file);
	(void)unlinkat(s->out_fd, temp, 0);
	if (ret >= 0)
		(void)unlinkat(s->taken_fd, claim, 0);
	return ret;
}
