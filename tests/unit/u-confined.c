/* What a confined process cannot do or see. */

#include "confine/process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "confine/private_tmp.h"
#include "unit/process_rig.h"

/* From Linux 5.12, and where the root directory is a mount: that of a plain
 * chroot is not. */
static bool root_can_be_made_read_only(void)
{
	struct statx st;

	return syscall(442, -1, "", 0, NULL, 0) < 0 && errno != ENOSYS &&
	       !statx(AT_FDCWD, "/", 0, 0, &st) &&
	       st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

static void test_only_the_working_directory_is_writable(void)
{
	char name[32], in_var_tmp[64], in_shm[64];
	struct rig r;

	snprintf(name, sizeof(name), "kb-test-%d", (int)getpid());
	snprintf(in_var_tmp, sizeof(in_var_tmp), "/var/tmp/%s", name);
	snprintf(in_shm, sizeof(in_shm), "/dev/shm/%s", name);
	rig_play(&r, "files", name);
	check_int(r.page->answers[0], 0);
	/* Who grants a PID namespace grants this, if it can be had. */
	check(has(&r, KB_FEATURE_READ_ONLY_FILES) ||
	      !has(&r, KB_FEATURE_PID_NAMESPACE) ||
	      !root_can_be_made_read_only());
	if (has(&r, KB_FEATURE_READ_ONLY_FILES)) {
		check_int(r.page->answers[1], EROFS);
		check_int(r.page->answers[2],
			  access("/var/tmp", F_OK) ? ENOENT : EROFS);
		check_int(r.page->answers[4], EROFS);
	} else {
		tap_skip("no read-only files");
	}
	if (has(&r, KB_FEATURE_PRIVATE_SHM)) {
		check_int(r.page->answers[3], 0);
		check_int(access(in_shm, F_OK), -1);
	}
	unlink(in_var_tmp);
	unlink(in_shm);
	rig_close(&r);
}

/* Its code can be read, /tmp is its own, and others' directories are not
 * there. */
static void test_tmp_is_its_own(void)
{
	const char *roots[1];
	struct kb_private_tmp tmp;
	char code[80], secret[80];
	char **kept;
	struct rig r;

	rig_open(&r);
	roots[0] = r.root;
	kept = kb_private_tmp_names(roots, 1);
	snprintf(code, sizeof(code), "%s/code", r.root);
	snprintf(secret, sizeof(secret), "%s/secret", r.root);
	check_int(mkdir(code, 0755), 0);
	check_int(mkdir(secret, 0755), 0);
	tmp = (struct kb_private_tmp){
		.root = r.root, .code = code,
		.kept = (const char *const *)kept,
	};
	r.files.tmp = &tmp;
	check_int(rig_start(&r, "tmp", r.root), 0);
	check_int(wait_for_end(&r), 0);
	check_int(r.process.wait_status, 0);
	if (!has(&r, KB_FEATURE_PRIVATE_TMP)) {
		check(!has(&r, KB_FEATURE_PID_NAMESPACE));
		tap_skip("no mounts");
	} else {
		check_int(r.page->answers[0], 0);
		check_int(r.page->answers[1], 0);
		check_int(r.page->answers[2], EROFS);
		check_int(r.page->answers[3], ENOENT);
		check_int(r.page->answers[4], EROFS);
		check_int(r.page->answers[5], 0);
	}
	kb_private_tmp_free(kept);
	rig_close(&r);
}

static bool has_namespaces(void)
{
	struct rig r;
	bool has_them;

	rig_open(&r);
	rig_play(&r, "zero", NULL);
	has_them = has(&r, KB_FEATURE_PID_NAMESPACE);
	rig_close(&r);
	return has_them;
}

/* What is hidden is not there; and who cannot have it so does not start. */
static void test_files_can_be_hidden(void)
{
	const char *const paths[] = { "/dev/zero", NULL };
	struct rig r;

	if (!has_namespaces()) {
		tap_skip("no mounts");
		return;
	}
	rig_open(&r);
	r.files.hidden = paths;
	check_int(rig_start(&r, "zero", NULL), 0);
	check_int(wait_for_end(&r), 0);
	check_int(r.process.wait_status, 0);
	check_int(r.page->answers[0], 0);
	rig_close(&r);
}

static void test_what_cannot_be_hidden_is_an_error(void)
{
	const char *const paths[] = { "/nowhere/at/all", NULL };
	struct rig r;

	rig_open(&r);
	r.files.hidden = paths;
	check(start_of(&r, "zero", NULL) < 0);
	check_str(r.err.msg, "cannot run '/tricks': Operation not permitted");
	close(r.write_fd);
	r.write_fd = -1;
	rig_close(&r);
}

static int give(const void *context, int work_fd, struct kb_err *err)
{
	kb_auto(fd) int fd = openat(work_fd, context, O_WRONLY | O_CREAT |
				    O_EXCL | O_CLOEXEC, 0644);

	return fd < 0 ? kb_err_sys(err, "cannot give '%s'",
				   (const char *)context) : 0;
}

/* Whatever the program works in, it is filled before it starts; or the program
 * does not start. */
static void test_work_can_be_filled(void)
{
	static const struct {
		const char *name, *message;
		int ret;
	} cases[] = {
		{ "given", "", 0 },
		{ "no/where", "cannot give 'no/where': No such file or "
		  "directory", -KB_ERR_SYS },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const char *const argv[] = { "/bin/sh", "-c", "test -f given",
					     NULL };
		const char *const env[] = { NULL };
		struct rig r;

		rig_open(&r);

		const struct kb_spawn spawn = {
			.argv = argv, .env = env, .files = r.files,
			.program_fd = -1, .channel_fd = -1,
			.log_fd = r.write_fd, .other_user = true,
			.limits = r.limits, .fill = give,
			.fill_context = cases[i].name,
		};

		check_int(kb_process_start(&r.process, &spawn, &r.err),
			  cases[i].ret);
		check_str(r.err.msg, cases[i].message);
		close(r.write_fd);
		r.write_fd = -1;
		if (!cases[i].ret) {
			check_int(wait_for_end(&r), 0);
			check_int(r.process.wait_status, 0);
		}
		rig_close(&r);
	}
}
TEST_WITHOUT_NAMESPACES(test_work_can_be_filled);

static void test_names_in_tmp(void)
{
	static const struct {
		const char *path;
		const char *names;	/* joined */
	} cases[] = {
		{ NULL, "" }, { "", "" }, { ":", "" }, { "/usr/bin", "" },
		{ "/tmp", "" }, { "/tmp/", "" }, { "/tmp/./kb-a", "" }, { "/tmp/../kb-a", "" },
		{ "/tmp/.kb-a", ".kb-a " },
		{ "/tmpx/a", "" }, { "/tmp/kb-a", "kb-a " },
		{ "/tmp/kb-a/b", "kb-a " }, { "/tmp/kb-a:/tmp/kb-a/c", "kb-a " },
		{ "/usr/bin:/tmp/kb-a/:/tmp/kb-b", "kb-a kb-b " },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		char **names = kb_private_tmp_names(&cases[i].path, 1);

		for (size_t k = 0; names[k]; k++)
			kb_buf_addf(&text, "%s ", names[k]);
		kb_buf_addstr(&text, "");
		check_str(text.data, cases[i].names);
		kb_private_tmp_free(names);
	}
}

static int listen_abstract(const char *name)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	size_t len = strlen(name);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(a.sun_path + 1, name, len);
	if (fd < 0 ||
	    bind(fd, (struct sockaddr *)&a,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			     len)) < 0 ||
	    listen(fd, 4) < 0)
		KB_BUG("cannot listen");
	return fd;
}

