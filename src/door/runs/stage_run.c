#include "runs/stage_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/self.h"
#include "cli/terminal.h"

/* The limit for a program's output. A table has a line for each candidate. */
#define OUTPUT_BYTES_MAX ((size_t)256 << 20)

/* A handler, and not SIG_IGN, which a program would inherit. */
static void pass_over(int signal_number)
{
	(void)signal_number;
}

static void exec_stage(const char *path, const char *const argv[], int out,
		       pid_t parent)
{
	/* Or it goes on alone; the parent may be gone already. */
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(4);
	if (dup2(out, STDOUT_FILENO) >= 0)
		execv(path, (char *const *)argv);
	fprintf(stderr, "kb: cannot run '%s': %s\n", path, strerror(errno));
	_exit(4);
}

static int wait_for(pid_t pid, const char *name, struct kb_err *err)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return kb_err_sys(err, "cannot wait for '%s'", name);
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return kb_err(err, KB_ERR_CORRUPT, "'%s' was ended by signal %d", name,
		      WTERMSIG(status));
}

/* The last line is taken off. */
static int take_id(struct kb_digest *id, struct kb_buf *text, const char *name,
		   struct kb_err *err)
{
	size_t start;

	if (text->len && text->data[text->len - 1] == '\n')
		text->data[--text->len] = '\0';
	for (start = text->len; start && text->data[start - 1] != '\n';)
		start--;
	if (kb_digest_parse(id, text->data + start, NULL) < 0)
		return kb_err(err, KB_ERR_CORRUPT,
			      "what '%s' printed does not end with an id", name);
	text->len = start;
	text->data[start] = '\0';
	return 0;
}

/* `out` is where it prints, or -1 for where we do. */
static int start_stage(pid_t *pid, const char *path, const char *const argv[],
		       int out, struct kb_err *err)
{
	const pid_t self = getpid();

	if (fflush(stdout))
		return kb_err_sys(err, "cannot write standard output");
	*pid = fork();
	if (*pid < 0)
		return kb_err_sys(err, "cannot fork");
	if (*pid == 0)
		exec_stage(path, argv, out < 0 ? STDOUT_FILENO : out, self);
	return 0;
}

static int run_stage(const char *path, const char *const argv[], struct kb_err *err)
{
	pid_t pid = -1;
	const int ret = start_stage(&pid, path, argv, -1, err);

	return ret < 0 ? ret : wait_for(pid, argv[0], err);
}

static int run_and_read(const char *path, const char *const argv[],
			struct kb_buf *text, struct kb_err *err)
{
	int fds[2], ret, status;
	pid_t pid = -1;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return kb_err_sys(err, "cannot run '%s'", path);
	ret = start_stage(&pid, path, argv, fds[1], err);
	close(fds[1]);
	if (ret == 0)
		ret = kb_file_read_fd(text, fds[0], argv[0], OUTPUT_BYTES_MAX,
				      err);
	close(fds[0]);
	if (ret < 0 && pid < 0)
		return ret;
	status = wait_for(pid, argv[0], ret < 0 ? NULL : err);
	return ret < 0 ? ret : status;
}

int kb_stage_run(const char *const argv[], struct kb_digest *id,
		 struct kb_err *err)
{
	kb_auto(mem) char *prefix = kb_self_prefix(err);
	kb_auto(mem) char *path = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	void (*on_interrupt)(int);
	int ret;

	if (!prefix)
		return -KB_ERR_SYS;
	path = kb_xasprintf("%s/bin/%s", prefix, argv[0]);
	if (id)
		kb_terminal_hand_on();
	/* Whoever interrupts wants the program to end as it does. */
	on_interrupt = signal(SIGINT, pass_over);
	if (on_interrupt == SIG_IGN)
		(void)signal(SIGINT, SIG_IGN);
	ret = id ? run_and_read(path, argv, &text, err) : run_stage(path, argv, err);
	(void)signal(SIGINT, on_interrupt);
	if (ret == 0 && id)
		ret = take_id(id, &text, argv[0], err);
	fwrite(text.data, 1, text.len, stdout);
	/* Flush, so that the next text on standard error follows it. */
	fflush(stdout);
	if (!strcmp(argv[0], "kb-eval") || !strcmp(argv[0], "kb-baseline"))
		(void)setenv("KB_NOTED", "1", 1);
	return ret;
}
