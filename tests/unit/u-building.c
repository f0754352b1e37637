#include "worker/building.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "confine/left.h"
#include "lib/tap.h"
#include "store/kept.h"
#include "worker/build.h"
#include "worker/prepared.h"

#define MIB ((uint64_t)1 << 20)

/* A launcher with a compiler, and the one header of ours. */
static void open_launcher(struct kb_launcher *l)
{
	struct kb_err err = KB_ERR_INIT;
	kb_auto(mem) char *header = NULL;

	*l = (struct kb_launcher)KB_LAUNCHER_INIT;
	l->memory_bytes = 4096 * MIB;
	l->log_limit_bytes = 64 * 1024;
	l->load_timeout_ns = 60 * KB_NS_PER_S;
	l->threads = 1;
	l->cc = kb_xstrdup("/usr/bin/cc");
	check_int(kb_scratch_open(&l->scratch, &err), 0);
	l->libexec = kb_xstrdup(l->scratch.root);
	header = kb_xasprintf("%s/kb_native.h", l->libexec);
	check_int(kb_file_replace(AT_FDCWD, header, "", 0, 0444, &err), 0);
	kb_launcher_choose_user(l, false, false);
	check_str(err.msg, "");
}

static struct kb_source source_of(const char *text)
{
	return (struct kb_source){
		.runtime = KB_RUNTIME_NATIVE, .data = text,
		.len = strlen(text),
	};
}

static void build(struct kb_kept *k, struct kb_launcher *l, const char *text)
{
	kb_auto(building) struct kb_building b = KB_BUILDING_INIT;
	const struct kb_source code = source_of(text);
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_building_start(&b, l, &code, NULL, NULL, &err);

	check_int(ret, 1);
	while (ret > 0) {
		usleep(1000);
		ret = kb_building_poll(&b, &err);
	}
	check_int(ret, 0);
	check_int(kb_building_take(&b, k, &err), 0);
	check_str(err.msg, "");
}

static const struct {
	const char *code;
	const char *outcome, *detail, *log;	/* part of the log */
} stories[] = {
	{ "", "made", "", "" },
	{ "int f(void) { return 1; }\n", "made", "", "" },
	{ "#warning \"look here\"\n", "made", "", "look here" },
	{ "#error \"no further\"\n", "build_failed", "code.c:1:2: error: #error \"no further\"",
	  "no further" },
};

static void test_native_code_is_compiled(void)
{
	struct kb_launcher l;

	open_launcher(&l);
	for (size_t i = 0; i < KB_ARRAY_LEN(stories); i++) {
		kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
		const bool made = !strcmp(stories[i].outcome, "made");

		build(&k, &l, stories[i].code);
		check_str(k.outcome, stories[i].outcome);
		check_str(k.detail ? k.detail : "", stories[i].detail);
		check(strstr(k.log, stories[i].log));
		check_int((intmax_t)k.count, made);
		if (made)
			check(!memcmp(k.entries[0].data, "\177ELF", 4));
	}
	kb_launcher_release(&l);
}

/* --- a compiler that is killed ----------------------------------------- */

/* It includes itself 2^99 times. */
static const char endless[] =
	"#if __INCLUDE_LEVEL__ < 99\n"
	"#include __FILE__\n"
	"#include __FILE__\n"
	"#endif\n";

/* The one child of the monitor. */
static pid_t find_compiler(const struct kb_building *b)
{
	const int monitor = (int)b->task.process.monitor;
	kb_auto(mem) char *path = kb_xasprintf("/proc/%d/task/%d/children",
					       monitor, monitor);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	check_int(kb_file_read(&text, AT_FDCWD, path, 64, NULL), 0);
	return atoi(text.data);
}

static void kill_compiler(const struct kb_building *b)
{
	check_int(kill(find_compiler(b), SIGKILL), 0);
}

/* What comes after the first kill, where there is no second. */
static const struct {
	const char *then, *detail;
} killed[] = {
	{ "/usr/bin/true",
	  "the compiler left no shared object, or one beyond 256 MiB" },
	{ NULL, "the compiler was killed" },
};

