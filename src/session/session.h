#ifndef KB_SESSION_SESSION_H
#define KB_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/conditions.h"
#include "manifest/journal.h"
#include "manifest/suite.h"
#include "measure/policy.h"
#include "session/device.h"
#include "session/options.h"
#include "store/store.h"
#include "store/tree_digest.h"
#include "worker/launch.h"

struct kb_err;

/*
 * What the two stages that run code, kb-baseline and kb-eval, have in
 * common: their options, the suite and what of it is selected, the
 * conditions they run under, and the journal that lets them go on where
 * they were killed.
 */

/* What there is to run it with: set by kb_session_open(). */
struct kb_session_machine {
	struct kb_launcher launcher;
	struct kb_session_device gpu;
	struct kb_tree weights;		/* of the folder that was asked for */
};

/* What is run: the first two blocks are set by kb_session_open(), the last by
 * kb_session_resume(). */
struct kb_session_run {
	struct kb_bundle bundle;		/* the suite's */
	struct kb_suite suite;
	struct kb_key *selected;
	size_t selected_count;
	size_t shard_index, shard_count;	/* from 0; count 0: no shard */
	char shard_name[32];
	const char *variant;		/* of one run among others with the
					   same options, or NULL; before */

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
	bool is_quiet;			/* another process says it */
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

/* Of who judges candidates, before KB_SESSION_OPTIONS. */
#define KB_SESSION_JUDGE_OPTIONS(s)					\
	KB_SESSION_INT("alternate-trials", "N",				\
		       "trials on alternate inputs, where there are any (3)", \
		       (s).alternate_trials, 0, 100000),			\
	KB_SESSION_TEXT("seeds", 0, "LIST",				\
			"be correct under each of these: 42,123 (--seed's)", \
			(s).seed_list)

/* Of who builds before it measures; they do not decide what comes of it. */
#define KB_SESSION_BUILD_OPTIONS(s)					\
	{ .name = "jobs", .letter = 'j', .arg = "N",			\
	  .help = "builds at a time (all cores that do not time)",	\
	  .type = KB_OPTION_INT, .value = &(s).jobs, .min = 0,		\
	  .max = 1024, .is_place = true },				\
	{ .name = "build-cache-mib", .arg = "N",			\
	  .help = "keep so much of what builds make (4096)",		\
	  .type = KB_OPTION_INT, .value = &(s).build_cache_mib,		\
	  .min = 1, .max = 1 << 30, .is_place = true },			\
	{ .name = "no-build-cache", .type = KB_OPTION_FLAG,		\
	  .help = "keep none of it, and use none",			\
	  .value = &(s).no_build_cache, .is_place = true }

#define KB_SESSION_TEXT(option, letter_, what, about, field)		\
	{ .name = option, .letter = letter_, .arg = what, .help = about, \
	  .type = KB_OPTION_STRING, .value = &(field) }
#define KB_SESSION_PLACE(option, letter_, what, about, field)		\
	{ .name = option, .letter = letter_, .arg = what, .help = about, \
	  .type = KB_OPTION_STRING, .value = &(field), .is_place = true }
#define KB_SESSION_INT(option, what, about, field, least, most)		\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_INT, .value = &(field), .min = least, .max = most }

/* What their options were; `form` is the line with the operands. */
#define KB_SESSION_FORMER(form)						\
	{ "suite", 's', "is now an operand: " form },			\
	{ .name = "share", .now = "is now called '--shard'" },		\
	KB_FORMER_STORE_LETTER

/* Their entries in an option table; `s` is a static struct kb_session. */
#define KB_SESSION_OPTIONS(s)						\
	KB_SESSION_TEXT("device", 'd', "DEVICE",			\
			"where kernels run: cpu, cuda:N, cuda:all (cpu)", (s).device), \
	KB_SESSION_TEXT("problems", 'p', "LIST",			\
			"only these: 1/19,2/76", (s).problem_list),	\
	KB_SESSION_TEXT("levels", 'l', "LIST",				\
			"only these levels: 1,2", (s).level_list),	\
	KB_SESSION_INT("trials", "N", "counted trials of each batch size (10)", \
		       (s).trials, 1, 100000),				\
	KB_SESSION_INT("seed", "N", "seed that weights are made from (42)", \
		       (s).seed, 0, KB_WEIGHTS_SEED_MAX),		\
	KB_SESSION_TEXT("tolerance", 0, "POLICY",			\
			"kernelbench, paper, v3 or precise (kernelbench)", \
			(s).tolerance), \
	KB_SESSION_INT("timeout", "S", "seconds that a run may take (60)", \
		       (s).timeout_s, 1, 1000000),			\
	KB_SESSION_INT("build-timeout", "S",				\
		       "seconds for building and loading (600)",	\
		       (s).build_timeout_s, 1, 1000000),		\
	KB_SESSION_INT("memory-mib", "N",				\
		       "memory of a candidate beside tensors (3/4 of all)", \
		       (s).memory_mib, 1, 1 << 30),			\
	KB_SESSION_INT("tensor-mib", "N",				\
		       "memory of all tensor slots (1/4 of all)",	\
		       (s).tensor_mib, 1, 1 << 30),			\
	KB_SESSION_INT("log-kib", "N", "output that a candidate may print (1024)", \
		       (s).log_kib, 4, 1 << 20),			\
	KB_SESSION_INT("threads", "N", "threads of a worker (all cores granted)", \
		       (s).threads, 1, 4096),				\
	KB_SESSION_TEXT("python", 0, "PATH",				\
			"of the torch runtime ($KB_PYTHON, else the first with torch)", \
			(s).python),					\
	KB_SESSION_TEXT("cc", 0, "PATH", "compiler of native code (cc)", \
			(s).cc),					\
	KB_SESSION_PLACE("weights", 0, "DIR",				\
			"pretrained models: a Hugging Face cache, or snapshots", \
			(s).weights),					\
	KB_SESSION_TEXT("precision", 0, "TYPE",				\
			"of floats on cuda: fp32, fp16 or bf16 (fp32)",	\
			(s).precision),					\
	KB_SESSION_TEXT("tf32", 0, "SWITCH",				\
			"torch may use TF32 for float32: on or off (off)", \
			(s).tf32),					\
	KB_SESSION_TEXT("deterministic", 0, "SWITCH",			\
			"torch's deterministic algorithms: on or off (off)", \
			(s).deterministic),				\
	KB_SESSION_INT("trials-max", "N",				\
		       "most trials of each clock, on a GPU (200)",		\
		       (s).trials_max, 1, 100000),			\
	KB_SESSION_INT("interval-ppm", "N",				\
		       "stop at this width of the median's interval (5000)", \
		       (s).interval_ppm, 1, 1000000),			\
	KB_SESSION_INT("budget", "S",					\
		       "seconds for the device clock's trials (1)",	\
		       (s).budget_s, 1, 1000000),			\
	KB_SESSION_INT("output-pool-mib", "N",					\
		       "device memory for outputs, twice (1/4 of all)",	\
		       (s).output_pool_mib, 64, 1 << 30),			\
	KB_SESSION_TEXT("nvcc", 0, "PATH", "compiler of CUDA code (nvcc)", \
			(s).nvcc),					\
	KB_SESSION_PLACE("salt-file", 0, "FILE",				\
			"record the GPU's ids hashed with this salt",	\
			(s).salt_file),					\
	{ .name = "shard", .arg = "PART",		\
	  .help = "do only this part, such as 2/4, and no bundle yet",	\
	  .type = KB_OPTION_STRING, .value = &(s).shard },		\
	{ .name = "merge-only", .type = KB_OPTION_FLAG,			\
	  .help = "refuse unless shards have done all of it",		\
	  .value = &(s).merge_only, .is_place = true },			\
	KB_SESSION_PLACE("events", 0, "FILE",				\
			"append progress as JSON lines", (s).events),	\
	KB_SESSION_PLACE("store", 0, "DIR",				\
			"where bundles are and go (archives)", (s).store), \
	KB_MADE_OPTIONS((s).made)

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

/*
 * Open the journal of this run, and close the one before. What makes it
 * this run: the tool, the kind, its parents, the selection, policy, match
 * key and variant. An earlier run's environment is taken over, so that the
 * result is one record; if it, or a shard, ran on other GPUs, the ids of all
 * are in it.
 */
int kb_session_resume(struct kb_session *s, enum kb_kind kind,
		      const struct kb_digest parents[], struct kb_err *err);

/* The policy as far as it is that of a run, not of the node or the device that
 * does a part of it: what nobody asked for may be another number on each. The
 * caller frees. */
struct kb_json *kb_session_asked_policy(const struct kb_session *s,
					const struct kb_json *policy);

/* The lines that earlier runs left, those of shards included, in which one
 * may be twice; after the journal's own. */
struct kb_json **kb_session_lines(const struct kb_session *s, size_t *count);

/* Is the i-th of the selected problems for this process to do? */
bool kb_session_does(const struct kb_session *s, size_t i);

/* How many of them are. */
size_t kb_session_problem_count(const struct kb_session *s);

/* With --merge-only: `done` of `total` is all, or it fails with KB_ERR_INPUT. */
int kb_session_check_merge(const struct kb_session *s, size_t done,
			   size_t total, struct kb_err *err);

/* A shard is done: say so, and what comes next. */
void kb_session_print_shard(const struct kb_session *s);

/* Copies of selection and conditions, for a record. */
void kb_session_hand_out(const struct kb_session *s, struct kb_key **problems,
			 size_t *problem_count,
			 struct kb_conditions *conditions);

/* The bundle that the run came to is in the store, as `id`; then its journal
 * is of no more use. */
int kb_session_commit(struct kb_session *s, struct kb_bundle_writer *w,
		      struct kb_digest *id, struct kb_err *err);

void kb_session_release(struct kb_session *s);

#endif
