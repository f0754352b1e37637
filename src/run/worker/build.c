#include "worker/build.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "worker/task.h"

/*
 * The arguments between the compiler and the file name, and after it; see
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

void kb_build_blame(struct kb_fault *fault, const char *log, size_t len)
{
	const bool is_killed = fault->status == KB_STATUS_OUT_OF_MEMORY ||
			       fault->signal == SIGKILL;

	if (fault->status == KB_STATUS_TIMED_OUT)
		return;
	kb_fault_set(fault, KB_SIDE_REFERENCE, KB_STATUS_BUILD_FAILED,
		     KB_PHASE_BUILD, is_killed ? "the compiler was killed"
					       : "the compiler failed");
	if (!is_killed)
		kb_fault_explain(fault, 1, log, len);
}

int kb_build_check(const struct kb_launcher *l, enum kb_runtime runtime,
		   struct kb_fault *fault, struct kb_err *err)
{
	const bool is_cuda = runtime == KB_RUNTIME_CUDA;

	if (is_cuda != l->cuda) {
		kb_fault_set(fault, KB_SIDE_REFERENCE, KB_STATUS_BUILD_FAILED,
			     KB_PHASE_BUILD,
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

int kb_build_again(struct kb_task *t, struct kb_launcher *l,
		   struct kb_scratch_dir *dir, struct kb_err *err)
{
	const struct language *lang = l->cuda ? &cuda_cpp : &c;
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
	argv[n++] = KB_BUILD_OUTPUT;
	argv[n++] = path;
	argv[n++] = lang->library;
	argv[n] = NULL;
	return kb_err_or_1(kb_task_start(t, l, argv, dir, KB_PHASE_BUILD,
					 l->load_timeout_ns, err));
}

int kb_build_start(struct kb_task *t, struct kb_launcher *l,
		   const struct kb_source *source,
		   struct kb_scratch_dir *dir, struct kb_err *err)
{
	const struct language *lang = l->cuda ? &cuda_cpp : &c;
	int ret = kb_scratch_put(dir, lang->file_name, source->data,
				 source->len, err);

	if (ret >= 0)
		ret = kb_scratch_copy(dir, l->libexec, "kb_native.h", err);
	return ret < 0 ? ret : kb_build_again(t, l, dir, err);
}
