#include "worker/building.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "confine/left.h"
#include "manifest/status.h"
#include "store/kept.h"
#include "worker/build.h"
#include "worker/reason.h"
#include "worker/torch.h"

#define PROGRAM_MIB_MAX 256

/* How src/run/runtime/torch/kb_torch_build.py ends. */
#define EXIT_COMPILER_FAILED 5
#define EXIT_IN_THE_WAY 6

static bool is_native(const struct kb_building *b)
{
	return b->runtime != KB_RUNTIME_TORCH;
}

static int start_native(struct kb_building *b, const struct kb_source *code,
			struct kb_err *err)
{
	int ret = kb_build_check(b->launcher, code->runtime, &b->fault, err);

	if (ret <= 0)
		return ret;
	ret = kb_scratch_make(&b->launcher->scratch, &b->dir,
			      !b->launcher->other_user_why_not, err);
	return ret < 0 ? ret :
		kb_build_start(&b->task, b->launcher, code, &b->dir, err);
}

/* See kb_torch_headers.py. */
static int put_headers(struct kb_building *b, struct kb_err *err)
{
	static const char *const files[] = { KB_HEADERS_FILES };
	const char *dir = b->launcher->headers;
	int ret = 0;

	for (size_t i = 0; i < KB_ARRAY_LEN(files) && dir && ret >= 0; i++) {
		kb_auto(mem) char *path = kb_xasprintf("%s/%s", dir, files[i]);

		ret = kb_scratch_link(&b->dir, files[i], path, err);
	}
	return ret;
}

static int start_import(struct kb_building *b, const struct kb_source *code,
			const struct kb_source *problem, struct kb_err *err)
{
	struct kb_scratch_dir *dir = &b->dir;
	struct kb_launcher *l = b->launcher;
	kb_auto(mem) char *script = kb_xasprintf("%s/kb_torch_build.py",
						 dir->code);
	kb_auto(mem) char *candidate_py = kb_xasprintf("%s/candidate.py",
						       dir->code);
	kb_auto(mem) char *problem_py = kb_xasprintf("%s/problem.py",
						     dir->code);
	struct kb_arguments a = { .argv = { l->python, "-B", script }, .count = 3 };
	int ret;

	if (!l->python)
		return kb_torch_missing(err);
	kb_arguments_add_option(&a, "--device", l->gpu_facts);
	kb_arguments_add_torch(&a, l, NULL, false);
	kb_arguments_add(&a, candidate_py);
	kb_arguments_add(&a, problem_py);
	ret = kb_torch_put(dir, l, err);
	if (ret >= 0)
		ret = put_headers(b, err);
	if (ret >= 0)
		ret = kb_scratch_put(dir, "candidate.py", code->data,
				     code->len, err);
	if (ret >= 0)
		ret = kb_scratch_put(dir, "problem.py", problem->data,
				     problem->len, err);
	return ret < 0 ? ret :
		kb_err_or_1(kb_task_start(&b->task, l, a.argv, dir, KB_PHASE_BUILD,
					  l->load_timeout_ns, err));
}

/* A process that could open a device would not build without one; and where
 * the names in its files are not those that a worker sees, they are of no
 * use. */
static int start_torch(struct kb_building *b, const struct kb_source *code,
		       const struct kb_source *problem,
		       const char *const devices[], struct kb_err *err)
{
	struct kb_launcher *l = b->launcher;
	int ret;

	if (!(l->features & (1u << KB_FEATURE_PRIVATE_TMP))) {
		b->why_not = kb_xstrdup("workers have no /tmp of their own");
		return 0;
	}
	ret = kb_scratch_make(&l->scratch, &b->dir, !l->other_user_why_not,
			      err);
	if (ret < 0)
		return ret;
	b->task.hidden = devices;
	b->task.quiet_ns = l->quiet_build_ns;
	return start_import(b, code, problem, err);
}

int kb_building_start(struct kb_building *b, struct kb_launcher *l,
		      const struct kb_source *code,
		      const struct kb_source *problem,
		      const char *const devices[], struct kb_err *err)
{
	b->launcher = l;
	b->runtime = code->runtime;
	return is_native(b) ? start_native(b, code, err)
			    : start_torch(b, code, problem, devices, err);
}

/* By somebody outside: an operator, or what kills for a machine's sake. Of Python
 * it is built where it runs. */
static bool is_killed(const struct kb_building *b)
{
	return is_native(b) && b->fault.status == KB_STATUS_CRASHED &&
	       b->fault.signal == SIGKILL;
}

/* The task has ended. Returns 1 if it runs again. */
static int look_at_end(struct kb_building *b, int state, struct kb_err *err)
{
	if (state == KB_TASK_DONE) {
		b->fault.status = KB_STATUS_CORRECT;
		return 0;
	}
	if (b->was_killed || !is_killed(b))
		return 0;
	b->was_killed = true;
	kb_task_end(&b->task);
	return kb_build_again(&b->task, b->launcher, &b->dir, err);
}

int kb_building_poll(struct kb_building *b, struct kb_err *err)
{
	const int ret = kb_task_poll(&b->task, &b->fault, err);

	if (ret < 0 || ret == KB_TASK_RUNNING)
		return ret < 0 ? ret : 1;
	return look_at_end(b, ret, err);
}

