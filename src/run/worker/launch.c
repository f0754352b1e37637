#include "worker/launch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/self.h"
#include "base/variable.h"
#include "confine/left.h"
#include "confine/other_user.h"
#include "confine/private_tmp.h"
#include "store/kept.h"
#include "worker/build.h"
#include "worker/prepared.h"
#include "worker/program.h"
#include "worker/torch.h"
#include "worker/variables.h"

/* Our programs lie beside the binary: <prefix>/bin and <prefix>/libexec/kb. */
static int find_libexec(char **out, struct kb_err *err)
{
	kb_auto(mem) char *prefix = kb_self_prefix(err);

	if (!prefix)
		return -KB_ERR_SYS;
	*out = kb_xasprintf("%s/libexec/kb", prefix);
	if (access(*out, X_OK) < 0)
		return kb_err(err, KB_ERR_MISSING,
			      "cannot find our worker programs in '%s'", *out);
	return 0;
}

char *kb_find_program(const char *name)
{
	const char *path = kb_variable("PATH");
	kb_auto(mem) char *copy = kb_xstrdup(path ? path : "/usr/bin:/bin");
	char *save = NULL;

	if (strchr(name, '/')) {
		kb_auto(mem) char *dir = realpath(".", NULL);

		if (access(name, X_OK) < 0)
			return NULL;
		return name[0] == '/' || !dir ? kb_xstrdup(name)
					      : kb_xasprintf("%s/%s", dir, name);
	}
	for (char *dir = strtok_r(copy, ":", &save); dir;
	     dir = strtok_r(NULL, ":", &save)) {
		kb_auto(mem) char *full = kb_xasprintf("%s/%s", dir, name);

		if (dir[0] == '/' && !access(full, X_OK))
			return kb_steal(full);
	}
	return NULL;
}

