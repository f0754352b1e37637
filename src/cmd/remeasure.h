#ifndef KB_CMD_REMEASURE_H
#define KB_CMD_REMEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "manifest/record.h"
#include "score/remeasure.h"

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
	struct kb_option_list allowed;	/* fields of the match key */
};

#define KB_REMEASURE_OPTIONS_INIT { .sample_seed = -1 }

/* Their entries in an option table; `o` is static. */
#define KB_REMEASURE_OPTIONS(o)						\
	{ .name = "remeasure",						\
	  .help = "build and time candidates again on this machine",	\
	  .type = KB_OPTION_FLAG, .value = &(o).wanted },		\
	{ .name = "sample-size", .arg = "N",					\
	  .help = "remeasure so many of them, drawn by chance (all)",	\
	  .type = KB_OPTION_INT, .value = &(o).sample_count,		\
	  .min = 1, .max = 1000000 },					\
	{ .name = "sample-seed", .arg = "N",				\
	  .help = "draw them by this (by the evaluation's id)",		\
	  .type = KB_OPTION_INT, .value = &(o).sample_seed,		\
	  .min = 0, .max = INT64_C(9007199254740991) },			\
	{ .name = "allow-mismatch", .arg = "FIELD",			\
	  .help = "compare times although this field differs; repeatable", \
	  .type = KB_OPTION_LIST, .value = &(o).allowed },		\
	{ .name = "device", .letter = 'd', .arg = "DEVICE",		\
	  .help = "remeasure on this one: cpu or cuda:N",		\
	  .type = KB_OPTION_STRING, .value = &(o).device },		\
	{ .name = "python", .arg = "PATH",				\
	  .help = "of the torch runtime ($KB_PYTHON, else the first with torch)", \
	  .type = KB_OPTION_STRING, .value = &(o).python },		\
	{ .name = "cc", .arg = "PATH", .help = "compiler of native code (cc)", \
	  .type = KB_OPTION_STRING, .value = &(o).cc },			\
	{ .name = "nvcc", .arg = "PATH",				\
	  .help = "compiler of CUDA code (nvcc)",			\
	  .type = KB_OPTION_STRING, .value = &(o).nvcc },		\
	{ .name = "weights", .arg = "DIR",				\
	  .help = "pretrained models: a Hugging Face cache, or snapshots", \
	  .type = KB_OPTION_STRING, .value = &(o).weights }

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
 * this machine or `o` names no field of a match key, and as kb_bench_open()
 * and kb_bench_candidate(); `out` is then to be released, too.
 */
int kb_remeasure(struct kb_remeasurement *out, const struct kb_bundle *b,
		 enum kb_kind kind, const char *store,
		 const struct kb_remeasure_options *o, struct kb_err *err);

#endif
