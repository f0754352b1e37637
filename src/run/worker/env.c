/* The environment, the limits and the files of a worker. */

#include "worker/build.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "confine/confine.h"
#include "confine/private_tmp.h"
#include "confine/process.h"
#include "worker/variables.h"

/* Enough for any extension module; what a worker may leave in its scratch
 * directory, file by file. */
#define FILE_BYTES (UINT64_C(1) << 30)

/* And in all, where that can be had. */
#define WORK_BYTES (UINT64_C(2) << 30)
#define WORK_FILES 65536

struct kb_limits kb_launcher_limits(const struct kb_launcher *l,
				    uint64_t slot_bytes)
{
	const bool limited = slot_bytes != KB_NO_LIMIT;

	return (struct kb_limits){
		/* CUDA reserves more addresses than there is memory. */
		.address_bytes = limited && !l->cuda ?
			l->memory_bytes + slot_bytes : 0,
		.memory_bytes = limited ? l->memory_bytes + slot_bytes : 0,
		.file_bytes = limited ? FILE_BYTES : 0,
		.processes = 4096 + 64 * (uint64_t)l->threads,
		.files = 4096,
	};
}

int kb_launcher_note_features(struct kb_launcher *l, struct kb_process *p,
			      struct kb_err *err)
{
	/* A control group that cannot be made is an error of its own. */
	const uint32_t of_groups = 1u << KB_FEATURE_CGROUP_MEMORY |
				   1u << KB_FEATURE_CGROUP_PIDS;
	const uint32_t lost = l->granted & ~p->features & ~of_groups;
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;

	if (!lost) {
		l->features = p->features;
		l->granted |= p->features;
		return 0;
	}
	kb_process_end(p);
	kb_features_missing(&names, ~lost, true);
	return kb_err(err, KB_ERR_SYS, "a worker would be confined less than "
		      "those before it, without: %s", names.data);
}

int kb_launcher_check_ranks(const struct kb_launcher *l, struct kb_process *p,
			    struct kb_err *err)
{
	if (l->unconfined || p->features & (1u << KB_FEATURE_NET_NAMESPACE))
		return 0;
	kb_process_end(p);
	return kb_err(err, KB_ERR_MISSING,
		      "several ranks want a network namespace of their own, "
		      "which cannot be had here: run kb as root, or where users "
		      "may have namespaces");
}

/* A large build with all that it makes on the way; never a quarter of memory. */
static uint64_t work_bytes(void)
{
	const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) *
				(uint64_t)sysconf(_SC_PAGESIZE);

	return memory / 4 < WORK_BYTES ? memory / 4 : WORK_BYTES;
}

struct kb_files kb_launcher_files(const struct kb_launcher *l, bool limited,
				  const struct kb_scratch_dir *dir,
				  struct kb_private_tmp *tmp)
{
	*tmp = (struct kb_private_tmp){
		.root = l->scratch.root, .code = dir->code,
		.kept = (const char *const *)l->tmp_kept,
	};
	return (struct kb_files){
		.work_bytes = limited ? work_bytes() : 0,
		.work_files = limited ? WORK_FILES : 0,
		.scratch = dir->work, .tmp = l->tmp_kept ? tmp : NULL,
		.root = l->root_is_planned && !l->unconfined ? &l->root : NULL,
	};
}

void kb_launcher_keep_in_tmp(struct kb_launcher *l)
{
	const char *const own[] = { l->scratch.root, l->python, l->cc, l->nvcc,
				    l->weights };
	char **variables = kb_variables_new();
	const char **paths;
	size_t n = 0;

	while (variables[n])
		n++;
	paths = kb_xcalloc(n + KB_ARRAY_LEN(own), sizeof(*paths));
	memcpy(paths, own, sizeof(own));
	for (size_t i = 0; i < n; i++)
		paths[KB_ARRAY_LEN(own) + i] = strchr(variables[i], '=') + 1;
	kb_private_tmp_free(l->tmp_kept);
	l->tmp_kept = kb_private_tmp_names(paths, n + KB_ARRAY_LEN(own));
	free(paths);
	kb_variables_free(variables);
}

/* Where it may write: under the same name in every worker, if it can be had.
 * The first of a run does not know yet. */
static const char *work_of(const struct kb_launcher *l,
			   const struct kb_scratch_dir *dir)
{
	return l->features & (1u << KB_FEATURE_PRIVATE_TMP) ? "/tmp"
							    : dir->work;
}

/* Let nvcc translate both halves of a source at the same time, to the same
 * object. Options of the user and of the code's own command line come later,
 * and count. Returns how many variables there are now. */