static void test_there_is_no_network(void)
{
	char name[32];
	struct rig r;
	int fd;

	snprintf(name, sizeof(name), "kb-test-%d", (int)getpid());
	fd = listen_abstract(name);
	rig_play(&r, "network", name);
	check_int(r.page->answers[0], EPERM);
	check_int(r.page->answers[1], EPERM);
	check_int(r.page->answers[2], EPERM);
	check_int(r.page->answers[3], 0);
	if (has(&r, KB_FEATURE_NET_NAMESPACE))
		check_int(r.page->answers[4], ECONNREFUSED);
	close(fd);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_there_is_no_network);

static void test_ranks_have_loopback_and_no_more(void)
{
	struct rig r;

	rig_open(&r);
	r.loopback = true;
	check_int(rig_start(&r, "loopback", NULL), 0);
	check_int(wait_for_end(&r), 0);
	if (has(&r, KB_FEATURE_NET_NAMESPACE)) {
		check_int(r.page->answers[0], 0);
		check_int(r.page->answers[1], ENETUNREACH);
		check_int(r.page->answers[7], 0);
	} else {
		check_int(r.page->answers[0], EPERM);
		check_int(r.page->answers[1], EPERM);
		check_int(r.page->answers[7], EPERM);
	}
	for (int i = 2; i < 7; i++)
		check_int(r.page->answers[i], EPERM);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_ranks_have_loopback_and_no_more);