static void test_a_compiler_that_is_killed_runs_once_more(void)
{
	const struct kb_source code = source_of(endless);

	for (size_t i = 0; i < KB_ARRAY_LEN(killed); i++) {
		kb_auto(building) struct kb_building b = KB_BUILDING_INIT;
		kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
		struct kb_err err = KB_ERR_INIT;
		struct kb_launcher l;

		open_launcher(&l);
		check_int(kb_building_start(&b, &l, &code, NULL, NULL, &err), 1);
		kill_compiler(&b);
		if (killed[i].then) {
			free(l.cc);
			l.cc = kb_xstrdup(killed[i].then);
		}
		while (!b.was_killed && kb_building_poll(&b, &err) > 0)
			usleep(1000);
		check(b.was_killed);
		if (!killed[i].then)
			kill_compiler(&b);
		check_int(kb_building_wait(&b, &err), 0);
		check_int(kb_building_take(&b, &k, &err), 0);
		check_str(err.msg, "");
		check_str(k.outcome, "build_failed");
		check_str(k.detail, killed[i].detail);
		kb_building_end(&b);
		kb_launcher_release(&l);
	}
}

/* RLIMIT_NPROC of a process. */
static uint64_t process_limit(pid_t pid)
{
	kb_auto(mem) char *path = kb_xasprintf("/proc/%d/limits", (int)pid);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	const char *line;

	check_int(kb_file_read(&text, AT_FDCWD, path, 4096, NULL), 0);
	line = strstr(text.data, "Max processes");
	check(line != NULL);
	return line ? strtoull(line + strlen("Max processes"), NULL, 10) : 0;
}

/* Twice what a candidate may have, or all that there is. */
static uint64_t process_limit_wanted(const struct kb_launcher *l)
{
	const uint64_t twice = 2 * kb_launcher_limits(l, 0).processes;
	struct rlimit own;

	check_int(getrlimit(RLIMIT_NPROC, &own), 0);
	return own.rlim_max < twice ? own.rlim_max : twice;
}

/* It is being made ready when it has just been started. */
static void test_a_build_makes_way(void)
{
	const struct kb_source code = source_of(endless);
	const int wanted = getpriority(PRIO_PROCESS, 0) + 10;
	const int64_t end_ns = kb_clock_ns() + 60 * KB_NS_PER_S;
	kb_auto(building) struct kb_building b = KB_BUILDING_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_launcher l;
	int niceness;

	open_launcher(&l);
	check_int(kb_building_start(&b, &l, &code, NULL, NULL, &err), 1);
	do {
		usleep(1000);
		niceness = getpriority(PRIO_PROCESS, (id_t)find_compiler(&b));
	} while (niceness < wanted && niceness < 19 && kb_clock_ns() < end_ns);
	check_int(niceness, wanted < 19 ? wanted : 19);
	check_int((intmax_t)process_limit(find_compiler(&b)),
		  (intmax_t)process_limit_wanted(&l));
	kb_building_end(&b);
	kb_launcher_release(&l);
}

/* Whatever the cause: here that those before it are said to have had more. */
static void test_a_build_is_not_confined_less_than_before(void)
{
	const struct kb_source code = source_of("");
	kb_auto(building) struct kb_building b = KB_BUILDING_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_launcher l;

	open_launcher(&l);
	l.granted = 1u << KB_FEATURE_OWN_ROOT | 1u << KB_FEATURE_SYSCALL_FILTER;
	check_int(kb_building_start(&b, &l, &code, NULL, NULL, &err),
		  -KB_ERR_SYS);
	check_str(err.msg, "a worker would be confined less than those before "
		  "it, without: own_root");
	kb_building_end(&b);

	/* Those before were confined by another choice. */
	kb_launcher_choose_user(&l, false, false);
	check_int(kb_building_start(&b, &l, &code, NULL, NULL, &err), 1);
	kb_building_end(&b);
	kb_launcher_release(&l);
}

/* What comes to an end before any process is started. */
static const struct {
	enum kb_runtime runtime;
	bool without_features;		/* of confinement */
	const char *outcome, *detail;
} at_once[] = {
	/* Code for another device. */
	{ KB_RUNTIME_CUDA, false,
	  "build_failed", "CUDA C++ does not run on the CPU" },
	/* Where names in files would not be those that a worker sees. */
	{ KB_RUNTIME_TORCH, true,
	  "in_place", "workers have no /tmp of their own" },
};

