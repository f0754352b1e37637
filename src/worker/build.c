#include "worker/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "worker/log.h"

#define PROGRAM_BYTES_MAX (256 << 20)

KB_DEFINE_CLEANUP(env, char **, kb_env_free);

/*
 * What stands between the compiler and the file name, and behind that; see
 * kb-native(7). "ARCH" stands for the device's architecture.
 */
static const struct language {
	const char *file_name;
	const char *flags[16];
	const char *library;
} c = {
	.file_name = "code.c",
	.flags = { "-std=gnu11", "-O3", "-march=native", "-fPIC", "-shared",
		   "-fopenmp" },
	.library = "-lm",
}, cuda_cpp = {
	.file_name = "code.cu",
	.flags = { "-std=c++17", "-O3", "ARCH", "-Xcompiler", "-fPIC",
		   "-shared", "-cudart", "static" },
};

/* With "a", from Hopper on: all that this very device has. */
static char *arch_flag(const struct kb_launcher *l)
{
	const char *all = l->cuda_arch >= 90 ? "a" : "";

	return kb_xasprintf("-gencode=arch=compute_%d%s,code=sm_%d%s",
			    l->cuda_arch, all, l->cuda_arch, all);
}

char *kb_native_build_flags(const struct kb_launcher *l)
{
	const struct language *lang = l->cuda ? &cuda_cpp : &c;
	kb_auto(mem) char *arch = arch_flag(l);
	struct kb_buf text = KB_BUF_INIT;

	for (const char *const *flag = lang->flags; *flag; flag++)
		kb_buf_addf(&text, "%s%s", flag == lang->flags ? "" : " ",
			    strcmp(*flag, "ARCH") ? *flag : arch);
	if (lang->library)
		kb_buf_addf(&text, " %s", lang->library);
	return kb_buf_detach(&text);
}

static int await_end(struct kb_process *p, int log_fd, int64_t timeout_ns,
		     struct kb_fault *fault, struct kb_err *err)
{
	const int64_t deadline_ns = kb_clock_ns() + timeout_ns;
	int ret;

	while ((ret = kb_process_wait(p, kb_clock_ns() + 50 * KB_NS_PER_MS,
				      err)) > 0) {
		if (kb_interrupted())
			return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
		if (kb_log_full(log_fd)) {
			kb_fault_set(fault, KB_STATUS_OUTPUT_LIMIT,
				     KB_PHASE_BUILD,
				     "printed more than allowed");
			return 0;
		}
		if (kb_clock_ns() >= deadline_ns) {
			kb_fault_set(fault, KB_STATUS_TIMED_OUT,
				     KB_PHASE_BUILD, "not built within %lld s",
				     (long long)(timeout_ns / KB_NS_PER_S));
			return 0;
		}
	}
	if (ret < 0)
		return ret;
	if (p->wait_status == 0)
		return 1;
	kb_fault_set(fault, KB_STATUS_BUILD_FAILED, KB_PHASE_BUILD,
		     "the compiler failed");
	return 0;
}

int kb_build_run(struct kb_launcher *l, const char *const argv[],
		 const struct kb_scratch_dir *dir, struct kb_buf *log,
		 struct kb_fault *fault, struct kb_err *err)
{
	kb_auto(env) char **env = kb_env_new(l, dir);
	struct kb_process p = KB_PROCESS_INIT;
	kb_auto(fd) int log_fd = -1;
	bool truncated;
	int ret;

	ret = kb_log_open(&log_fd, l->log_limit_bytes, err);
	if (ret < 0)
		return ret;

	const struct kb_spawn spawn = {
		.argv = argv,
		.env = (const char *const *)env,
		.scratch = dir->work,
		.program_fd = -1,
		.channel_fd = -1,
		.log_fd = log_fd,
		.other_user = !l->other_user_why_not,
		.limits = kb_launcher_limits(l, 0),
	};

	ret = kb_process_start(&p, &spawn, err);
	if (ret < 0)
		return ret;
	ret = await_end(&p, log_fd, l->load_timeout_ns, fault, err);
	l->features = p.features;
	kb_process_end(&p);
	kb_log_read(log, log_fd, &truncated);
	return ret;
}