int kb_building_wait(struct kb_building *b, struct kb_err *err)
{
	int ret;

	do {
		ret = kb_task_wait(&b->task, &b->fault, err);
		if (ret >= 0)
			ret = look_at_end(b, ret, err);
	} while (ret > 0);
	return ret;
}

static void set_outcome(struct kb_kept *k, const char *outcome, char *detail)
{
	free(k->outcome);
	free(k->detail);
	k->outcome = kb_xstrdup(outcome);
	k->detail = detail;
}

static int take_native(struct kb_building *b, struct kb_kept *k,
		       const struct kb_buf *log, struct kb_err *err)
{
	int ret;

	if (b->fault.status != KB_STATUS_CORRECT) {
		if (b->task.log_fd >= 0)
			kb_build_blame(&b->fault, log->data, log->len);
		set_outcome(k, kb_status_name(b->fault.status),
			    kb_xstrdup(b->fault.detail));
		return 0;
	}
	ret = kb_left_file(&k->bytes, &b->dir, KB_BUILT_PROGRAM,
			   (size_t)PROGRAM_MIB_MAX << 20, err);
	if (ret < 0)
		return ret;
	if (!ret) {
		set_outcome(k, kb_status_name(KB_STATUS_BUILD_FAILED),
			    kb_xasprintf("the compiler left no shared object, "
					 "or one beyond %d MiB",
					 PROGRAM_MIB_MAX));
		return 0;
	}
	set_outcome(k, KB_BUILT_MADE, NULL);
	k->entries = kb_xcalloc(1, sizeof(*k->entries));
	k->count = k->capacity = 1;
	k->entries[0] = (struct kb_kept_entry){
		.name = kb_xstrdup(KB_BUILT_PROGRAM),
		.data = k->bytes.data, .len = k->bytes.len,
	};
	return 0;
}

static bool exited_with(const struct kb_building *b, int status)
{
	return b->fault.status == KB_STATUS_EXITED &&
	       b->fault.exit_status == status;
}

/* Other ends may be due to other work on the machine. */
static bool compiler_failed(const struct kb_building *b)
{
	return exited_with(b, EXIT_COMPILER_FAILED) &&
	       !kb_process_out_of_memory(&b->task.process);
}

static char *why_in_place(const struct kb_building *b, const struct kb_buf *log)
{
	char why[KB_REASON_SIZE] = "it did not say why";

	if (b->fault.status != KB_STATUS_EXITED)
		return kb_xstrdup(b->fault.detail);
	if (!kb_reason_by_worker(why, log->data, log->len))
		(void)kb_reason_by_end(why, log->data, log->len);
	return kb_xstrdup(why);
}

/* Objects that it compiled before a fault need not be compiled again. If it was
 * ended, an object may be cut. */
static int take_torch(struct kb_building *b, struct kb_kept *k,
		      const struct kb_buf *log, struct kb_err *err)
{
	const bool is_made = b->fault.status == KB_STATUS_CORRECT;
	const char *const *names =
		(const char *const *)b->launcher->tmp_kept;
	int ret = 1;

	if (compiler_failed(b)) {
		kb_fault_set(&b->fault, KB_SIDE_REFERENCE,
			     KB_STATUS_BUILD_FAILED, KB_PHASE_BUILD,
			     "a compiler run by the code failed");
		kb_fault_explain(&b->fault, 1, log->data, log->len);
		set_outcome(k, kb_status_name(KB_STATUS_BUILD_FAILED),
			    kb_xstrdup(b->fault.detail));
		return 0;
	}
	if (is_made || exited_with(b, EXIT_IN_THE_WAY))
		ret = kb_left_take(k, &b->dir, names, b->left_bytes_max ?
				   b->left_bytes_max : KB_LEFT_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	if (!ret)
		kb_kept_release(k);
	if (!is_made)
		set_outcome(k, KB_BUILT_IN_PLACE, why_in_place(b, log));
	else if (ret)
		set_outcome(k, KB_BUILT_MADE, NULL);
	else
		set_outcome(k, KB_BUILT_IN_PLACE,
			    kb_xstrdup("it left more than can be kept"));
	return 0;
}

/* A Python module that is imported again prints its log again. */
static bool log_counts(const struct kb_building *b, const struct kb_kept *k)
{
	return is_native(b) || (strcmp(k->outcome, KB_BUILT_MADE) &&
				strcmp(k->outcome, KB_BUILT_IN_PLACE));
}

int kb_building_take(struct kb_building *b, struct kb_kept *k,
		     struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	bool truncated;
	int ret;

	if (b->why_not) {
		set_outcome(k, KB_BUILT_IN_PLACE, kb_steal(b->why_not));
		return 0;
	}
	if (b->task.log_fd >= 0)
		kb_task_log(&b->task, &log, &truncated);
	ret = is_native(b) ? take_native(b, k, &log, err)
			   : take_torch(b, k, &log, err);
	if (ret >= 0)
		k->log = kb_xstrdup(log_counts(b, k) ? log.data : "");
	return ret;
}

void kb_building_end(struct kb_building *b)
{
	kb_task_end(&b->task);
	kb_scratch_remove(&b->dir);
	free(b->why_not);
	*b = (struct kb_building)KB_BUILDING_INIT;
}
