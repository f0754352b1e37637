#include "worker/task.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "base/pause.h"
#include "confine/below.h"
#include "confine/log.h"
#include "confine/private_tmp.h"
#include "worker/build.h"

/* Builds go beside what is measured, and a candidate that compiles while it is
 * measured holds up a device. */
#define BUILD_NICENESS 10

/* The limit of a user's processes counts candidates' processes, too. A
 * candidate at its limit must leave a compiler some. */
#define BUILD_PROCESSES_TIMES 2

/* How often a wait looks whether the user has had enough. */
#define LOOK_NS (50 * KB_NS_PER_MS)

/* Beyond the end of the process. */
static void take_work(struct kb_task *t, struct kb_scratch_dir *dir)
{
	if (dir->work_fd > 0)
		close(dir->work_fd);
	dir->work_fd = fcntl(t->process.work_fd, F_DUPFD_CLOEXEC, 3);
}

int kb_task_start(struct kb_task *t, struct kb_launcher *l,
		  const char *const argv[], struct kb_scratch_dir *dir,
		  enum kb_phase phase, int64_t timeout_ns, struct kb_err *err)
{
	kb_auto(env) char **env = kb_env_new(l, dir);
	struct kb_private_tmp tmp;
	int ret;

	*t = (struct kb_task){
		.process = KB_PROCESS_INIT, .log_fd = -1, .hidden = t->hidden,
		.quiet_ns = t->quiet_ns, .unlimited = t->unlimited,
	};
	ret = kb_log_open(&t->log_fd, l->log_limit_bytes, err);
	if (ret < 0)
		return ret;

	struct kb_spawn spawn = {
		.argv = argv,
		.env = (const char *const *)env,
		.files = kb_launcher_files(l, true, dir, &tmp),
		.program_fd = -1,
		.channel_fd = -1,
		.log_fd = t->log_fd,
		.other_user = !l->other_user_why_not,
		.unconfined = l->unconfined,
		.loopback = phase == KB_PHASE_RUN && l->ranks > 1,
		.limits = kb_launcher_limits(l, t->unlimited ? KB_NO_LIMIT
							     : 0),
		.groups = &l->groups,
		.server = kb_launcher_server(l, argv),
	};

	spawn.files.hidden = t->hidden;
	if (phase == KB_PHASE_BUILD) {
		spawn.limits.niceness = BUILD_NICENESS;
		spawn.limits.processes *= BUILD_PROCESSES_TIMES;
	}
	t->phase = phase;
	ret = kb_process_start(&t->process, &spawn, err);
	if (ret >= 0)
		ret = kb_launcher_note_features(l, &t->process, err);
	if (ret >= 0 && spawn.loopback)
		ret = kb_launcher_check_ranks(l, &t->process, err);
	if (ret < 0)
		return ret;
	take_work(t, dir);
	kb_limit_begin(&t->limit, kb_awake_ns(), t->quiet_ns, timeout_ns);
	return 0;
}

static int blame_end(const struct kb_task *t, struct kb_fault *fault)
{
	const char *why = kb_process_out_of_memory(&t->process);

	kb_fault_of_end(fault, KB_SIDE_REFERENCE, t->process.wait_status,
			t->phase);
	/* SIGKILL alone is what the kernel ends processes by for want of
	 * memory; a compiler that fails says so by its exit status. */
	if (fault->signal == SIGKILL && why)
		kb_fault_set(fault, KB_SIDE_REFERENCE, KB_STATUS_OUT_OF_MEMORY,
			     t->phase, "%s", why);
	return KB_TASK_FAILED;
}

static int64_t check_time(struct kb_task *t)
{
	const int64_t now_ns = kb_awake_ns();

	if (kb_limit_wants_look(&t->limit, now_ns))
		kb_limit_note(&t->limit, now_ns,
			      kb_is_busy_below(t->process.monitor, 1));
	return kb_limit_over_ns(&t->limit, now_ns);
}

/* As kb_task_poll(), and wait until `until_ns` for an end. */
static int look_task(struct kb_task *t, int64_t until_ns,
		     struct kb_fault *fault, struct kb_err *err)
{
	const int ret = kb_process_wait(&t->process, until_ns, err);
	int64_t over_ns;

	if (ret < 0)
		return ret;
	if (!ret)
		return t->process.wait_status ? blame_end(t, fault)
					      : KB_TASK_DONE;
	if (kb_interrupted())
		return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
	over_ns = check_time(t);
	if (over_ns) {
		kb_fault_set(fault, KB_SIDE_REFERENCE, KB_STATUS_TIMED_OUT,
			     t->phase, "not done within %lld s",
			     (long long)(over_ns / KB_NS_PER_S));
		return KB_TASK_FAILED;
	}
	return KB_TASK_RUNNING;
}

int kb_task_poll(struct kb_task *t, struct kb_fault *fault, struct kb_err *err)
{
	return look_task(t, 0, fault, err);
}

int kb_task_wait(struct kb_task *t, struct kb_fault *fault, struct kb_err *err)
{
	int ret;

	do
		ret = look_task(t, kb_clock_ns() + LOOK_NS, fault, err);
	while (ret == KB_TASK_RUNNING);
	return ret;
}

void kb_task_printed(struct kb_task *t, struct kb_buf *out, bool *truncated)
{
	kb_process_end(&t->process);
	kb_log_read(out, t->log_fd, truncated);
}

void kb_task_log(struct kb_task *t, struct kb_buf *log, bool *truncated)
{
	kb_task_printed(t, log, truncated);
	kb_log_refused(log, &t->process.refused);
}

void kb_task_end(struct kb_task *t)
{
	kb_process_end(&t->process);
	if (t->log_fd >= 0)
		close(t->log_fd);
	*t = (struct kb_task)KB_TASK_INIT;
}