/* The first directory on the way to `path` that others may not enter. */
static char *find_barrier(const char *path)
{
	kb_auto(mem) char *part = kb_xstrdup(path);
	struct stat st;

	for (char *p = strchr(part + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (stat(part, &st) < 0 || !(st.st_mode & S_IXOTH))
			return kb_steal(part);
		*p = '/';
	}
	return NULL;
}

char *kb_launch_barrier(const char *path)
{
	kb_auto(mem) char *real = realpath(path, NULL);
	char *barrier = find_barrier(path);

	return barrier || !real ? barrier : find_barrier(real);
}

/* To a torch that `pip install --user` has put there, which Python takes before
 * any other, unless it is one of an environment. */
static char *barrier_to_user_site(const char *python)
{
	kb_auto(mem) char *real = realpath(python, NULL);
	kb_auto(mem) char *base = kb_variables_user_base();
	kb_auto(mem) char *venv = kb_xasprintf(
		"%.*s/../pyvenv.cfg", (int)(strrchr(python, '/') - python),
		python);
	kb_auto(mem) char *torch = NULL;

	if (!real || !base || !access(venv, F_OK))
		return NULL;
	/* The program is called as its folder of packages, python3.11. */
	torch = kb_xasprintf("%s/lib/%s/site-packages/torch", base,
			     strrchr(real, '/') + 1);
	return access(torch, F_OK) < 0 ? NULL : kb_launch_barrier(torch);
}

void kb_launcher_choose_user(struct kb_launcher *l, bool torch, bool native)
{
	kb_auto(mem) char *barrier = NULL;
	const char *why_not;

	kb_launcher_keep_in_tmp(l);
	kb_root_release(&l->root);
	l->root_is_planned = false;
	l->granted = 0;
	free(l->other_user_why_not);
	l->other_user_why_not = NULL;
	if (l->unconfined) {
		l->other_user_why_not = kb_xstrdup("the sandbox is off");
		return;
	}
	why_not = kb_other_user_why_not();
	if (why_not) {
		l->other_user_why_not = kb_xstrdup(why_not);
		return;
	}
	barrier = kb_launch_barrier(l->scratch.root);
	if (!barrier && torch && l->python)
		barrier = kb_launch_barrier(l->python);
	if (!barrier && torch && l->python)
		barrier = barrier_to_user_site(l->python);
	if (!barrier && native && !l->cuda && l->cc)
		barrier = kb_launch_barrier(l->cc);
	if (!barrier && native && l->cuda && l->nvcc)
		barrier = kb_launch_barrier(l->nvcc);
	if (barrier)
		l->other_user_why_not = kb_xasprintf(
			"other users cannot read '%s'", barrier);
}

/* The toolkit's installer does not put it into PATH. */
static char *find_nvcc(void)
{
	const char *home = kb_variable("CUDA_HOME");
	kb_auto(mem) char *at_home = kb_xasprintf("%s/bin/nvcc",
						  home ? home : "");
	char *found = kb_find_program("nvcc");

	if (!found && home)
		found = kb_find_program(at_home);
	return found ? found : kb_find_program("/usr/local/cuda/bin/nvcc");
}

/* An empty option is none, as an empty variable is. */
static bool is_given(const char *program)
{
	return program && *program;
}

int kb_launcher_init(struct kb_launcher *l, const char *python,
		     const char *cc, const char *nvcc, struct kb_err *err)
{
	const char *chosen = is_given(python) ? python :
						kb_variable("KB_PYTHON");
	int ret;

	l->python_is_settled = chosen;
	l->python = kb_find_program(chosen ? chosen : "python3");
	if (!l->python && chosen)
		return kb_err(err, KB_ERR_MISSING,
			      "cannot run '%s' as the Python interpreter",
			      chosen);
	l->cc = kb_find_program(is_given(cc) ? cc : "cc");
	if (!l->cc && is_given(cc))
		return kb_err(err, KB_ERR_MISSING,
			      "cannot run '%s' as the C compiler", cc);
	l->nvcc = is_given(nvcc) ? kb_find_program(nvcc) : find_nvcc();
	if (!l->nvcc && is_given(nvcc))
		return kb_err(err, KB_ERR_MISSING,
			      "cannot run '%s' as the CUDA compiler", nvcc);
	ret = find_libexec(&l->libexec, err);
	if (ret < 0)
		return ret;
	ret = kb_scratch_open(&l->scratch, err);
	if (ret < 0)
		return ret;
	kb_cgroups_open(&l->groups);
	kb_launcher_choose_user(l, true, true);
	return 0;
}

void kb_launcher_release(struct kb_launcher *l)
{
	(void)kb_launched_end(&l->leaving);
	kb_launcher_end_server(l);
	kb_scratch_release(&l->scratch);
	kb_cgroups_release(&l->groups);
	free(l->libexec);
	free(l->python);
	free(l->python_tried);
	free(l->cc);
	free(l->nvcc);
	free(l->weights);
	free(l->cuda_visible);
	free(l->gpu_facts);
	free(l->other_user_why_not);
	kb_private_tmp_free(l->tmp_kept);
	kb_root_release(&l->root);
	*l = (struct kb_launcher)KB_LAUNCHER_INIT;
}

static int fill_work(const void *context, int work_fd, struct kb_err *err)
{
	const struct kb_launched *x = context;

	return kb_left_put(x->built, work_fd, x->other_user, err);
}

/* Who leads ranks sends descriptors as their user does, and ranks take half of this:
 * see kbrt_set_rank(). */
static struct kb_limits limits_of(const struct kb_launched *x,
				  const struct kb_launcher *l, uint64_t slot_bytes)
{
	struct kb_limits limits = kb_launcher_limits(l, slot_bytes);

	if (x->worker.ranks > 1)
		limits.files *= 2;
	return limits;
}

static int start_worker(struct kb_launched *x, struct kb_launcher *l,
			const char *const argv[], int program_fd,
			uint64_t slot_bytes, struct kb_err *err)
{
	kb_auto(env) char **env = kb_env_new(l, &x->dir);
	struct kb_private_tmp tmp;
	const struct kb_spawn spawn = {
		.argv = argv,
		.env = (const char *const *)env,
		.files = kb_launcher_files(l, slot_bytes != KB_NO_LIMIT,
					   &x->dir, &tmp),
		.program_fd = program_fd,
		.other_user = !l->other_user_why_not,
		.unconfined = l->unconfined,
		.loopback = x->worker.ranks > 1,
		.limits = limits_of(x, l, slot_bytes),
		.groups = &l->groups,
		.server = kb_launcher_server(l, argv),
		.fill = x->built ? fill_work : NULL,
		.fill_context = x,
	};
	int ret;

	x->other_user = spawn.other_user;
	x->worker.load_timeout_ns = l->load_timeout_ns;
	x->worker.run_timeout_ns = l->run_timeout_ns;
	ret = kb_worker_start(&x->worker, &spawn, l->log_limit_bytes, err);
	if (ret >= 0 && spawn.loopback)
		ret = kb_launcher_check_ranks(l, &x->worker.process, err);
	if (ret >= 0)
		ret = kb_launcher_note_features(l, &x->worker.process, err);
	return kb_err_or_1(ret);
}

/* The torch runtime, its library and the user's files, by fixed names. */
static int start_torch(struct kb_launched *x, struct kb_launcher *l,
		       const struct kb_launch_spec *spec, struct kb_err *err)
{
	const struct kb_source *problem = spec->problem;
	const struct kb_source *candidate = spec->candidate;
	kb_auto(mem) char *script = kb_xasprintf("%s/kb_torch.py", x->dir.code);
	kb_auto(mem) char *library = kb_xasprintf("%s/libkbrt.so", x->dir.code);
	kb_auto(mem) char *problem_py = kb_xasprintf("%s/problem.py",
						     x->dir.code);
	kb_auto(mem) char *candidate_py = kb_xasprintf("%s/candidate.py",
						       x->dir.code);
	/* A native problem has nothing to say to a Python candidate. */
	const bool in_python = problem->runtime == KB_RUNTIME_TORCH;
	kb_auto(mem) char *ranks = kb_xasprintf("%u", x->worker.ranks);
	struct kb_arguments a = { .argv = { l->python, "-B", script }, .count = 3 };
	int ret;

	if (!l->python)
		return kb_torch_missing(err);
	kb_arguments_add_torch(&a, l, problem->alternate, !candidate);
	if (spec->is_screened)
		kb_arguments_add(&a, "--screened");
	if (x->worker.ranks > 1)
		kb_arguments_add_option(&a, "--ranks", ranks);
	kb_arguments_add(&a, library);
	kb_arguments_add(&a, candidate ? "candidate" : "reference");
	kb_arguments_add(&a, in_python ? problem_py : "-");
	kb_arguments_add(&a, candidate ? candidate_py : NULL);
	ret = kb_torch_put(&x->dir, l, err);
	if (ret >= 0)
		ret = kb_scratch_copy(&x->dir, l->libexec, "libkbrt.so", err);
	if (ret >= 0 && in_python)
		ret = kb_scratch_put(&x->dir, "problem.py", problem->data,
				     problem->len, err);
	if (ret >= 0 && candidate)
		ret = kb_scratch_put(&x->dir, "candidate.py",
				     candidate->data, candidate->len, err);
	return ret < 0 ? ret
		       : start_worker(x, l, a.argv, -1, spec->slot_bytes, err);
}

/* Start a Python candidate in a copy of the files that its build left, if there
 * was a build. Returns 1, or 0 if it cannot be built. Fails otherwise. */
static int start_built(struct kb_launched *x, struct kb_launcher *l,
		       const struct kb_launch_spec *spec, struct kb_buf *log,
		       struct kb_fault *fault, struct kb_err *err)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	int ret;

	if (kb_prepared_find(&k, l, spec->candidate)) {
		kb_buf_addstr(log, k.log);
		if (kb_built_fault(fault, &k)) {
			fault->side = x->worker.side;
			return 0;
		}
		x->built = &k;
	}
	ret = start_torch(x, l, spec, err);
	x->built = NULL;
	return ret;
}