static size_t set_nvcc_flags(char **env, size_t n)
{
	static const char name[] = "NVCC_PREPEND_FLAGS";
	const char *told = getenv(name);
	size_t i = 0;

	while (i < n && (strncmp(env[i], name, strlen(name)) ||
			 env[i][strlen(name)] != '='))
		i++;
	if (i < n)
		free(env[i]);
	env[i] = kb_xasprintf("%s=--threads=2%s%s", name, told ? " " : "",
			      told ? told : "");
	return i < n ? n : n + 1;
}

#define DEVICE_NAMES 4			/* of the next function's variables */

/* Returns how many variables there are now. */
static size_t set_device(const struct kb_launcher *l, char **env, size_t n)
{
	/* A worker sees only the device that was chosen for it. */
	const char *devices = l->cuda_visible ? l->cuda_visible
					      : getenv("CUDA_VISIBLE_DEVICES");

	if (devices)
		env[n++] = kb_xasprintf("CUDA_VISIBLE_DEVICES=%s", devices);
	if (!l->cuda)
		return n;
	/* The architecture of the device that torch sees. Without a device
	 * torch does not know one. */
	env[n++] = kb_xasprintf("TORCH_CUDA_ARCH_LIST=%d.%d+PTX",
				l->cuda_arch / 10, l->cuda_arch % 10);
	/* In pages of 4 KiB a layer of 4 GiB that is filled on the CPU waits for
	 * a million faults. Times by the CPU's clock stay as they were. */
	env[n++] = kb_xstrdup("THP_MEM_ALLOC_ENABLE=1");
	return set_nvcc_flags(env, n);
}

/* Ranks compute side by side. */
static int threads_of_each(const struct kb_launcher *l)
{
	const int ranks = l->ranks > 1 ? (int)l->ranks : 1;

	return l->threads > ranks ? l->threads / ranks : 1;
}

char **kb_env_of(const struct kb_launcher *l, const char *work)
{
	/* Inductor names folders by two letters of a digest, and in /tmp there
	 * may be one of that name that is kept and not writable. */
	kb_auto(mem) char *inductor = kb_xasprintf("%s/.cache/inductor", work);
	kb_auto(mem) char *triton = kb_xasprintf("%s/.cache/triton", work);
	const char *set[][2] = {
		{ "HOME", work },
		{ "TMPDIR", work },
		{ "TORCH_EXTENSIONS_DIR", work },
		{ "TORCHINDUCTOR_CACHE_DIR", inductor },
		{ "TRITON_CACHE_DIR", triton },
		{ "CUDA_CACHE_PATH", work },
		{ "USER", "kb" },	/* the worker's has no name */
		{ "LC_ALL", "C.UTF-8" },
		{ "PYTHONDONTWRITEBYTECODE", "1" },
		{ "PYTHONHASHSEED", "0" },
		{ "PYTHONUNBUFFERED", "1" },
		/* There is no network to try first. */
		{ "HF_HUB_OFFLINE", "1" },
		/* Else glibc returns large temporaries to the kernel and
		 * every call pays for their pages again. */
		{ "MALLOC_MMAP_THRESHOLD_", "33554432" },
		{ "MALLOC_TRIM_THRESHOLD_", "268435456" },
	};
	const char *const thread_names[] = {
		"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
	};
	/* The second is for files that name a model of the hub, KernelBench's
	 * own: then the folder is a cache. */
	const char *const weights_names[] = { "KB_WEIGHTS", "HF_HUB_CACHE" };
	char **env = kb_variables_new();
	size_t n = 0;

	while (env[n])
		n++;
	env = kb_xreallocarray(env, n + KB_ARRAY_LEN(set) +
			       KB_ARRAY_LEN(thread_names) +
			       KB_ARRAY_LEN(weights_names) + DEVICE_NAMES + 2,
			       sizeof(*env));

	n = set_device(l, env, n);
	for (size_t i = 0; i < KB_ARRAY_LEN(set); i++)
		env[n++] = kb_xasprintf("%s=%s", set[i][0], set[i][1]);
	for (size_t i = 0; i < KB_ARRAY_LEN(thread_names); i++)
		env[n++] = kb_xasprintf("%s=%d", thread_names[i],
					 threads_of_each(l));
	env[n++] = kb_xasprintf("MAX_JOBS=%d",
				l->max_jobs ? l->max_jobs : l->threads);
	for (size_t i = 0; i < KB_ARRAY_LEN(weights_names) && l->weights; i++)
		env[n++] = kb_xasprintf("%s=%s", weights_names[i], l->weights);
	env[n] = NULL;
	return env;
}

char **kb_env_new(const struct kb_launcher *l,
		  const struct kb_scratch_dir *dir)
{
	return kb_env_of(l, work_of(l, dir));
}

void kb_env_free(char **env)
{
	kb_variables_free(env);
}