static void test_some_builds_are_over_at_once(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(at_once); i++) {
		kb_auto(building) struct kb_building b = KB_BUILDING_INIT;
		kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
		struct kb_source code = source_of("");
		struct kb_launcher l;

		open_launcher(&l);
		if (at_once[i].without_features)
			l.features = 0;
		code.runtime = at_once[i].runtime;
		check_int(kb_building_start(&b, &l, &code, NULL, NULL, NULL), 0);
		check_int(kb_building_take(&b, &k, NULL), 0);
		check_str(k.outcome, at_once[i].outcome);
		check_str(k.detail, at_once[i].detail);
		kb_building_end(&b);
		kb_launcher_release(&l);
	}
}

/* --- what was prepared ------------------------------------------------- */

struct prepared {
	struct kb_launcher launcher;
	struct kb_preparations list;
	struct kb_source code;
	struct kb_digest key;
	char dirs[2][200];
};

static void open_prepared(struct prepared *p)
{
	struct kb_prepared item = { .runtime = KB_RUNTIME_NATIVE };

	*p = (struct prepared){ .code = source_of("#error \"not again\"\n") };
	open_launcher(&p->launcher);
	for (int i = 0; i < 2; i++) {
		snprintf(p->dirs[i], sizeof(p->dirs[i]), "%s/kept%d",
			 p->launcher.scratch.root, i);
		p->list.dirs[i] = p->dirs[i];
	}
	kb_digest_of(&p->key, "key", 3);
	kb_digest_of(&item.source, p->code.data, p->code.len);
	item.key = p->key;
	kb_preparations_add(&p->list, &item);
	p->launcher.prepared = &p->list;
}

static void close_prepared(struct prepared *p)
{
	kb_preparations_release(&p->list);
	kb_launcher_release(&p->launcher);
}

static void keep(const struct prepared *p, int dir, const char *outcome,
		 const char *program)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	struct kb_kept_entry *e;

	k.outcome = kb_xstrdup(outcome);
	k.detail = kb_xstrdup("so it is");
	k.log = kb_xstrdup("said\n");
	if (program) {
		e = kb_kept_add(&k, KB_BUILT_PROGRAM);
		e->data = program;
		e->len = strlen(program);
	}
	check_int(kb_kept_put(p->dirs[dir], &p->key, &k, NULL), 0);
}

static bool finds(const struct prepared *p, const struct kb_source *code)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;

	return kb_prepared_find(&k, &p->launcher, code);
}

static void test_what_was_prepared_is_found(void)
{
	struct kb_source other = source_of("int x;\n");
	struct kb_source python;
	struct prepared p;

	open_prepared(&p);
	python = p.code;
	python.runtime = KB_RUNTIME_TORCH;
	check(!finds(&p, &p.code));
	keep(&p, 1, "made", "program");
	check(finds(&p, &p.code));
	check(!finds(&p, &other));
	check(!finds(&p, &python));
	p.launcher.prepared = NULL;
	check(!finds(&p, &p.code));
	close_prepared(&p);
}

static void test_made_without_a_program_is_not_found(void)
{
	struct prepared p;

	open_prepared(&p);
	keep(&p, 0, "made", NULL);
	check(!finds(&p, &p.code));
	keep(&p, 1, "made", "program");
	check(finds(&p, &p.code));
	close_prepared(&p);
}

static void test_faults_are_told(void)
{
	static const struct {
		const char *outcome;
		bool is_fault;
		enum kb_status status;
	} rows[] = {
		{ "made", false, 0 },
		{ "in_place", false, 0 },
		{ "build_failed", true, KB_STATUS_BUILD_FAILED },
		{ "timed_out", true, KB_STATUS_TIMED_OUT },
		{ "output_limit", true, KB_STATUS_OUTPUT_LIMIT },
		{ "nonsense", true, KB_STATUS_BUILD_FAILED },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
		struct kb_fault fault;

		k.outcome = kb_xstrdup(rows[i].outcome);
		k.detail = kb_xstrdup("so it is");
		check_int(kb_built_fault(&fault, &k), rows[i].is_fault);
		if (!rows[i].is_fault)
			continue;
		check_int(fault.status, rows[i].status);
		check_int(fault.phase, KB_PHASE_BUILD);
		check_str(fault.detail, "so it is");
	}
}