static int start_native(struct kb_launched *x, struct kb_launcher *l,
			const char *alternate, uint64_t slot_bytes,
			struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/kb-worker-native",
					       l->libexec);
	struct kb_arguments a = { .argv = { path }, .count = 1 };
	/* Opened here, because the root that the worker will have need not hold
	 * our libexec. */
	kb_auto(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	if (l->cuda)
		kb_arguments_add(&a, "--cuda");
	kb_arguments_add_option(&a, "--alternate", alternate);
	return start_worker(x, l, a.argv, fd, slot_bytes, err);
}

int kb_launch(struct kb_launched *x, struct kb_launcher *l,
	      const struct kb_launch_spec *spec, struct kb_buf *log,
	      struct kb_fault *fault, struct kb_err *err)
{
	/* The code that the worker is to run calls of. */
	const struct kb_source *code = spec->candidate ? spec->candidate
						       : spec->problem;
	int ret;

	x->worker.side = spec->candidate ? KB_SIDE_CANDIDATE : KB_SIDE_REFERENCE;
	x->worker.ranks = l->ranks;
	if (code->runtime != KB_RUNTIME_TORCH && l->ranks > 1) {
		kb_fault_set(fault, x->worker.side, KB_STATUS_LOAD_FAILED,
			     KB_PHASE_LOAD, "the code of ranks is in Python");
		return 0;
	}
	if (code->runtime != KB_RUNTIME_TORCH) {
		ret = kb_program_make(&x->program_fd, l, code, log, fault, err);
		if (!ret)
			fault->side = x->worker.side;
		if (ret <= 0)
			return ret;
	}
	ret = kb_scratch_make(&l->scratch, &x->dir, !l->other_user_why_not,
			      err);
	if (ret < 0)
		return ret;
	if (code->runtime != KB_RUNTIME_TORCH)
		return start_native(x, l, spec->candidate ?
				    NULL : spec->problem->alternate,
				    spec->slot_bytes, err);
	return spec->candidate ? start_built(x, l, spec, log, fault, err)
			       : start_torch(x, l, spec, err);
}

