/* A program that a server forked is confined as one that was executed. */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fork_server_rig.h"

/* Random numbers differ and all else is the same, in so many lines at least. */
static void compare(const char *a, const char *b, int least)
{
	int lines = 0;

	while (*a && *b) {
		const size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
		const bool same = n == m && !memcmp(a, b, n);

		if (same != !!strncmp(a, "drawn: ", 7)) {
			printf("# one:   %.*s\n# other: %.*s\n", (int)n, a,
			       (int)m, b);
			check(!"they are as they should be");
		}
		a += n + (a[n] == '\n');
		b += m + (b[m] == '\n');
		lines++;
	}
	check_str(a, b);
	check(lines > least);
}

/* In a process that programs.h has refused them. */
static bool is_without_namespaces(void)
{
	return prctl(PR_GET_SECCOMP) == SECCOMP_MODE_FILTER;
}

/* A plain chroot has none for an ordinary user. */
static bool has_namespaces(void)
{
	int status = -1;
	pid_t pid;

	if (is_without_namespaces())
		return false;
	pid = fork();
	if (!pid)
		_exit(unshare(geteuid() ? CLONE_NEWUSER : CLONE_NEWNS) < 0);
	check(pid > 0 && waitpid(pid, &status, 0) == pid);
	return !status;
}

static void compare_way(const struct way *w, const char *module, int least)
{
	kb_auto(buf) struct kb_buf executed = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf forked = KB_BUF_INIT, sibling = KB_BUF_INIT;
	struct rig r;
	uint32_t features;

	rig_open(&r, w, module);
	r.has_namespaces = has_namespaces();
	features = tell(&executed, &r, w, NULL);
	check_int(tell(&forked, &r, w, &r.server), features);
	check_int(tell(&sibling, &r, w, &r.server), features);
	check(kb_fork_server_is_there(&r.server));
	compare(executed.data, forked.data, least);
	compare(forked.data, sibling.data, least);
	rig_close(&r);
}

static void test_forked_is_confined_as_executed(void)
{
	if (!can_serve())
		return;
	enter();
	for (size_t i = 0; i < KB_ARRAY_LEN(ways); i++)
		compare_way(&ways[i], "signal", 150);
	scratch_leave();
}
TEST_WITHOUT_NAMESPACES(test_forked_is_confined_as_executed);

static void test_forked_is_confined_as_executed_by_user(void)
{
	by_user(test_forked_is_confined_as_executed);
}
TEST_WITHOUT_NAMESPACES(test_forked_is_confined_as_executed_by_user);

static void test_torch_has_the_same_threads(void)
{
	if (!has_torch)
		tap_skip("there is no torch");
	if (!has_torch || !can_serve())
		return;
	enter();
	compare_way(&ways[0], "torch", 10);
	scratch_leave();
}

/* What a fork would have a share in. */
static void test_server_that_cannot_serve_is_done_without(void)
{
	static const struct {
		const char *name, *text;
	} modules[] = {
		{ "fails", "raise ImportError()" },
		{ "ends", "import os\nos._exit(0)" },
		{ "opens", "import os\nos.open('/dev/null', os.O_RDONLY)" },
		{ "shares", "import mmap\nm = mmap.mmap(-1, 4096)" },
		{ "threads", "import threading\nthreading.Thread("
		  "target=threading.Event().wait, daemon=True).start()" },
	};

	enter();
	for (size_t i = 0; i < KB_ARRAY_LEN(modules); i++) {
		kb_auto(mem) char *name = kb_xasprintf("kb_test_%s.py",
						       modules[i].name);
		kb_auto(mem) char *module = kb_xasprintf("kb_test_%s",
							 modules[i].name);
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct rig r;

		scratch_write(name, modules[i].text, strlen(modules[i].text));
		rig_open(&r, &ways[0], module);
		check(kb_fork_server_is_there(&r.server));
		tell(&out, &r, &ways[0], &r.server);
		check(!kb_fork_server_is_there(&r.server));
		check(strstr(out.data, "\nlayers: ") != NULL);
		rig_close(&r);
	}
	scratch_leave();
}