/* A private, sealed copy of what the compiler left behind, which is as
 * hostile as the source. */
static int take_program(int *out, const struct kb_scratch_dir *dir,
			struct kb_fault *fault, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/out.so", dir->work);
	kb_auto(fd) int from = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC |
				    O_NONBLOCK);
	kb_auto(fd) int fd = -1;
	struct stat st;

	if (from < 0 || fstat(from, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size <= 0 || st.st_size > PROGRAM_BYTES_MAX) {
		kb_fault_set(fault, KB_STATUS_BUILD_FAILED, KB_PHASE_BUILD,
			     "the compiler left no shared object");
		return 0;
	}

	fd = memfd_create("kb-program", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return kb_err_sys(err, "cannot make a memory file");
	for (off_t left = st.st_size; left > 0;) {
		ssize_t n = sendfile(fd, from, NULL, (size_t)left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return kb_err_sys(err, "cannot copy '%s'", path);
		left -= n;
	}
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE |
		  F_SEAL_SEAL) < 0)
		return kb_err_sys(err, "cannot seal a memory file");

	*out = fd;
	fd = -1;
	return 1;
}

/* Each device has a language of its own, and a compiler. */
static int check_source(const struct kb_launcher *l, enum kb_runtime runtime,
			struct kb_fault *fault, struct kb_err *err)
{
	const bool is_cuda = runtime == KB_RUNTIME_CUDA;

	if (is_cuda != l->cuda) {
		kb_fault_set(fault, KB_STATUS_BUILD_FAILED, KB_PHASE_BUILD,
			     is_cuda ? "CUDA C++ does not run on the CPU"
				     : "C does not run on a CUDA device");
		return 0;
	}
	if (is_cuda && !l->nvcc)
		return kb_err(err, KB_ERR_MISSING,
			      "no compiler for CUDA C++: there is no 'nvcc' in "
			      "PATH or '/usr/local/cuda/bin'");
	if (!is_cuda && !l->cc)
		return kb_err(err, KB_ERR_MISSING,
			      "no C compiler for native code: there is no "
			      "'cc' in PATH");
	return 1;
}

static int compile(struct kb_launcher *l, const struct language *lang,
		   const struct kb_scratch_dir *dir, struct kb_buf *log,
		   struct kb_fault *fault, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", dir->code,
					       lang->file_name);
	kb_auto(mem) char *include = kb_xasprintf("-I%s", dir->code);
	kb_auto(mem) char *arch = arch_flag(l);
	const char *argv[KB_ARRAY_LEN(lang->flags) + 8];
	size_t n = 0;

	argv[n++] = lang == &cuda_cpp ? l->nvcc : l->cc;
	for (const char *const *flag = lang->flags; *flag; flag++)
		argv[n++] = strcmp(*flag, "ARCH") ? *flag : arch;
	argv[n++] = include;
	argv[n++] = "-o";
	argv[n++] = "out.so";
	argv[n++] = path;
	argv[n++] = lang->library;
	argv[n] = NULL;
	return kb_build_run(l, argv, dir, log, fault, err);
}

int kb_build_native(int *program_fd, struct kb_launcher *l,
		    const struct kb_source *source, struct kb_buf *log,
		    struct kb_fault *fault, struct kb_err *err)
{
	kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
	const struct language *lang = l->cuda ? &cuda_cpp : &c;
	int ret = check_source(l, source->runtime, fault, err);

	if (ret <= 0)
		return ret;
	ret = kb_scratch_make(&l->scratch, &dir, !l->other_user_why_not, err);
	if (ret >= 0)
		ret = kb_scratch_put(&dir, lang->file_name, source->data,
				     source->len, err);
	if (ret >= 0)
		ret = kb_scratch_copy(&dir, l->libexec, "kb_native.h", err);
	if (ret >= 0)
		ret = compile(l, lang, &dir, log, fault, err);
	return ret <= 0 ? ret : take_program(program_fd, &dir, fault, err);
}
