#include "device/gpu_health.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/nvml.h"
#include "fake-nvml/fake_nvml.h"
#include "lib/tap.h"

KB_DEFINE_CLEANUP(nvml, struct kb_nvml *, kb_nvml_close);

static struct kb_nvml *open_fake(const char *name)
{
	struct kb_nvml *n = NULL;

	if (kb_nvml_open_at(&n, fake_nvml_path(name), fake_nvml_uuid, NULL) < 0)
		KB_BUG("cannot open the stand-in");
	return n;
}

static void check_health(const struct kb_gpu_health *h, int64_t errors,
			 int64_t pending, int64_t failed)
{
	check_int(h->uncorrected_errors, errors);
	check_int(h->replacement_pending, pending);
	check_int(h->replacement_failed, failed);
}

static void test_without_nvml_all_is_unknown(void)
{
	struct kb_gpu_health h;

	check_int(kb_gpu_health_look(&h, NULL, NULL), 0);
	check_health(&h, -1, -1, -1);
	check_int(kb_gpu_health_compare(&h, &h, NULL), 0);
}

static void test_what_nvml_tells_is_told(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	struct kb_gpu_health h;

	check_int(kb_gpu_health_look(&h, n, NULL), 0);
	check_health(&h, 0, 0, 0);
	fake->errors = 3;
	fake->rows_pending = 1;
	fake->rows_failed = 1;
	check_int(kb_gpu_health_look(&h, n, NULL), 0);
	check_health(&h, 3, 1, 1);
}

static void test_pages_are_asked_for_where_there_are_no_rows(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *old = NULL;
	struct kb_gpu_health h;

	fake->pages_pending = 1;
	check_int(kb_gpu_health_look(&h, n, NULL), 0);
	check_health(&h, 0, 0, 0);
	fake->rows_result = FAKE_NVML_NOT_SUPPORTED;
	check_int(kb_gpu_health_look(&h, n, NULL), 0);
	check_health(&h, 0, 1, -1);

	fake_nvml_reset(FAKE_NVML_OLD)->pages_pending = 1;
	old = open_fake(FAKE_NVML_OLD);
	check_int(kb_gpu_health_look(&h, old, NULL), 0);
	check_health(&h, 0, 1, -1);
}

static void check_look_fails(int result, const char *want)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	struct kb_err err = KB_ERR_INIT;
	struct kb_gpu_health h;

	fake->result = result;
	check_int(kb_gpu_health_look(&h, n, &err),
		  want ? -KB_ERR_DEVICE : 0);
	check_str(err.msg, want ? want : "");
}

static void test_a_lost_gpu_is_bad_and_a_shy_one_is_not(void)
{
	check_look_fails(FAKE_NVML_GPU_IS_LOST,
			 "'nvmlDeviceGetTotalEccErrors' fails: GPU is lost");
	check_look_fails(FAKE_NVML_RESET_REQUIRED,
			 "'nvmlDeviceGetTotalEccErrors' fails: GPU requires "
			 "reset");
	check_look_fails(FAKE_NVML_NO_PERMISSION, NULL);
	check_look_fails(FAKE_NVML_NOT_SUPPORTED, NULL);
}

static void test_processes_that_have_ended_are_counted(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	struct kb_gpu_health before, now;
	const pid_t pid = fork();

	if (!pid)
		_exit(0);
	check(pid > 0 && waitpid(pid, NULL, 0) == pid);
	fake->pids[0] = (unsigned)pid;
	fake->pids[1] = 1;
	fake->pid_count = 2;
	check_int(kb_gpu_health_look(&before, n, NULL), 0);
	/* In a namespace where this process is not what it is here. */
	check_int(before.dead_processes, KB_NVML_UNKNOWN);
	fake->pids[0] = (unsigned)getpid();
	check_int(kb_gpu_health_look(&before, n, NULL), 0);
	check_int(before.dead_processes, 0);
	fake->pids[2] = (unsigned)pid;
	fake->pid_count = 3;
	check_int(kb_gpu_health_look(&now, n, NULL), 0);
	check_int(now.dead_processes, 1);
	check(kb_gpu_health_may_mend(&before, &now));
	check(!kb_gpu_health_may_mend(&now, &before));
}

static void test_what_was_there_before_is_not_bad(void)
{
	static const struct {
		struct kb_gpu_health before, now;
		const char *want;	/* NULL: it is as good as it was */
	} cases[] = {
		{ { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, NULL },
		{ { 2, 1, 1, 1 }, { 2, 1, 1, 1 }, NULL },
		{ { 2, 1, 1, 1 }, { 0, 0, 0, 0 }, NULL },
		{ { -1, -1, -1, -1 }, { 5, 1, 1, 1 }, NULL },
		{ { 5, 0, 0, 0 }, { -1, -1, -1, -1 }, NULL },
		{ { 2, 0, 0, 0 }, { 3, 1, 1, 1 },
		  "the GPU has gone bad: uncorrected errors of its memory: 3, "
		  "and 2 before" },
		{ { 0, 0, 0, 0 }, { 0, 0, 1, 1 },
		  "the GPU has gone bad: memory that failed cannot be "
		  "replaced" },
		{ { 0, 0, 0, 0 }, { 0, 1, 0, 1 },
		  "the GPU has gone bad: memory that failed waits for a reset "
		  "to be replaced" },
		{ { 0, 0, 0, 1 }, { 0, 0, 0, 3 },
		  "the GPU stays occupied: processes that have ended and are "
		  "still on it: 3, and 1 before" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_err err = KB_ERR_INIT;
		int ret = kb_gpu_health_compare(&cases[i].before,
						&cases[i].now, &err);

		check_int(ret, cases[i].want ? -KB_ERR_DEVICE : 0);
		check_str(err.msg, cases[i].want ? cases[i].want : "");
	}
}

TAP_MAIN(TAP(test_without_nvml_all_is_unknown),
	 TAP(test_what_nvml_tells_is_told),
	 TAP(test_pages_are_asked_for_where_there_are_no_rows),
	 TAP(test_a_lost_gpu_is_bad_and_a_shy_one_is_not),
	 TAP(test_processes_that_have_ended_are_counted),
	 TAP(test_what_was_there_before_is_not_bad));
