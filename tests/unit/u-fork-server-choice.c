/* Which Python may serve forks, and what it imports before it does. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fork_server_rig.h"

static bool has_server(const char *variable, const char *value,
		       const char *python)
{
	struct rig r = { .server = KB_FORK_SERVER_INIT };
	const char *argv[] = { NULL, "-B", "/tell.py", NULL };
	bool has;

	if (variable)
		check_int(setenv(variable, value, 1), 0);
	open_launcher(&r, &ways[0]);
	if (python) {
		free(r.launcher.python);
		r.launcher.python = kb_xasprintf("%s/%s", scratch_path, python);
	}
	argv[0] = r.launcher.python;
	has = kb_launcher_server(&r.launcher, argv);
	rig_close(&r);
	if (variable)
		check_int(unsetenv(variable), 0);
	return has;
}

/* Root's is not confined, so that nobody else may choose what it runs. */
static void test_root_serves_with_what_is_its_own(void)
{
	static const struct {
		const char *variable, *value, *python;
		bool for_root;
	} stories[] = {
		{ NULL, NULL, "python", false },
		{ "VIRTUAL_ENV", "/usr", NULL, true },
		{ "VIRTUAL_ENV", "/tmp/env", NULL, false },
		{ "PYTHONUSERBASE", "/var/tmp/.local", NULL, false },
		{ "EBPYTHONPREFIXES", "/usr", NULL, true },
		{ "EBPYTHONPREFIXES", "/usr:/var/tmp/eb", NULL, false },
		{ "LD_LIBRARY_PATH", "/usr/lib:", NULL, true },
		{ "LD_LIBRARY_PATH", "/usr/lib:/tmp", NULL, false },
		{ "PYTHONPATH", "/usr/none:/usr/share", NULL, true },
		{ "PYTHONPATH", "/usr/../tmp", NULL, false },
		{ "PYTHONPATH", "share", NULL, false },
	};

	enter();
	if (!has_server(NULL, NULL, NULL)) {
		scratch_leave();
		tap_skip("this Python is not root's");
		return;
	}
	check_int(symlink("/usr/bin/env", "python"), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(stories); i++)
		check_int(has_server(stories[i].variable, stories[i].value,
				     stories[i].python),
			  stories[i].for_root || geteuid() != 0);
	scratch_leave();
}

/* What is neither where a way begins nor where it leads. */
static void test_root_looks_at_each_link_on_the_way(void)
{
	char folder[] = "/run/kb-test-XXXXXX";
	kb_auto(mem) char *other = NULL, *away = NULL, *home = NULL;

	if (geteuid() != 0 || !mkdtemp(folder)) {
		tap_skip("this user makes no directory in '/run'");
		return;
	}
	enter();
	other = kb_xasprintf("%s/other", scratch_path);
	away = kb_xasprintf("%s/away", folder);
	home = kb_xasprintf("%s/home", folder);
	check_int(symlink("/usr", other), 0);
	check_int(symlink(other, away), 0);
	check_int(symlink("../../usr/./lib", home), 0);
	if (has_server("PYTHONPATH", "/usr", NULL)) {
		check(!has_server("PYTHONPATH", away, NULL));
		check(has_server("PYTHONPATH", home, NULL));
	} else {
		tap_skip("this Python is not root's");
	}
	check(!unlink(away) && !unlink(home) && !rmdir(folder));
	scratch_leave();
}

static void test_user_serves_with_anything(void)
{
	by_user(test_root_serves_with_what_is_its_own);
}

