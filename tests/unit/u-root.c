#include "confine/root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "lib/programs.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "worker/task.h"
#include "worker/view.h"

#define LONG_NS (60 * KB_NS_PER_S)

/* --- what is listed ---------------------------------------------------- */

static void make_link(const char *target, const char *path)
{
	check_int(symlink(target, path), 0);
}

static void make_tree(void)
{
	scratch_enter();
	scratch_write("soft/bin/prog", "", 0);
	scratch_write("soft/lib/x", "", 0);
	scratch_write("tool/prog", "", 0);
	scratch_write("user/bin/prog", "", 0);
	scratch_write("user/lib/x", "", 0);
	scratch_write("user/secret", "", 0);
	scratch_write("spack/.spack-db/index.json", "", 0);
	scratch_write("spack/python/bin/python3", "", 0);
	scratch_write("spack/torch/lib/x", "", 0);
	scratch_write("all/mine/x", "", 0);
	make_link("../spack", "all/.spack-db");
	scratch_write("shut/in/x", "", 0);
	check_int(chmod("shut", 0700), 0);
	make_link("soft", "to-soft");
	make_link("../soft/bin/prog", "tool/to-prog");
	make_link("spack/python/bin", "to-view");
	make_link("loop", "loop");
	kb_auto(mem) char *whole = kb_xasprintf("%s/soft", scratch_path);

	make_link(whole, "to-whole");
}

/* "s PATH" for what is shown, "l PATH" for a link, "c PATH" for what is closed,
 * relative to the scratch directory. */
static void print_entries(struct kb_buf *out, const struct kb_root *r)
{
	static const char letters[] = {
		[KB_ROOT_SHOWN] = 's', [KB_ROOT_LINK] = 'l',
		[KB_ROOT_CLOSED] = 'c', [KB_ROOT_NODE] = 'n',
	};
	const size_t len = strlen(scratch_path);

	kb_buf_addstr(out, "");
	for (size_t i = 0; i < r->count; i++) {
		const char *path = r->entries[i].path;

		kb_buf_addf(out, "%c %s\n", letters[r->entries[i].kind],
			    strncmp(path, scratch_path, len) ? path
							     : path + len + 1);
	}
}

static void add_program(struct kb_root *r, const char *path)
{
	kb_root_add_program(r, path);
}

static const struct {
	void (*add)(struct kb_root *r, const char *path);
	const char *path;		/* "%" stands for the directory */
	const char *entries;
	bool others;
} lists[] = {
	{ kb_root_add, "", "", false },
	{ kb_root_add, "soft", "", false },
	{ kb_root_add, "/", "", false },
	{ kb_root_add, "/tmp", "", false },
	{ kb_root_add, "/home", "", false },
	{ kb_root_add, "%/nothing/there", "", false },
	{ kb_root_add, "%/soft", "s soft\n", false },
	{ kb_root_add, "%//soft/./lib/", "s soft/lib\n", false },
	{ kb_root_add, "%/soft/../tool", "s tool\n", false },
	{ kb_root_add, "%/to-soft", "l to-soft\ns soft\n", false },
	{ kb_root_add, "%/to-whole/lib", "l to-whole\ns soft/lib\n", false },
	{ kb_root_add, "%/tool/to-prog", "l tool/to-prog\ns soft/bin/prog\n",
	  false },
	{ kb_root_add, "%/loop", "l loop\n", false },
	/* Somebody's home, and what holds it; but not what it holds. */
	{ kb_root_add, "%/user", "", false },
	{ kb_root_add, "%", "", false },
	{ kb_root_add, "%/user/bin", "s user/bin\n", false },
	{ kb_root_add_prefix, "%/soft", "s soft\n", false },
	{ kb_root_add_prefix, "%/user", "s user/bin\ns user/lib\n", false },
	{ kb_root_add_list, "%/soft:nothing::%/tool", "s soft\ns tool\n",
	  false },
	{ kb_root_add_list, "%/soft:%/soft/lib", "s soft\n", false },
	{ add_program, "%/soft/bin/prog", "s soft/bin\ns soft\n", false },
	{ add_program, "%/tool/prog", "s tool\n", false },
	{ add_program, "%/user/bin/prog", "s user/bin\ns user/lib\n", false },
	{ add_program, "%/tool/to-prog",
	  "l tool/to-prog\ns tool\ns soft/bin\ns soft\n", false },
	/* Packages of Spack need others of their store. No store is a home, or has
	 * somebody else's database. */
	{ kb_root_add, "%/spack/torch/lib", "s spack\n", false },
	{ kb_root_add_prefix, "%/spack/torch", "s spack\n", false },
	{ kb_root_add_list, "%/to-view:%/spack/torch/lib", "l to-view\ns spack\n",
	  false },
	{ add_program, "%/spack/python/bin/python3", "s spack\n", false },
	{ kb_root_add, "%/all/mine", "s all/mine\n", false },
	/* A directory of one's own is no way for others. */
	{ kb_root_add, "%/shut/in", "s shut/in\n", false },
	{ kb_root_add, "%/shut/in", "", true },
	{ kb_view_add_loader_paths, "# %/soft\n%/tool # x\n\t%/soft/lib\ninclude x",
	  "s tool\ns soft/lib\n", false },
};

