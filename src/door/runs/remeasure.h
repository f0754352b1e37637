#ifndef KB_RUNS_REMEASURE_H
#define KB_RUNS_REMEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "manifest/record.h"
#include "score/remeasure.h"
#include "session/options.h"

struct kb_bundle;
struct kb_err;

/*
 * kb-verify --remeasure: build and time candidates of an evaluation again,
 * as kb-eval does, under the policy that its record has, and compare.
 */
struct kb_remeasure_options {
	bool wanted;
	int64_t sample_count;		/* 0: all */
	int64_t sample_seed;		/* -1: by the evaluation's id */
	const char *device;		/* NULL: the kind that it was made on */
	const char *python, *cc, *nvcc, *weights;
	const char *salt_file;		/* of the ids of GPUs in the record */
	struct kb_option_list allowed;	/* fields of the match key */
};

#define KB_REMEASURE_OPTIONS_INIT { .sample_seed = -1 }

/* Their entries in an option table; `o` is static. */
#define KB_REMEASURE_OPTIONS(o)						\
	{ .group = KB_OPTION_MEASUREMENT, .name = "remeasure",		\
	  .help = "build and time candidates again on this machine",	\
	  .type = KB_OPTION_FLAG, .value = &(o).wanted },		\
	KB_SESSION_INT(MEASUREMENT, "sample-size", "N",			\
		       "remeasure so many of them, drawn at random",	\
		       (o).sample_count, 1, 1000000, .otherwise = "all"), \
	KB_SESSION_INT(MEASUREMENT, "sample-seed", "N",			\
		       "seed of the sample", (o).sample_seed, 0,	\
		       KB_WEIGHTS_SEED_MAX,				\
		       .otherwise = "from the evaluation's id"),	\
	{ .group = KB_OPTION_MEASUREMENT, .name = "allow-mismatch",	\
	  .arg = "FIELD", .help =					\
	  "compare times although this field differs (repeatable)",	\
	  .type = KB_OPTION_LIST, .value = &(o).allowed },		\
	KB_SESSION_TEXT(MEASUREMENT, "device", "DEVICE",		\
			"where kernels run: cpu, cuda:N, cuda:N,cuda:M, cuda:all", \
			(o).device, .letter = 'd', .otherwise =		\
			"the evaluation's kind of device"),	\
	KB_SESSION_PYTHON((o).python),					\
	KB_SESSION_TEXT(PROGRAMS, "cc", "PATH", "compiler of C code",	\
			(o).cc, .otherwise = "cc"),			\
	KB_SESSION_TEXT(PROGRAMS, "nvcc", "PATH", "compiler of CUDA code", \
			(o).nvcc, .otherwise = "nvcc"),			\
	KB_SESSION_TEXT(PROGRAMS, "weights", "DIR",			\
			"pretrained models: a Hugging Face cache, or snapshots", \
			(o).weights),					\
	KB_SESSION_PLACE(MEASUREMENT, "salt-file", "FILE",		\
			"hash GPU ids with this file's first line", \
			(o).salt_file, .otherwise = "plain ids")

/* Fails with KB_ERR_USAGE if --remeasure is missing beside the others. */
int kb_remeasure_check_options(const struct kb_remeasure_options *o,
			       struct kb_err *err);

/*
 * Measure again what the bundle `b`, which has been checked, says of
 * candidates: an evaluation, or a score, which stands for its evaluation and
 * compares by its own clock. Parents are looked up in `store`. Progress goes
 * to standard error.
 *
 * That nothing could be compared because of `b` or its parents is an answer
 * (`out->why_not`). Fails with KB_ERR_INPUT if the policy cannot be had on
 * this machine or `o` names no field of a match key, and as kb_crew_run();
 * `out` is then to be released, too. With KB_ERR_INTERRUPTED it has those
 * candidates that were measured, none or more.
 */
int kb_remeasure(struct kb_remeasurement *out, const struct kb_bundle *b,
		 enum kb_kind kind, const char *store,
		 const struct kb_remeasure_options *o, struct kb_err *err);

#endif