static void test_no_way_to_send_sigcont(void)
{
	static const struct {
		enum tricks_signal_way way;
		int answer;
	} cases[] = {
		{ TRICKS_KILL, EPERM },
		{ TRICKS_TKILL, EPERM },
		{ TRICKS_TGKILL, EPERM },
		{ TRICKS_SIGQUEUE, EPERM },
		{ TRICKS_TGSIGQUEUE, EPERM },
		{ TRICKS_PIDFD, EPERM },
		{ TRICKS_TIMER, EPERM },
		{ TRICKS_SETSIG, EPERM },
		{ TRICKS_PDEATHSIG, EPERM },
		{ TRICKS_CLONE, EPERM },
		{ TRICKS_CLONE3, ENOSYS },
		{ TRICKS_MESSAGE_QUEUE, EPERM },
	};
	struct rig r;

	rig_play(&r, "sigcont", NULL);
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int(r.page->answers[cases[i].way], cases[i].answer);
	check(r.page->answers[TRICKS_TERMINAL] != 0);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_no_way_to_send_sigcont);

static void test_nothing_is_stored_later(void)
{
	struct rig r;

	rig_play(&r, "later", NULL);
	for (int i = 0; i < 3; i++)
		check_int(r.page->answers[i], EPERM);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_nothing_is_stored_later);

static bool is_refused(const struct rig *r, uint32_t number)
{
	const struct kb_calls allowed =
		kb_calls_allowed(has(r, KB_FEATURE_IPC_NAMESPACE));

	return kb_call_name(number) && !kb_calls_has(&allowed, number);
}

/* Without namespaces System V's memory is among them: where we do not know
 * before what there is, none of it is tried. */
static char *list_refused(int *count)
{
	const struct kb_calls allowed = kb_calls_allowed(true);
	struct kb_buf text = KB_BUF_INIT;

	*count = 0;
	for (uint32_t n = 0; n < KB_CALL_NUMBERS; n++)
		if (kb_call_name(n) && !kb_calls_has(&allowed, n))
			kb_buf_addf(&text, "%s%u", (*count)++ ? "," : "", n);
	return kb_buf_detach(&text);
}

static void test_calls_are_refused_and_told(void)
{
	int count, told = 0;
	kb_auto(mem) char *list = list_refused(&count);
	struct rig r;

	rig_play(&r, "refused", list);
	/* As in a builder of Nix. */
	if (prctl(PR_GET_SECCOMP) && r.page->answers[1] != count) {
		tap_skip("another filter answers before kb's");
		rig_close(&r);
		return;
	}
	check_int(r.page->answers[0], 0);
	check_int(r.page->answers[1], count);
	check_int(r.page->answers[2], ENOSYS);
	for (uint32_t n = 0; n < KB_CALL_NUMBERS; n++) {
		const bool has_it = kb_calls_has(&r.process.refused, n);

		check(!has_it || is_refused(&r, n));
		told += has_it;
	}
	/* Linux 5.0 can tell; one that watches us may not let it. */
	check(told == count || !told);
	if (!told)
		tap_skip("refused calls are not told of here");
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_calls_are_refused_and_told);

static void test_the_command_line_is_not_told(void)
{
	struct rig r;

	rig_play(&r, "cmdline", NULL);
	if (has(&r, KB_FEATURE_PRIVATE_PROC)) {
		check_int(r.page->answers[0], 0);
		check_int(r.page->answers[1], 0);
	} else {
		tap_skip("process 1 is not its own");
	}
	rig_close(&r);
}