static char *expand(const char *text)
{
	struct kb_buf out = KB_BUF_INIT;

	for (; *text; text++)
		if (*text == '%')
			kb_buf_addstr(&out, scratch_path);
		else
			kb_buf_add(&out, text, 1);
	kb_buf_addstr(&out, "");
	return kb_buf_detach(&out);
}

static void test_what_is_listed(void)
{
	make_tree();
	scratch_write("user/.spack-db/index.json", "", 0);
	if (geteuid() == 0) {
		scratch_write("soft/.spack-db/index.json", "", 0);
		check_int(chown("soft/.spack-db", 65534, 65534), 0);
	}
	check_int(chmod(scratch_path, 0755), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(lists); i++) {
		kb_auto(root) struct kb_root r = { .others = lists[i].others };
		kb_auto(mem) char *path = expand(lists[i].path);
		kb_auto(mem) char *home = expand("%/user");
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_root_add_home(&r, home);
		lists[i].add(&r, path);
		print_entries(&text, &r);
		check_str(text.data, lists[i].entries);
		if (tap_failed)
			printf("# of %s\n", lists[i].path);
	}
	scratch_leave();
}

static void test_what_lies_in_what_is_shown_can_be_closed(void)
{
	static const struct {
		const char *path, *entries;
	} cases[] = {
		{ "%/soft/lib", "s soft\ns user/bin\nc soft/lib\n" },
		{ "%/to-soft/lib", "s soft\ns user/bin\nc soft/lib\n" },
		{ "%/tool", "s soft\ns user/bin\n" },
		{ "%/soft/bin/prog", "s soft\ns user/bin\n" },
		{ "%/none", "s soft\ns user/bin\n" },
		{ "%/user", "s soft\ns user/bin\n" },
	};

	make_tree();
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(root) struct kb_root r = KB_ROOT_INIT;
		kb_auto(mem) char *shown = expand("%/soft:%/user/bin");
		kb_auto(mem) char *path = expand(cases[i].path);
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_root_add_list(&r, shown);
		kb_root_add_closed(&r, path);
		print_entries(&text, &r);
		check_str(text.data, cases[i].entries);
	}
	scratch_leave();
}