static void test_server_that_was_killed_is_done_without(void)
{
	kb_auto(buf) struct kb_buf before = KB_BUF_INIT, after = KB_BUF_INIT;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	rig_open(&r, &ways[0], "signal");
	tell(&before, &r, &ways[0], &r.server);
	check(kb_fork_server_is_there(&r.server));
	check_int(kill(r.server.pid, SIGKILL), 0);
	tell(&after, &r, &ways[0], &r.server);
	check(!kb_fork_server_is_there(&r.server));
	compare(before.data, after.data, 150);
	rig_close(&r);
	scratch_leave();
}

static void test_server_that_was_stopped_is_done_without(void)
{
	kb_auto(buf) struct kb_buf before = KB_BUF_INIT, after = KB_BUF_INIT;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	rig_open(&r, &ways[0], "signal");
	tell(&before, &r, &ways[0], &r.server);
	check(kb_fork_server_is_there(&r.server));
	r.server.answer_ns = 100 * KB_NS_PER_MS;
	check_int(kill(r.server.pid, SIGSTOP), 0);
	tell(&after, &r, &ways[0], &r.server);
	check(!kb_fork_server_is_there(&r.server));
	compare(before.data, after.data, 150);
	rig_close(&r);
	scratch_leave();
}

/* A candidate before it leaves nothing that can be found, and the server is out
 * of reach. */
static void test_server_is_out_of_reach(void)
{
	static const char mark[] = "a-text-of-which-there-is-one";
	static const char extra[] = "KB_TEST_OF_ANOTHER=a-text-of-which-there-is-one";
	kb_auto(buf) struct kb_buf said = KB_BUF_INIT, before = KB_BUF_INIT;
	kb_auto(mem) char *script = NULL, *pid = NULL;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	rig_open(&r, &ways[0], "signal");
	script = kb_xasprintf("%s/reach.py", r.dir.code);
	pid = kb_xasprintf("%d", (int)r.server.pid);

	const char *const argv[] = {
		r.launcher.python, "-B", script, pid, mark, NULL,
	};

	run(&before, &r, &ways[0], argv, extra, &r.server);
	check(strstr(before.data, "memory of another: reached") != NULL);
	run(&said, &r, &ways[0], argv, NULL, &r.server);
	check(strstr(said.data, "\nend\n") != NULL);
	for (char *line = said.data, *next; *line; line = next) {
		next = line + strcspn(line, "\n");
		next += *next == '\n' ? (*next = '\0', 1) : 0;
		/* Without a PID namespace before Linux 6.12. */
		if (is_without_namespaces() && strstr(line, "kill: "))
			continue;
		if (strstr(line, "reached"))
			tap_fail("%s", line);
	}
	check(kb_fork_server_is_there(&r.server));
	rig_close(&r);
	scratch_leave();
}
TEST_WITHOUT_NAMESPACES(test_server_is_out_of_reach);

static void test_server_is_out_of_reach_of_its_user(void)
{
	by_user(test_server_is_out_of_reach);
}
TEST_WITHOUT_NAMESPACES(test_server_is_out_of_reach_of_its_user);

TAP_MAIN(
	TAP(test_there_is_a_server),
	TAP(test_forked_is_confined_as_executed),
	TAP(test_forked_is_confined_as_executed_without_namespaces),
	TAP(test_forked_is_confined_as_executed_by_user),
	TAP(test_forked_is_confined_as_executed_by_user_without_namespaces),
	TAP(test_torch_has_the_same_threads),
	TAP(test_server_that_cannot_serve_is_done_without),
	TAP(test_server_that_was_killed_is_done_without),
	TAP(test_server_that_was_stopped_is_done_without),
	TAP(test_server_is_out_of_reach),
	TAP(test_server_is_out_of_reach_without_namespaces),
	TAP(test_server_is_out_of_reach_of_its_user),
	TAP(test_server_is_out_of_reach_of_its_user_without_namespaces),
);
