/* The environment, the limits and the files of a worker. */

#include "worker/build.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "worker/private_tmp.h"

/*
 * Names whose values a worker gets from us as they are: where the user's
 * own programs and libraries are. Everything else that a program may look
 * at is set here, the same for every worker.
 */
static const char *const inherited[] = {
	"PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONUSERBASE",
	"VIRTUAL_ENV", "CPATH", "LIBRARY_PATH", "CUDA_HOME",
	"CUDA_VISIBLE_DEVICES", "NIX_CC", "NIX_LDFLAGS", "NIX_CFLAGS_COMPILE",
};

/* Of these, lists of directories, and installations. What Python takes of a
 * user's own it says itself. */
static const char *const lists[] = {
	"PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "CPATH", "LIBRARY_PATH",
};
static const char *const prefixes[] = { "VIRTUAL_ENV", "CUDA_HOME" };

/* But of the devices a worker sees only the one that was chosen for it. */
static const char *value_of(const struct kb_launcher *l, const char *name)
{
	if (l->cuda_visible && !strcmp(name, "CUDA_VISIBLE_DEVICES"))
		return l->cuda_visible;
	return getenv(name);
}

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
		.root = l->root_is_planned ? &l->root : NULL,
	};
}

void kb_launcher_keep_in_tmp(struct kb_launcher *l)
{
	const char *paths[KB_ARRAY_LEN(inherited) + 5] = {
		l->scratch.root, l->python, l->cc, l->nvcc, l->weights,
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(inherited); i++)
		paths[5 + i] = getenv(inherited[i]);
	kb_private_tmp_free(l->tmp_kept);
	l->tmp_kept = kb_private_tmp_names(paths, KB_ARRAY_LEN(paths));
}

void kb_env_show(struct kb_root *r)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(lists); i++)
		kb_root_add_list(r, getenv(lists[i]));
	for (size_t i = 0; i < KB_ARRAY_LEN(prefixes); i++)
		kb_root_add_prefix(r, getenv(prefixes[i]));
}

/* Where it may write: under the same name in every worker, if it can be had.
 * The first of a run does not know yet. */
static const char *work_of(const struct kb_launcher *l,
			   const struct kb_scratch_dir *dir)
{
	return l->features & (1u << KB_FEATURE_PRIVATE_TMP) ? "/tmp"
							    : dir->work;
}

char **kb_env_new(const struct kb_launcher *l,
		  const struct kb_scratch_dir *dir)
{
	const char *work = work_of(l, dir);
	const char *set[][2] = {
		{ "HOME", work },
		{ "TMPDIR", work },
		{ "TORCH_EXTENSIONS_DIR", work },
		{ "TORCHINDUCTOR_CACHE_DIR", work },
		{ "TRITON_CACHE_DIR", work },
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
	char **env = kb_xcalloc(KB_ARRAY_LEN(inherited) + KB_ARRAY_LEN(set) +
				KB_ARRAY_LEN(thread_names) +
				KB_ARRAY_LEN(weights_names) + 3, sizeof(*env));
	size_t n = 0;

	/* What torch takes a device for that it sees; without one it does not
	 * know. */
	if (l->cuda)
		env[n++] = kb_xasprintf("TORCH_CUDA_ARCH_LIST=%d.%d+PTX",
					l->cuda_arch / 10, l->cuda_arch % 10);
	for (size_t i = 0; i < KB_ARRAY_LEN(inherited); i++) {
		const char *value = value_of(l, inherited[i]);

		if (value)
			env[n++] = kb_xasprintf("%s=%s", inherited[i], value);
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(set); i++)
		env[n++] = kb_xasprintf("%s=%s", set[i][0], set[i][1]);
	for (size_t i = 0; i < KB_ARRAY_LEN(thread_names); i++)
		env[n++] = kb_xasprintf("%s=%d", thread_names[i], l->threads);
	env[n++] = kb_xasprintf("MAX_JOBS=%d",
				l->max_jobs ? l->max_jobs : l->threads);
	for (size_t i = 0; i < KB_ARRAY_LEN(weights_names) && l->weights; i++)
		env[n++] = kb_xasprintf("%s=%s", weights_names[i], l->weights);
	return env;
}

void kb_env_free(char **env)
{
	if (!env)
		return;
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
	free(env);
}