static void test_descriptors_are_those_of_the_contract(void)
{
	int extra[20];
	struct rig r;

	/* Careless ones, open across exec. */
	for (size_t i = 0; i < KB_ARRAY_LEN(extra); i++)
		extra[i] = fcntl(STDOUT_FILENO, F_DUPFD, 30 + (int)i);
	rig_play(&r, "descriptors", NULL);
	check_int(r.page->answers[0], 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3);
	check_int(r.page->answers[1], 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(extra); i++)
		close(extra[i]);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_descriptors_are_those_of_the_contract);

/* Also those of which glibc's signal(3) wants to know nothing. */
static void let_all_signals(uintptr_t action)
{
	const uint64_t wanted[8] = { action };

	for (int sig = 1; sig < NSIG; sig++)
		if (sig != SIGCHLD)
			(void)syscall(SYS_rt_sigaction, sig, wanted, NULL,
				      (NSIG - 1) / 8);
}

static void test_identity_is_that_of_nobody(void)
{
	char self[16];
	struct rig r;

	/* What we ignore is not the program's business. */
	let_all_signals((uintptr_t)SIG_IGN);
	snprintf(self, sizeof(self), "%d", (int)getpid());
	rig_play(&r, "identity", self);
	let_all_signals((uintptr_t)SIG_DFL);
	check_int(r.page->answers[9], 0);
	check_int(has(&r, KB_FEATURE_OTHER_USER), !geteuid());
	check_int(r.page->answers[0],
		  geteuid() ? (int)geteuid() : KB_WORKER_UID);
	check_int(r.page->answers[1],
		  geteuid() ? (int)getegid() : KB_WORKER_GID);
	if (!geteuid())
		check_int(r.page->answers[2], 0);
	check_int(r.page->answers[3], 1);
	if (has(&r, KB_FEATURE_PID_NAMESPACE))
		check_int(r.page->answers[4], ESRCH);
	else if (!geteuid())
		check_int(r.page->answers[4], EPERM);
	check_int(r.page->answers[5], 1);
	check_int(r.page->answers[6], 1);
	check_int(r.page->answers[7], 1);
	check(r.page->answers[8] != 0);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_identity_is_that_of_nobody);

static const struct {
	uint32_t features;
	bool is_root;
	const char *missing;
} missing[] = {
	{ UINT32_MAX, true, "" },
	{ UINT32_MAX & ~(1u << KB_FEATURE_OTHER_USER), false, "" },
	{ UINT32_MAX & ~(1u << KB_FEATURE_OTHER_USER), true, "other_user" },
	{ UINT32_MAX & ~(1u << KB_FEATURE_OWN_ROOT |
			 1u << KB_FEATURE_CGROUP_PIDS), true,
	  "own_root, cgroup_pids" },
};

static void test_what_is_missing_has_names(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(missing); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_features_missing(&text, missing[i].features,
				    missing[i].is_root);
		check_str(text.data, missing[i].missing);
	}
}

TAP_MAIN(
	TAP(test_only_the_working_directory_is_writable),
	TAP(test_work_can_be_filled),
	TAP(test_work_can_be_filled_without_namespaces),
	TAP(test_names_in_tmp),
	TAP(test_tmp_is_its_own),
	TAP(test_files_can_be_hidden),
	TAP(test_what_cannot_be_hidden_is_an_error),
	TAP(test_there_is_no_network),
	TAP(test_there_is_no_network_without_namespaces),
	TAP(test_ranks_have_loopback_and_no_more),
	TAP(test_ranks_have_loopback_and_no_more_without_namespaces),
	TAP(test_no_way_to_send_sigcont),
	TAP(test_no_way_to_send_sigcont_without_namespaces),
	TAP(test_nothing_is_stored_later),
	TAP(test_nothing_is_stored_later_without_namespaces),
	TAP(test_the_command_line_is_not_told),
	TAP(test_calls_are_refused_and_told),
	TAP(test_calls_are_refused_and_told_without_namespaces),
	TAP(test_descriptors_are_those_of_the_contract),
	TAP(test_descriptors_are_those_of_the_contract_without_namespaces),
	TAP(test_identity_is_that_of_nobody),
	TAP(test_identity_is_that_of_nobody_without_namespaces),
	TAP(test_what_is_missing_has_names),
);