static void test_minor_number_of_a_gpu(void)
{
	static const char text[] =
		"Model: \t\t NVIDIA H200\nIRQ:   \t\t 0\n"
		"GPU UUID: \t GPU-12\nDevice Minor: \t 3\n";
	static const struct {
		const char *text, *uuid;
		int minor;
	} cases[] = {
		{ "", "GPU-12", -1 },
		{ text, "GPU-12", 3 },
		{ text, "GPU-1", -1 },
		{ text, "GPU-123", -1 },
		{ "GPU UUID: \t GPU-12\n", "GPU-12", -1 },
		{ "GPU UUID: GPU-12\nDevice Minor: x\n", "GPU-12", -1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int(kb_view_gpu_minor(cases[i].text, cases[i].uuid),
			  cases[i].minor);
}

/* --- what is there ----------------------------------------------------- */

static void open_launcher(struct kb_launcher *l)
{
	struct kb_err err = KB_ERR_INIT;

	*l = (struct kb_launcher)KB_LAUNCHER_INIT;
	l->memory_bytes = (uint64_t)1 << 32;
	l->log_limit_bytes = 64 * 1024;
	l->threads = 1;
	check_int(kb_scratch_open(&l->scratch, &err), 0);
	kb_launcher_choose_user(l, false, false);
	kb_launcher_plan_root(l, false);
	check_str(err.msg, "");
}

/* What `script` prints, run by a worker. */
static char *said_by(struct kb_launcher *l, const char *script,
		     const char *const hidden[])
{
	kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	kb_auto(task) struct kb_task t = KB_TASK_INIT;
	struct kb_buf log = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_fault fault;
	bool truncated;
	int ret;

	t.hidden = hidden;
	ret = kb_scratch_make(&l->scratch, &dir, !l->other_user_why_not, &err);
	if (ret >= 0)
		ret = kb_task_start(&t, l, argv, &dir, KB_PHASE_RUN, LONG_NS,
				    &err);
	if (ret >= 0)
		ret = kb_task_wait(&t, &fault, &err);
	check_str(err.msg, "");
	check_int(ret, KB_TASK_DONE);
	kb_task_log(&t, &log, &truncated);
	kb_buf_addstr(&log, "");
	return kb_buf_detach(&log);
}

static bool is_in_force(struct kb_launcher *l)
{
	free(said_by(l, ":", NULL));
	return l->features & (1u << KB_FEATURE_OWN_ROOT);
}

static const struct {
	const char *script, *says;
} worlds[] = {
	{ "echo x >a && cat /tmp/a \"$HOME/a\" \"$TMPDIR/a\"", "x\nx\nx\n" },
	{ "echo x >/var/tmp/a && cat /tmp/a", "x\n" },
	{ "echo x >/dev/shm/a && cat /dev/shm/a", "x\n" },
	{ "echo x >/dev/null; head -c 3 /dev/zero | wc -c", "3\n" },
	{ "ls /dev", "fd\nfull\nnull\nrandom\nshm\nstderr\nstdin\nstdout\n"
	  "urandom\nzero\n" },
	{ "ls -l /dev/stdout | sed 's/.*dev/dev/'",
	  "dev/stdout -> /proc/self/fd/1\n" },
	{ "stat -f -c %c /tmp; test $(($(stat -f -c '%b * %S' /tmp))) "
	  "-le 2147483648 && echo small", "65536\nsmall\n" },
	{ "stat -f -c %c /dev/shm", "16384\n" },
	{ "cd \"$HOME\" && echo x >b && ls /tmp/b && test -d \"$TMPDIR\" && echo 1",
	  "/tmp/b\n1\n" },
	/* Read-only, and nobody's. */
	{ "for d in / /usr /etc /dev /var /sys/devices/system; do\n"
	  "(echo x >$d/kb-test) 2>/dev/null || echo no; done",
	  "no\nno\nno\nno\nno\nno\n" },
	{ "ls -d /root /home /etc/shadow /etc/ssh /run /mnt /opt /var/lib "
	  "/sys/fs /sys/kernel /boot 2>/dev/null; :", "" },
	{ "cat /etc/passwd | cut -d: -f1", "root\nkb\n" },
	{ "awk '$5 ~ \"^/(usr)?$\" { print $6 }' /proc/self/mountinfo | "
	  "sed 's/,nodev.*//'", "ro,nosuid\nro,nosuid\n" },
	{ "ls -d /proc/self/root/root /proc/1/root/root 2>/dev/null; :", "" },
	{ "cd / && ls -d ../../root 2>/dev/null; :", "" },
};

static void test_what_is_there(void)
{
	struct kb_launcher l;

	open_launcher(&l);
	if (!is_in_force(&l)) {
		tap_skip("no root of its own");
		kb_launcher_release(&l);
		return;
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(worlds); i++) {
		kb_auto(mem) char *said = said_by(&l, worlds[i].script, NULL);

		check_str(said, worlds[i].says);
		if (tap_failed)
			printf("# of %s\n", worlds[i].script);
	}
	kb_launcher_release(&l);
}

/* Where it lies does not matter: beside the scratch directories, in one that
 * is shown, behind a socket. */
static void test_secrets_are_not_there(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	kb_auto(mem) char *script = NULL;
	struct kb_launcher l;
	int fd;

	make_tree();
	check_int(chmod(scratch_path, 0755), 0);
	scratch_write("soft/store/secret", "secret\n", 7);
	scratch_write("secret", "secret\n", 7);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(a.sun_path, sizeof(a.sun_path), "%s/sock", scratch_path);
	check_int(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	kb_auto(mem) char *soft = kb_xasprintf("%s/soft", scratch_path);
	kb_auto(mem) char *store = kb_xasprintf("%s/soft/store", scratch_path);

	check_int(setenv("KB_READABLE", soft, 1), 0);
	open_launcher(&l);
	l.closed[0] = store;
	kb_launcher_plan_root(&l, false);
	script = kb_xasprintf("cd %s && ls; ls -A soft/store; cat secret "
			      "soft/store/secret 2>/dev/null; ls soft",
			      scratch_path);
	kb_auto(mem) char *said = said_by(&l, script, NULL);

	if (l.features & (1u << KB_FEATURE_OWN_ROOT))
		check_str(said, "soft\nbin\nlib\nstore\n");
	else
		tap_skip("no root of its own");
	kb_launcher_release(&l);
	unsetenv("KB_READABLE");
	close(fd);
	scratch_leave();
}

static const struct {
	const char *script, *says;
} fences[] = {
	{ "echo x >a && cat \"$HOME/a\"", "x\n" },
	{ "echo x >/dev/shm/kb-test-root && rm /dev/shm/kb-test-root && echo y",
	  "y\n" },
	{ "mkdir d e && echo x >d/a && mv d/a e && cat e/a", "x\n" },
	{ "echo x >/dev/null; head -c 3 /dev/zero | wc -c", "3\n" },
	{ "id -u >a && cat a | wc -l", "1\n" },
	{ "for d in / /tmp /var/tmp /usr /etc /dev; do\n"
	  "(echo x >$d/kb-test-root) 2>/dev/null || echo no; done",
	  "no\nno\nno\nno\nno\nno\n" },
	{ "for d in / /tmp /root /home /var /etc; do\n"
	  "ls $d 2>/dev/null || echo no; done", "no\nno\nno\nno\nno\nno\n" },
	{ "cat /etc/hostname 2>/dev/null || echo no", "no\n" },
	{ "ls /usr >/dev/null && echo yes", "yes\n" },
};

/* Without a root of its own it sees no more; beside one it is in force. */
static void test_what_landlock_leaves(void)
{
	struct kb_launcher l;
	bool own_root;

	open_launcher(&l);
	own_root = is_in_force(&l);
	if (!(l.features & (1u << KB_FEATURE_LANDLOCK)))
		tap_skip("no Landlock");
	for (size_t i = 0; i < KB_ARRAY_LEN(fences) && !own_root &&
	     !tap_skipped; i++) {
		kb_auto(mem) char *said = said_by(&l, fences[i].script, NULL);

		check_str(said, fences[i].says);
		if (tap_failed)
			printf("# of %s\n", fences[i].script);
	}
	kb_launcher_release(&l);
}
TEST_WITHOUT_NAMESPACES(test_what_landlock_leaves);

/* One that is to be hidden has no node. */
static void test_nodes_of_devices(void)
{
	static const char *const hidden[] = { "/dev/kmsg", NULL };
	static const char script[] = "ls /dev | grep -c kmsg; :";
	struct kb_launcher l;

	open_launcher(&l);
	if (!is_in_force(&l) || access("/dev/kmsg", F_OK) < 0) {
		tap_skip("no root of its own, or no /dev/kmsg");
		kb_launcher_release(&l);
		return;
	}
	kb_root_add_node(&l.root, "/dev/kmsg");

	kb_auto(mem) char *with = said_by(&l, script, NULL);
	kb_auto(mem) char *without = said_by(&l, script, hidden);

	check_str(with, "1\n");
	check_str(without, "0\n");
	kb_launcher_release(&l);
}

TAP_MAIN(
	TAP(test_what_is_listed),
	TAP(test_what_lies_in_what_is_shown_can_be_closed),
	TAP(test_minor_number_of_a_gpu),
	TAP(test_what_is_there),
	TAP(test_secrets_are_not_there),
	TAP(test_what_landlock_leaves),
	TAP(test_what_landlock_leaves_without_namespaces),
	TAP(test_nodes_of_devices),
);
