#include "worker/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "lib/tap.h"

static const struct kb_scratch_dir dir = { .work = (char[]){ "/scratch/1" } };

/* The value of a variable of workers, which have it once; NULL if they have
 * none. The caller's. */
static char *value_of(const struct kb_launcher *l, const char *name)
{
	kb_auto(env) char **env = kb_env_new(l, &dir);
	char *value = NULL;

	for (char **e = env; *e; e++)
		if (!strncmp(*e, name, strlen(name)) &&
		    (*e)[strlen(name)] == '=') {
			check(!value);
			free(value);
			value = kb_xstrdup(*e + strlen(name) + 1);
		}
	return value;
}

static void check_value(const struct kb_launcher *l, const char *name,
			const char *value)
{
	kb_auto(mem) char *got = value_of(l, name);

	check_str(got ? got : "none", value);
}

static void test_compilers_of_device_code_are_told_of_the_device(void)
{
	const struct kb_launcher cpu = { .threads = 3 };
	const struct kb_launcher gpu = {
		.threads = 3, .cuda = true, .cuda_arch = 90,
	};

	unsetenv("NVCC_PREPEND_FLAGS");
	check_value(&cpu, "TORCH_CUDA_ARCH_LIST", "none");
	check_value(&cpu, "THP_MEM_ALLOC_ENABLE", "none");
	check_value(&cpu, "NVCC_PREPEND_FLAGS", "none");
	check_value(&gpu, "TORCH_CUDA_ARCH_LIST", "9.0+PTX");
	check_value(&gpu, "THP_MEM_ALLOC_ENABLE", "1");
	check_value(&gpu, "NVCC_PREPEND_FLAGS", "--threads=2");
}

static void test_nvcc_is_told_what_the_user_says_after_our_words(void)
{
	const struct kb_launcher cpu = { .threads = 3 };
	const struct kb_launcher gpu = {
		.threads = 3, .cuda = true, .cuda_arch = 90,
	};

	setenv("NVCC_PREPEND_FLAGS", "-O1 --threads=4", 1);
	setenv("NVCC_APPEND_FLAGS", "-lineinfo", 1);
	check_value(&gpu, "NVCC_PREPEND_FLAGS", "--threads=2 -O1 --threads=4");
	check_value(&gpu, "NVCC_APPEND_FLAGS", "-lineinfo");
	check_value(&cpu, "NVCC_PREPEND_FLAGS", "-O1 --threads=4");
	setenv("NVCC_PREPEND_FLAGS", "", 1);
	check_value(&gpu, "NVCC_PREPEND_FLAGS", "--threads=2 ");
	unsetenv("NVCC_PREPEND_FLAGS");
	unsetenv("NVCC_APPEND_FLAGS");
	check_value(&gpu, "NVCC_PREPEND_FLAGS", "--threads=2");
	check_value(&gpu, "NVCC_APPEND_FLAGS", "none");
}

static void test_compilers_are_as_many_as_threads_unless_it_is_said(void)
{
	const struct kb_launcher silent = { .threads = 3 };
	const struct kb_launcher told = { .threads = 3, .max_jobs = 5 };

	check_value(&silent, "MAX_JOBS", "3");
	check_value(&told, "MAX_JOBS", "5");
	check_value(&told, "OMP_NUM_THREADS", "3");
}

static void test_a_worker_writes_where_it_may(void)
{
	struct kb_launcher l = { .threads = 1 };

	check_value(&l, "TORCH_EXTENSIONS_DIR", "/scratch/1");
	l.features = 1u << KB_FEATURE_PRIVATE_TMP;
	check_value(&l, "TORCH_EXTENSIONS_DIR", "/tmp");
}

static void test_compilers_keep_what_they_name_by_digests_apart(void)
{
	struct kb_launcher l = { .threads = 1 };

	check_value(&l, "TORCHINDUCTOR_CACHE_DIR", "/scratch/1/.cache/inductor");
	check_value(&l, "TRITON_CACHE_DIR", "/scratch/1/.cache/triton");
	l.features = 1u << KB_FEATURE_PRIVATE_TMP;
	check_value(&l, "TORCHINDUCTOR_CACHE_DIR", "/tmp/.cache/inductor");
	check_value(&l, "TRITON_CACHE_DIR", "/tmp/.cache/triton");
}

TAP_MAIN(
	TAP(test_compilers_of_device_code_are_told_of_the_device),
	TAP(test_nvcc_is_told_what_the_user_says_after_our_words),
	TAP(test_compilers_are_as_many_as_threads_unless_it_is_said),
	TAP(test_a_worker_writes_where_it_may),
	TAP(test_compilers_keep_what_they_name_by_digests_apart),
);
