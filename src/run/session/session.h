#ifndef KB_SESSION_SESSION_H
#define KB_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/conditions.h"
#include "manifest/reference_result.h"
#include "manifest/suite.h"
#include "measure/policy.h"
#include "session/device.h"
#include "session/options.h"
#include "store/journal.h"
#include "store/store.h"
#include "store/tree_digest.h"
#include "worker/launch.h"

struct kb_err;

/*
 * The common part of the stages that run code, such as kb-baseline and kb-eval:
 * their options, the suite and what of it is selected, the conditions they run
 * under, and the journal that lets them go on where they were killed.
 */

/* The machine and the programs: set by kb_session_open(). */
struct kb_session_machine {
	struct kb_launcher launcher;
	struct kb_session_device gpu;
	struct kb_tree weights;		/* of the folder that was asked for */
	int64_t torch_address_bytes;	/* that importing torch takes, as far as
					   it was asked and is known, or 0 */
};

/* The run: the first two blocks are set by kb_session_open(), the last by
 * kb_session_resume(). */
struct kb_session_run {
	struct kb_bundle bundle;		/* the suite's */
	struct kb_suite suite;
	struct kb_key *selected;
	size_t selected_count;
	size_t shard_index, shard_count;	/* from 0; count 0: no shard */
	char shard_name[32];
	enum kb_mode mode;		/* of the references; before */
	bool has_python;		/* candidates in Python; before */

	struct kb_policy policy;
	struct kb_conditions conditions;

	struct kb_journal journal;
	size_t facts_count;		/* lines before its results */
	char **gpu_ids;			/* of the GPUs that are used, as far as
					   they are known, as recorded */
	size_t gpu_id_count;
};

struct kb_session {
	struct kb_session_options asked;
	struct kb_session_machine machine;
	struct kb_session_run run;
	void (*say)(const char *line);	/* to who looks on; set by the program,
					   NULL: nobody does */
	bool is_quiet;			/* another process says what there is
					   to say of conditions */
};

/* A session with every option at its default. */
#define KB_SESSION_INIT {						\
	.asked = KB_SESSION_OPTIONS_INIT,				\
	.machine = { .launcher = KB_LAUNCHER_INIT,			\
		     .gpu = KB_SESSION_DEVICE_INIT },			\
	.run = { .bundle = KB_BUNDLE_INIT, .suite = KB_SUITE_INIT,	\
		 .conditions = KB_CONDITIONS_INIT,			\
		 .journal = KB_JOURNAL_INIT },				\
}

/* A line, or several, without the last line feed. */
void kb_session_say(const struct kb_session *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * All of kb_session_open() but the device, for a process that leaves that to
 * lanes: see session/in_lane.h.
 */
int kb_session_prepare(struct kb_session *s, const char *tool,
		       const struct kb_option options[], struct kb_err *err);

/* Record the options as they are now: some defaults are the device's. */
void kb_session_note_options(struct kb_session *s);

/*
 * Check options, open the suite (packing it if need be), select, find the
 * programs. `options` is the whole table of the tool called `tool`. Fails
 * with any kind. Release in any case.
 */
int kb_session_open(struct kb_session *s, const char *tool,
		    const struct kb_option options[], struct kb_err *err);

/* Record this machine and the runtimes: those of the suite's problems, and
 * these if asked for. A compiler is recorded if there is one. */
int kb_session_note_conditions(struct kb_session *s, bool torch, bool native,
			       struct kb_err *err);

/* Note that a GPU is used which this environment describes. Returns its id, or
 * NULL if there is none or it is not known; the session's. */
const char *kb_session_add_gpu(struct kb_session *s,
			       const struct kb_json *environment);

/* If several were noted, the environment gets the ids of all. For a run whose
 * journal is not kb_session_resume()'s. */
void kb_session_set_gpus(struct kb_session *s);

/*
 * Open the journal of this run, and close the one before. What makes it
 * this run: the tool, the kind, its parents, the selection, policy, match
 * key with what is compared beside it, and mode. An earlier run's environment
 * is taken over, so that the result is one record; if it, or a shard, ran on
 * other GPUs, the ids of all are in it.
 */
int kb_session_resume(struct kb_session *s, enum kb_kind kind,
		      const struct kb_digest parents[], struct kb_err *err);

/*
 * A GPU, by its id, is of no more use to this run, from now on: that is in the
 * journal, and in the environment, with the reason, which is one line. Without a
 * journal there is no record to say it in. Fails as kb_journal_append().
 */
int kb_session_take_out_gpu(struct kb_session *s, const char *id,
			    const char *reason, struct kb_err *err);

/* The policy without the members whose default depends on the node or the
 * device, unless the user set them. Two shards belong to one run if these are
 * equal. The caller frees. */
struct kb_json *kb_session_asked_policy(const struct kb_session *s,
					const struct kb_json *policy);

/* The facts of an environment, besides its match key, that two parts of this run
 * must share: kb_division_extras(), and for candidates in Python the versions of
 * the languages that they may be written in. The caller frees. */
struct kb_json *kb_session_extras(const struct kb_session *s,
				  const struct kb_json *environment);

/* The lines that earlier runs left, those of shards included, in which one
 * may be twice; after the journal's own. */
struct kb_json **kb_session_lines(const struct kb_session *s, size_t *count);

/* Is the i-th of the selected problems for this process to do? */
bool kb_session_owns_problem(const struct kb_session *s, size_t i);

/* How many of them are. */
size_t kb_session_problem_count(const struct kb_session *s);

/* With --merge-only: `done` of `total` is all, or it fails with KB_ERR_INPUT. */
int kb_session_check_merge(const struct kb_session *s, size_t done,
			   size_t total, struct kb_err *err);

/* A shard is done: say so, and what comes next. */
void kb_session_say_shard(const struct kb_session *s);

/* Copies of selection and conditions, for a record. */
void kb_session_copy_conditions(const struct kb_session *s,
				struct kb_key **problems,
				size_t *problem_count,
				struct kb_conditions *conditions);

/* The bundle that the run came to is in the store, as `id`; then its journal
 * is of no more use. */
int kb_session_commit(struct kb_session *s, struct kb_bundle_writer *w,
		      struct kb_digest *id, struct kb_err *err);

void kb_session_release(struct kb_session *s);

#endif