/* All candidates share the files, but not what one can change of them: the offset
 * of a descriptor, and as their owner the mode and the times. */
static int open_anew(int fd, struct kb_err *err)
{
	const struct timespec none[2] = { { 0, 0 }, { 0, 0 } };
	char path[sizeof("/proc/self/fd/") + 12];
	int fresh_fd;

	if (fchmod(fd, 0400) < 0 || futimens(fd, none) < 0)
		return kb_err_sys(err, "cannot reset a memory file");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fresh_fd = open(path, O_RDONLY | O_CLOEXEC);
	return fresh_fd >= 0 ? fresh_fd :
		kb_err_sys(err, "cannot open a memory file again");
}

static int load_from(struct kb_launched *x, const uint8_t seed[KB_SEED_BYTES],
		     int fds[], size_t count, struct kb_fault *fault,
		     struct kb_err *err)
{
	if (x->program_fd >= 0)
		fds[count++] = x->program_fd;
	return kb_worker_load(&x->worker, seed, fds, count, fault, err);
}

int kb_launched_load(struct kb_launched *x, const uint8_t seed[KB_SEED_BYTES],
		     const int of_ranks[], struct kb_fault *fault,
		     struct kb_err *err)
{
	const size_t count = 2 * (size_t)x->worker.ranks;
	int fds[2 * KB_RANKS_MAX + 1], ret = 0;
	size_t fresh = 0;

	memcpy(fds, of_ranks, count * sizeof(*fds));
	if (x->worker.side == KB_SIDE_REFERENCE)
		return load_from(x, seed, fds, count, fault, err);
	while (fresh < count && ret >= 0) {
		ret = open_anew(of_ranks[fresh], err);
		if (ret >= 0)
			fds[fresh++] = ret;
	}
	if (ret >= 0)
		ret = load_from(x, seed, fds, count, fault, err);
	while (fresh)
		close(fds[--fresh]);
	return ret;
}

int64_t kb_launched_end(struct kb_launched *x)
{
	const int64_t cpu_ns = kb_worker_end(&x->worker);

	kb_scratch_remove(&x->dir);
	if (x->program_fd >= 0)
		close(x->program_fd);
	*x = (struct kb_launched)KB_LAUNCHED_INIT;
	return cpu_ns;
}

void kb_launched_leave(struct kb_launched *x, struct kb_launcher *l)
{
	(void)kb_launched_end(&l->leaving);
	kb_process_kill(&x->worker.process);
	l->leaving = *x;
	*x = (struct kb_launched)KB_LAUNCHED_INIT;
}