/* --- what is left ------------------------------------------------------ */

static void write_below(const struct kb_scratch_dir *d, const char *name,
			const char *text)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", d->work, name);

	check_int(kb_file_replace(AT_FDCWD, path, text, strlen(text), 0600,
				  NULL), 0);
}

static void make_below(const struct kb_scratch_dir *d, const char *name)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", d->work, name);

	check_int(mkdir(path, 0700), 0);
}

static void link_below(const struct kb_scratch_dir *d, const char *name)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", d->work, name);

	check_int(symlink("/etc/passwd", path), 0);
}

static void test_what_is_left_is_put_elsewhere(void)
{
	static const char *const except[] = { "skipped", NULL };
	kb_auto(scratch_dir) struct kb_scratch_dir from = { .work = NULL };
	kb_auto(scratch_dir) struct kb_scratch_dir to = { .work = NULL };
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(mem) char *old = NULL, *new = NULL;
	struct stat a, b;
	struct kb_launcher l;

	open_launcher(&l);
	check_int(kb_scratch_make(&l.scratch, &from, false, NULL), 0);
	check_int(kb_scratch_make(&l.scratch, &to, false, NULL), 0);
	make_below(&from, "a");
	make_below(&from, "a/skipped");
	make_below(&from, "skipped");
	write_below(&from, "skipped/x", "x");
	write_below(&from, "a/b", "bytes");
	write_below(&from, "a/empty", "");
	link_below(&from, "a/link");
	check_int(kb_left_take(&k, &from, except, KB_LEFT_BYTES_MAX,
			       NULL), 1);
	check_int((intmax_t)k.count, 4);
	kb_auto(fd) int work = kb_scratch_open_work(&to);

	check_int(kb_left_put(&k, work, false, NULL), 0);

	old = kb_xasprintf("%s/a/b", from.work);
	new = kb_xasprintf("%s/a/b", to.work);
	check_int(kb_file_read(&text, AT_FDCWD, new, 100, NULL), 0);
	check_str(text.data, "bytes");
	check_int(stat(old, &a), 0);
	check_int(stat(new, &b), 0);
	check_int(a.st_mtim.tv_sec, b.st_mtim.tv_sec);
	check_int(a.st_mtim.tv_nsec, b.st_mtim.tv_nsec);
	/* Into a directory that is not empty it is not put. */
	check(kb_left_put(&k, work, false, NULL) < 0);
	kb_launcher_release(&l);
}

static void test_one_file_is_a_file(void)
{
	kb_auto(scratch_dir) struct kb_scratch_dir d = { .work = NULL };
	static const struct {
		const char *name;
		int ret;
	} rows[] = {
		{ "file", 1 }, { "empty", 0 }, { "folder", 0 }, { "link", 0 },
		{ "nothing", 0 }, { "large", 0 },
	};
	struct kb_launcher l;

	open_launcher(&l);
	check_int(kb_scratch_make(&l.scratch, &d, false, NULL), 0);
	write_below(&d, "file", "four");
	write_below(&d, "empty", "");
	write_below(&d, "large", "more than eight");
	make_below(&d, "folder");
	link_below(&d, "link");
	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		check_int(kb_left_file(&out, &d, rows[i].name, 8, NULL),
			  rows[i].ret);
	}
	kb_launcher_release(&l);
}

TAP_MAIN(
	TAP(test_native_code_is_compiled),
	TAP(test_a_compiler_that_is_killed_runs_once_more),
	TAP(test_a_build_makes_way),
	TAP(test_a_build_is_not_confined_less_than_before),
	TAP(test_some_builds_are_over_at_once),
	TAP(test_what_was_prepared_is_found),
	TAP(test_made_without_a_program_is_not_found),
	TAP(test_faults_are_told),
	TAP(test_what_is_left_is_put_elsewhere),
	TAP(test_one_file_is_a_file)
);
