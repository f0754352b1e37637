/*
 * again [SOCKET]: a program of ours, run once in this process for each line of
 * standard input, whose arguments have tabs between them. A NUL and a line "status
 * N" follow what a run printed. With a SOCKET, which is made, it is run for each
 * connection that asks for it as ask-again.c does, until one asks for nothing. To
 * start an instrumented program, or to copy one that runs and look for leaks when
 * the copy ends, takes ten times as long as a run. What all runs leaked is told at
 * the end.
 *
 * Nothing but the values of options and further stores outlives a run of a program;
 * they are set back.
 */
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/alloc.h"
#include "lib/again.h"
#include "store/store.h"

#define main program_main
int program_main(int argc, char *argv[]);
#include "cmd/main.c"
#undef main

#define ARGS_MAX 64
#define OPTIONS_MAX 256

/* What an option's `value` points at. */
union value {
	bool flag;
	const char *string;
	int64_t number;
	struct kb_option_list list;
};

static const size_t value_bytes[] = {
	[KB_OPTION_FLAG] = sizeof(bool),
	[KB_OPTION_STRING] = sizeof(const char *),
	[KB_OPTION_INT] = sizeof(int64_t),
	[KB_OPTION_LIST] = sizeof(struct kb_option_list),
	[KB_OPTION_STORES] = sizeof(const char *),
};

/* Every option of the program, and its value before any run. */
static struct {
	const struct kb_option *option;
	union value before;
} kept[OPTIONS_MAX];
static size_t kept_count;

static bool keep_options(void)
{
	for (int i = 0; i < kb_command.verb_count; i++)
		for (const struct kb_option *o = kb_command.verbs[i].options;
		     o->name; o++) {
			if (kept_count == OPTIONS_MAX)
				return false;
			kept[kept_count].option = o;
			memcpy(&kept[kept_count++].before, o->value,
			       value_bytes[o->type]);
		}
	return true;
}

static void set_options_back(void)
{
	for (size_t i = 0; i < kept_count; i++)
		memcpy(kept[i].option->value, &kept[i].before,
		       value_bytes[kept[i].option->type]);
	kb_store_alone();
}

/* `line` is without its newline. */
static int run_program(char *line)
{
	char *argv[ARGS_MAX] = { (char *)kb_command.name }, *rest = line;
	int argc = 1;

	while (argc < ARGS_MAX - 1 && (argv[argc] = strsep(&rest, "\t")))
		argc++;
	return rest ? KB_EXIT_USAGE : program_main(argc, argv);
}

/* --- runs that are asked for ------------------------------------------ */

struct run {
	char data[AGAIN_BYTES_MAX];
	char *words[AGAIN_BYTES_MAX];	/* argv, NULL, environ, NULL */
	int argc;
	int fds[AGAIN_FDS];
};

static bool take_fds(struct run *r, struct msghdr *m)
{
	const struct cmsghdr *h = CMSG_FIRSTHDR(m);

	if (!h || h->cmsg_len != CMSG_LEN(sizeof(r->fds)))
		return false;
	memcpy(r->fds, CMSG_DATA(h), sizeof(r->fds));
	return true;
}

static void take_words(struct run *r, size_t len)
{
	char *at = r->data + strlen(r->data) + 1;
	size_t n = 0;

	r->argc = atoi(r->data);
	for (; at < r->data + len; at += strlen(at) + 1) {
		if (n == (size_t)r->argc)
			r->words[n++] = NULL;
		r->words[n++] = at;
	}
	r->words[n] = NULL;
}

/* False if nothing is asked for. */
static bool take_run(struct run *r, int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(r->fds))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { r->data, sizeof(r->data) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t len;

	len = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
	if (len <= 0 || !take_fds(r, &m))
		return false;
	take_words(r, (size_t)len);
	return true;
}

static void become(const int fds[3])
{
	for (int i = 0; i < 3; i++)
		if (dup2(fds[i], i) < 0)
			KB_BUG("cannot have standard files");
}

/* What stdio has left is the run's, and goes with it. */
static uint8_t do_run(struct run *r, const int own[3])
{
	uint8_t status;

	become(r->fds);
	if (fchdir(r->fds[3]) < 0)
		KB_BUG("cannot go to a directory");
	for (int i = 0; i < AGAIN_FDS; i++)
		close(r->fds[i]);
	environ = r->words + r->argc + 1;
	status = (uint8_t)program_main(r->argc, r->words);
	set_options_back();
	__fpurge(stdin);
	__fpurge(stdout);
	clearerr(stdin);
	clearerr(stdout);
	become(own);
	return status;
}

static int serve(const char *path)
{
	static struct run run;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int own[3] = {
		fcntl(0, F_DUPFD_CLOEXEC, 3), fcntl(1, F_DUPFD_CLOEXEC, 3),
		fcntl(2, F_DUPFD_CLOEXEC, 3),
	};
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), fd;
	uint8_t status;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (bind(listener, (const struct sockaddr *)&address,
		 sizeof(address)) < 0 || listen(listener, 8) < 0)
		return KB_EXIT_USAGE;
	while ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0 &&
	       take_run(&run, fd)) {
		status = do_run(&run, own);
		/* Whoever asked may be gone. */
		(void)send(fd, &status, 1, MSG_NOSIGNAL);
		close(fd);
	}
	return KB_EXIT_OK;
}

int main(int argc, char *argv[])
{
	char line[4096];

	if (argc > 2 || !keep_options())
		return KB_EXIT_USAGE;
	if (argc == 2)
		return serve(argv[1]);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		printf("%cstatus %d\n", '\0', run_program(line));
		fflush(stdout);
		set_options_back();
	}
	return KB_EXIT_OK;
}
