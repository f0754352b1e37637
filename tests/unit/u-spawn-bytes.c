#include "confine/spawn_bytes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"

static const char *const argv[] = { "/usr/bin/python3", "-B", "", NULL };
static const char *const env[] = { "A=1", "B=", NULL };
static const char *const kept[] = { "venv", NULL };
static const char *const hidden[] = { "/dev/nvidia0", "/dev/nvidiactl", NULL };
static char path[] = "/usr", link_path[] = "/lib", target[] = "usr/lib";
static struct kb_root_entry entries[] = {
	{ .kind = KB_ROOT_SHOWN, .path = path },
	{ .kind = KB_ROOT_LINK, .path = link_path, .target = target },
};
static const struct kb_root root = { .entries = entries, .count = 2 };
static const struct kb_private_tmp tmp = {
	.root = "/tmp/s", .code = "/tmp/s/0-code", .kept = kept,
};

static const struct kb_spawn full = {
	.argv = argv, .env = env,
	.files = {
		.scratch = "/tmp/s/0", .work_bytes = 1 << 20, .work_files = 7,
		.tmp = &tmp, .root = &root, .hidden = hidden,
	},
	.other_user = true,
	.limits = {
		.address_bytes = UINT64_MAX, .memory_bytes = 1, .file_bytes = 2,
		.processes = 3, .files = 4, .niceness = -5,
	},
}, least = {
	.argv = argv + 2, .env = env + 2, .files.scratch = "/",
	.unconfined = true, .prints_directly = true, .loopback = true,
};

static void check_text(const char *got, const char *want)
{
	check_str(got ? got : "(none)", want ? want : "(none)");
}

static void check_list(const char *const *got, const char *const *want)
{
	size_t i;

	check(!got == !want);
	for (i = 0; got && want && got[i] && want[i]; i++)
		check_str(got[i], want[i]);
	check(!got || !want || (!got[i] && !want[i]));
}

static void check_root(const struct kb_root *got, const struct kb_root *want)
{
	check(!got == !want);
	check(!got || !want || got->count == want->count);
	for (size_t i = 0; got && want && i < got->count; i++) {
		check_int(got->entries[i].kind, want->entries[i].kind);
		check_text(got->entries[i].path, want->entries[i].path);
		check_text(got->entries[i].target, want->entries[i].target);
	}
}

static void test_what_is_started_comes_back(void)
{
	static const struct kb_spawn *const cases[] = { &full, &least };

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const struct kb_spawn *s = cases[i];
		kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
		struct kb_spawned got;

		kb_spawn_to_bytes(&bytes, s);
		check_int(kb_spawned_from_bytes(&got, bytes.data, bytes.len), 0);
		check_list(got.spawn.argv, s->argv);
		check_list(got.spawn.env, s->env);
		check_text(got.spawn.files.scratch, s->files.scratch);
		check_int(got.spawn.files.work_bytes, s->files.work_bytes);
		check_int(got.spawn.files.work_files, s->files.work_files);
		check(!got.spawn.files.tmp == !s->files.tmp);
		check_text(got.tmp.root, s->files.tmp ? tmp.root : NULL);
		check_text(got.tmp.code, s->files.tmp ? tmp.code : NULL);
		check_list(got.tmp.kept, s->files.tmp ? kept : NULL);
		check_root(got.spawn.files.root, s->files.root);
		check_list(got.spawn.files.hidden, s->files.hidden);
		check(got.spawn.prints_directly == s->prints_directly);
		check(got.spawn.other_user == s->other_user);
		check(got.spawn.unconfined == s->unconfined);
		check(got.spawn.loopback == s->loopback);
		check(!memcmp(&got.spawn.limits, &s->limits, sizeof(s->limits)));
		check_int(got.spawn.log_fd, -1);
		check_int(got.spawn.channel_fd, -1);
		check_int(got.spawn.group_fd, -1);
		check_int(got.spawn.program_fd, -1);
		kb_spawned_release(&got);
	}
}

static void test_bytes_that_are_cut_or_longer_are_refused(void)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	struct kb_spawned got;

	kb_spawn_to_bytes(&bytes, &full);
	for (size_t len = 0; len < bytes.len; len++) {
		check(kb_spawned_from_bytes(&got, bytes.data, len) != 0);
		kb_spawned_release(&got);
	}
	kb_buf_addch(&bytes, '\0');
	check(kb_spawned_from_bytes(&got, bytes.data, bytes.len) != 0);
	kb_spawned_release(&got);
}

TAP_MAIN(
	TAP(test_what_is_started_comes_back),
	TAP(test_bytes_that_are_cut_or_longer_are_refused),
);