static void test_modules_are_those_that_code_names(void)
{
	static const struct {
		const char *code;
		uint32_t modules;
	} stories[] = {
		{ "", 0 },
		{ "import torch, re\nre.compile('torch.compile')", 0 },
		{ "# import triton\nx = 'import triton'", 0 },
		{ "import triton", 1u << KB_MODULE_TRITON },
		{ "import torch\nimport triton.language as tl",
		  1u << KB_MODULE_TRITON },
		{ "try:\n  from triton import jit\nexcept: pass",
		  1u << KB_MODULE_TRITON },
		{ "import torch\nf = torch.compile(g)",
		  1u << KB_MODULE_INDUCTOR },
		{ "import torch, triton\n@torch.compile\ndef f(): pass",
		  1u << KB_MODULE_TRITON | 1u << KB_MODULE_INDUCTOR },
		{ "torch.", 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(stories); i++)
		check_int(kb_modules_of(stories[i].code,
					strlen(stories[i].code)),
			  stories[i].modules);
}

/* By a launcher, whose torch imports nothing: what a program finds that was there
 * before it. */
static void find_made(struct kb_buf *out, struct rig *r, const char *program)
{
	kb_auto(mem) char *script = kb_xasprintf("%s/%s", r->dir.code, program);
	const char *argv[] = { r->launcher.python, "-B", script, NULL };

	kb_buf_clear(out);
	run(out, r, &ways[0], argv, NULL,
	    kb_launcher_server(&r->launcher, argv));
	check_str(r->err.msg, "");
}

static void find_imported(struct kb_buf *out, struct rig *r)
{
	find_made(out, r, "show.py");
}

/* Stand-ins, which a server finds beside its script. */
static void open_with_triton(struct rig *r, const char *triton)
{
	static const char torch[] =
		"class default_generator: seed = staticmethod(int)\n";
	static const char show[] =
		"import sys\n"
		"print('imported:', 'triton' in sys.modules,"
		" 'torch' in sys.modules)\n";

	*r = (struct rig){ .server = KB_FORK_SERVER_INIT };
	scratch_write("torch.py", torch, strlen(torch));
	scratch_write("kb_torch_worker.py", "", 0);
	scratch_write("triton.py", triton, strlen(triton));
	open_launcher(r, &ways[0]);
	check_int(kb_scratch_put(&r->dir, "show.py", show, strlen(show),
				 &r->err), 0);
	r->launcher.modules = 1u << KB_MODULE_TRITON;
}

static void test_server_imports_what_it_is_to(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	open_with_triton(&r, "");
	if (!kb_launcher_server(&r.launcher, (const char *const []){
				r.launcher.python, "-B", "/show.py", NULL })) {
		tap_skip("this Python is not root's");
	} else {
		find_imported(&out, &r);
		check(strstr(out.data, "imported: True True\n"));
	}
	rig_close(&r);
	scratch_leave();
}

/* A worker has the digest, and the file where Triton looks for it. */
static void test_server_makes_what_triton_wants(void)
{
	static const char init[] = "__path__ = [__file__[:-3] + '.d']\n";
	static const char cache[] =
		"calls = []\n"
		"def triton_key(): calls.append(1)\n";
	static const char driver[] =
		"import os\n"
		"class CudaUtils:\n"
		"    def __init__(self):\n"
		"        place = os.environ['TRITON_CACHE_DIR'] + '/digest'\n"
		"        os.makedirs(place)\n"
		"        with open(place + '/utils.so', 'w') as file:\n"
		"            file.write('a library')\n"
		"        raise SystemExit()\n";
	static const char worker[] =
		"import os, sys\n"
		"from triton.runtime.cache import calls\n"
		"place = os.environ['TRITON_CACHE_DIR'] + '/digest/utils.so'\n"
		"print('made:', len(calls), open(place).read(),\n"
		"      'triton.backends.nvidia.driver' in sys.modules)\n";
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	check_int(mkdir("triton.d", 0755), 0);
	check_int(mkdir("triton.d/runtime", 0755), 0);
	check_int(mkdir("triton.d/backends", 0755), 0);
	check_int(mkdir("triton.d/backends/nvidia", 0755), 0);
	scratch_write("triton.d/runtime/cache.py", cache, strlen(cache));
	scratch_write("triton.d/backends/nvidia/driver.py", driver,
		      strlen(driver));
	open_with_triton(&r, init);
	check_int(kb_scratch_put(&r.dir, "kb_torch.py", worker, strlen(worker),
				 &r.err), 0);
	find_made(&out, &r, "kb_torch.py");
	if (!kb_fork_server_is_there(&r.launcher.server.fork))
		tap_skip("this Python is not root's");
	else
		check(strstr(out.data, "made: 1 a library False\n"));
	rig_close(&r);
	scratch_leave();
}

/* Builds tell their compilers how many of them may run, and for which device. */
static void test_server_stays_for_builds_that_differ(void)
{
	struct rig r;
	struct kb_launcher *l = &r.launcher;
	pid_t pid;

	if (!can_serve())
		return;
	enter();
	open_with_triton(&r, "");
	kb_launcher_begin_server(l);
	pid = l->server.fork.pid;
	l->cuda = true;
	l->cuda_arch = 90;
	l->max_jobs = 4;
	(void)kb_launcher_server(l, (const char *const []){
				 l->python, "-B", "/show.py", NULL });
	check_int(l->server.fork.pid, pid);
	rig_close(&r);
	scratch_leave();
}

static void test_module_that_cannot_be_shared_is_done_without(void)
{
	static const char *const texts[] = {
		"raise ImportError()",
		"import os\nos.open('/dev/null', os.O_RDONLY)",
	};

	if (!can_serve())
		return;
	enter();
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct rig r;

		open_with_triton(&r, texts[i]);
		find_imported(&out, &r);	/* which was executed */
		check(strstr(out.data, "imported: False False\n"));
		find_imported(&out, &r);
		if (!kb_fork_server_is_there(&r.launcher.server.fork))
			tap_skip("this Python is not root's");
		else
			check(strstr(out.data, "imported: False True\n"));
		rig_close(&r);
	}
	scratch_leave();
}

/* An empty part of PYTHONPATH is the directory that an interpreter works in. */
static void test_server_does_not_look_where_kb_is_run(void)
{
	static const char text[] = "raise SystemExit()";
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	check_int(mkdir("here", 0755), 0);
	scratch_write("here/colorsys.py", text, strlen(text));
	check_int(chdir("here"), 0);
	check_int(setenv("PYTHONPATH", ":", 1), 0);
	rig_open(&r, &ways[0], "colorsys");
	tell(&out, &r, &ways[0], &r.server);
	check(kb_fork_server_is_there(&r.server));
	rig_close(&r);
	check_int(unsetenv("PYTHONPATH"), 0);
	scratch_leave();
}

TAP_MAIN(
	TAP(test_there_is_a_server),
	TAP(test_root_serves_with_what_is_its_own),
	TAP(test_root_looks_at_each_link_on_the_way),
	TAP(test_user_serves_with_anything),
	TAP(test_modules_are_those_that_code_names),
	TAP(test_server_imports_what_it_is_to),
	TAP(test_server_makes_what_triton_wants),
	TAP(test_server_stays_for_builds_that_differ),
	TAP(test_module_that_cannot_be_shared_is_done_without),
	TAP(test_server_does_not_look_where_kb_is_run),
);
