#include "audit/gather.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "audit/answer.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "manifest/audit.h"
#include "measure/notes.h"
#include "torch_files.h"
#include "worker/torch.h"

/* In the directory where the program works. */
#define ANSWER "answer.json"

#define PROGRAM "kb_torch_audit.py"

static int put_files(const struct kb_scratch_dir *dir,
		     const struct kb_gather_options *o,
		     const struct kb_source *source, struct kb_err *err)
{
	static const char *const files[] = { KB_TORCH_AUDIT_FILES };
	int ret = kb_scratch_put(dir, "problem.py", source->data, source->len,
				 err);

	for (size_t i = 0; i < KB_ARRAY_LEN(files) && ret >= 0; i++)
		ret = kb_scratch_copy(dir, o->launcher->libexec, files[i], err);
	if (ret >= 0)	/* which it uses */
		ret = kb_torch_put(dir, o->launcher, err);
	if (ret >= 0 && o->reduced)
		ret = kb_scratch_put(dir, "reduced.json", o->reduced->data,
				     o->reduced->len, err);
	return ret;
}

static int start_program(struct kb_gathering *g, const struct kb_gather_options *o,
			 struct kb_key key, struct kb_err *err)
{
	const char *code = g->dir.code;
	kb_auto(mem) char *program = kb_xasprintf("%s/" PROGRAM, code);
	kb_auto(mem) char *problem = kb_xasprintf("%s/problem.py", code);
	kb_auto(mem) char *reduced = kb_xasprintf("%s/reduced.json", code);
	kb_auto(mem) char *seed = kb_xasprintf("--seed=%" PRId64,
					       o->weights_seed);
	kb_auto(mem) char *operations = kb_xasprintf("--operations=%" PRId64,
						     o->operations);
	kb_auto(mem) char *budget = kb_xasprintf("--budget=%" PRId64,
						 o->budget_s);
	kb_auto(mem) char *ranks = kb_xasprintf("--ranks=%" PRIu32,
						o->launcher->ranks);
	const char *argv[16] = { o->launcher->python, "-B", program, seed,
				 operations, budget, ranks };
	char key_text[KB_KEY_SIZE];
	size_t n = 7;

	kb_key_format(key_text, key);
	if (o->launcher->cuda)
		argv[n++] = "--cuda";
	if (o->launcher->conventions) {
		argv[n++] = "--conventions";
		argv[n++] = o->launcher->conventions;
	}
	if (o->reduced) {
		argv[n++] = "--reduced";
		argv[n++] = reduced;
		argv[n++] = key_text;
	}
	argv[n++] = problem;
	argv[n++] = ANSWER;
	return kb_task_start(&g->task, o->launcher, argv, &g->dir,
			     KB_PHASE_RUN, o->timeout_ns, err);
}

int kb_gather_start(struct kb_gathering *g, const struct kb_gather_options *o,
		    struct kb_key key, const struct kb_source *source,
		    struct kb_err *err)
{
	struct kb_launcher *l = o->launcher;
	int ret;

	*g = (struct kb_gathering)KB_GATHERING_INIT;
	g->start_ns = kb_clock_ns();
	if (!l->python)
		return kb_err(err, KB_ERR_MISSING,
			      "there is no 'python3' in PATH");
	ret = kb_scratch_make(&l->scratch, &g->dir, !l->other_user_why_not,
			      err);
	if (ret >= 0)
		ret = put_files(&g->dir, o, source, err);
	return ret < 0 ? ret : start_program(g, o, key, err);
}

/* The program's answer, as trustworthy as the problem itself. */
static int read_answer(struct kb_audit_line *l,
		       const struct kb_scratch_dir *dir, struct kb_err *err)
{
	kb_auto(fd) int work = kb_scratch_open_work(dir);
	/* The problem ran in that directory and could leave a link or a FIFO
	 * under the name. */
	kb_auto(fd) int fd = openat(work, ANSWER, O_RDONLY | O_NOFOLLOW |
				    O_CLOEXEC | O_NONBLOCK);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct stat st;
	int ret;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return kb_err(err, KB_ERR_INPUT, "it left no answer");
	ret = kb_file_read_fd(&text, fd, "the answer",
			      KB_AUDIT_ANSWER_BYTES_MAX, err);
	return ret < 0 ? ret : kb_audit_answer_parse(l, text.data, text.len,
						     err);
}

static void take_evidence(struct kb_gathering *g, struct kb_audit_line *l, bool done,
			  struct kb_fault *fault)
{
	struct kb_err why = KB_ERR_INIT;
	struct kb_buf log = KB_BUF_INIT;

	kb_task_log(&g->task, &log, &l->outcome.log_truncated);
	/* The problem's code could write to that file, so that a bad answer is
	 * the problem's fault and not one of the stage. */
	if (done && read_answer(l, &g->dir, &why) < 0) {
		kb_fault_set(fault, KB_SIDE_REFERENCE,
			     KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN, "%s", why.msg);
		done = false;
	}
	if (!done)
		kb_note_fault(&l->outcome, fault);
	free(l->outcome.log);
	l->outcome.log = kb_buf_detach(&log);
	l->outcome.wall_ns = kb_clock_ns() - g->start_ns;
}

int kb_gather_poll(struct kb_gathering *g, struct kb_audit_line *l,
		   struct kb_err *err)
{
	struct kb_fault fault;
	int ret = kb_task_poll(&g->task, &fault, err);

	if (ret < 0)
		return ret;
	if (ret == KB_TASK_RUNNING)
		return 0;
	take_evidence(g, l, ret == KB_TASK_DONE, &fault);
	return 1;
}

void kb_gather_end(struct kb_gathering *g)
{
	kb_task_end(&g->task);
	kb_scratch_remove(&g->dir);
	*g = (struct kb_gathering)KB_GATHERING_INIT;
}
