#ifndef KB_SESSION_OPTIONS_H
#define KB_SESSION_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/made.h"
#include "cli/options.h"
#include "manifest/seeds.h"
#include "manifest/suite.h"
#include "store/store.h"

/*
 * The options of a session: a member for each option, set by the parser, which
 * owns no texts. A number of 0 that has no such default follows from the
 * machine.
 */
struct kb_session_options {
	const char *suite_name;		/* an operand; NULL: none is needed */
	int (*open_suite)(struct kb_bundle *b, struct kb_suite *s,
			  const char *store, const char *name,
			  struct kb_err *err);	/* as kb_suite_open() */
	const char *device, *problem_list, *level_list;
	const char *like;		/* NULL: nobody */
	const char *tolerance, *python, *cc, *weights, *store, *events, *shard;
	bool merge_only;
	struct kb_made_options made;
	const char *seed_list;		/* NULL: `seed` */
	bool one_seed;			/* only the first of them, which takes
					   the place of the list */
	char first_seed[24];
	int64_t trials, seed, timeout_s, build_timeout_s;
	int64_t memory_mib, tensor_mib, log_kib, threads;
	const char *sandbox;

	/* on a CUDA device */
	const char *precision, *deterministic, *nvcc, *salt_file;
	const char *tf32;		/* NULL: not asked for */
	int64_t trials_max, interval_ppm, budget_s, output_pool_mib;

	/* of candidates only */
	int64_t alternate_trials;
	int64_t slow_factor, slow_s;	/* the first 0: nobody is too slow */
	const char *in_place;		/* NULL: not asked for */
	const char *candidate_weights;	/* the same */
	int64_t jobs, build_cache_mib;	/* jobs below 0: not asked for */
	int64_t screen;
	bool no_build_cache;

	/* set by kb_session_open() */
	const struct kb_option *table;	/* the program's; borrowed */
	bool memory_is_asked, tensors_are_asked;	/* or follow from the
							   node */
	bool precision_is_asked;	/* or is the default */
};

/* Every option at its default. */
#define KB_SESSION_OPTIONS_INIT {					\
	.open_suite = kb_suite_open,					\
	.device = "cpu", .tolerance = "kernelbench",			\
	.store = KB_STORE_DEFAULT, .trials = 10, .seed = 42,		\
	.seed_list = "42",						\
	.alternate_trials = 3, .slow_factor = 10, .slow_s = 10,		\
	.jobs = -1, .screen = 0, .build_cache_mib = 4096,		\
	.sandbox = "standard",						\
	.timeout_s = 60, .build_timeout_s = 600, .log_kib = 1024,	\
	.deterministic = "off",			\
	.trials_max = 200, .interval_ppm = 5000, .budget_s = 1,		\
}

/* Entries of an option table: the group, the name, what a value is called, the
 * help and the member; then a default in words, if there is one. */
#define KB_SESSION_TEXT(about, option, what, phrase, field, ...)		\
	{ .group = KB_OPTION_##about, .name = option, .arg = what,	\
	  .help = phrase, .type = KB_OPTION_STRING, .value = &(field),	\
	  __VA_ARGS__ }
#define KB_SESSION_PLACE(about, option, what, phrase, field, ...)	\
	KB_SESSION_TEXT(about, option, what, phrase, field,		\
			.is_place = true, __VA_ARGS__)
#define KB_SESSION_INT(about, option, what, phrase, field, least, most, ...) \
	{ .group = KB_OPTION_##about, .name = option, .arg = what,	\
	  .help = phrase, .type = KB_OPTION_INT, .value = &(field),	\
	  .min = least, .max = most, __VA_ARGS__ }
#define KB_SESSION_PYTHON(field)					\
	KB_SESSION_TEXT(PROGRAMS, "python", "PATH",			\
			"Python with torch", field, .otherwise =	\
			"$KB_PYTHON, or the first with torch")

#define KB_SESSION_SANDBOX(field)					\
	KB_SESSION_TEXT(LIMITS, "sandbox", "MODE",			\
			"how code is confined: off, standard, strict", field)

/* The options of all programs that measure; `s` is a static struct
 * kb_session_options. */
#define KB_SESSION_OPTIONS(s)						\
	KB_SESSION_SELECTION(s),					\
	KB_SESSION_TEXT(PROBLEMS, "shard", "PART",			\
			"only one part of them, such as 2/4, and no bundle yet", \
			(s).shard),					\
	{ .group = KB_OPTION_PROBLEMS, .name = "merge-only",		\
	  .help = "write the bundle from shards, or refuse if any is missing", \
	  .type = KB_OPTION_FLAG, .value = &(s).merge_only,		\
	  .is_place = true },						\
	KB_SESSION_SETTINGS(s),						\
	KB_SESSION_PLACE(OUTPUT, "events", "FILE",			\
			"append progress to FILE as JSON lines",	\
			(s).events),					\
	KB_SESSION_STORE(s),						\
	KB_MADE_OPTIONS((s).made)

#define KB_SESSION_SELECTION(s)						\
	KB_SESSION_TEXT(PROBLEMS, "problems", "LIST",			\
			"only these problems: 1/19,2/76, or sound",	\
			(s).problem_list, .letter = 'p'),		\
	KB_SESSION_TEXT(PROBLEMS, "levels", "LIST",			\
			"only problems of these levels, such as 1,2",	\
			(s).level_list, .letter = 'l')

#define KB_SESSION_STORE(s)						\
	KB_SESSION_PLACE(OUTPUT, "store", "DIR",			\
			"where bundles are and go", (s).store)

/* How they measure. */
#define KB_SESSION_SETTINGS(s)						\
	KB_SESSION_INT(MEASUREMENT, "trials", "N",			\
		       "timed trials, at least",			\
		       (s).trials, 1, 100000),				\
	KB_SESSION_INT(MEASUREMENT, "trials-max", "N",			\
		       "on a GPU: timed trials by each clock, at most",	\
		       (s).trials_max, 1, 100000),			\
	KB_SESSION_INT(MEASUREMENT, "interval-ppm", "N",		\
		       "on a GPU: width of the median's 95% interval to stop at," \
		       " in millionths", (s).interval_ppm, 1, 1000000),	\
	KB_SESSION_INT(MEASUREMENT, "budget", "S",			\
		       "on a GPU: seconds to make trials by the device's clock", \
		       (s).budget_s, 1, 1000000),			\
	KB_SESSION_TEXT(MEASUREMENT, "like", "WHOSE",			\
			"with the settings of another harness: kernelbench", \
			(s).like),					\
	KB_SESSION_TEXT(MEASUREMENT, "tolerance", "POLICY",		\
			"how close outputs must be: kernelbench, paper, v3," \
			" precise, suite", (s).tolerance),			\
	KB_SESSION_TEXT(MEASUREMENT, "precision", "TYPE",		\
			"on a GPU: dtype of inputs and weights: fp32, fp16," \
			" bf16", (s).precision, .otherwise = "fp32"),	\
	KB_SESSION_TEXT(MEASUREMENT, "tf32", "MODE",			\
			"on a GPU: TF32 for float32: off, on, torch",	\
			(s).tf32,					\
			.otherwise = "off"),				\
	KB_SESSION_TEXT(MEASUREMENT, "deterministic", "SWITCH",		\
			"on a GPU: torch's deterministic algorithms: on, off", \
			(s).deterministic),				\
	KB_SESSION_INT(MEASUREMENT, "threads", "N",			\
		       "CPU threads of each process that is measured",	\
		       (s).threads, 1, 4096,				\
		       .otherwise = "all cores granted"),		\
	KB_SESSION_INT(LIMITS, "timeout", "S",				\
		       "seconds for one batch of calls",		\
		       (s).timeout_s, 1, 1000000),			\
	KB_SESSION_INT(LIMITS, "build-timeout", "S",			\
		       "seconds for compiling, and for loading",	\
		       (s).build_timeout_s, 1, 1000000),		\
	KB_SESSION_INT(LIMITS, "memory-mib", "N",			\
		       "MiB of memory of a process, without tensors",	\
		       (s).memory_mib, 1, 1 << 30,			\
		       .otherwise = "3/4 of all memory"),		\
	KB_SESSION_INT(LIMITS, "tensor-mib", "N",			\
		       "MiB of inputs and outputs of one batch of calls", \
		       (s).tensor_mib, 1, 1 << 30,			\
		       .otherwise = "1/4 of all memory, or 1/5 of a GPU's"), \
	KB_SESSION_INT(LIMITS, "output-pool-mib", "N",			\
		       "on a GPU: MiB that torch's calls may allocate",	\
		       (s).output_pool_mib, 64, 1 << 30,		\
		       .otherwise = "1/4 of its memory"),		\
	KB_SESSION_INT(LIMITS, "log-kib", "N",				\
		       "KiB kept of a process's output",			\
		       (s).log_kib, 4, 1 << 20),			\
	KB_SESSION_SANDBOX((s).sandbox),				\
	KB_SESSION_PYTHON((s).python),					\
	KB_SESSION_TEXT(PROGRAMS, "cc", "PATH", "compiler of C code",	\
			(s).cc, .otherwise = "cc"),			\
	KB_SESSION_TEXT(PROGRAMS, "nvcc", "PATH", "compiler of CUDA code", \
			(s).nvcc, .otherwise = "nvcc"),			\
	KB_SESSION_PLACE(PROGRAMS, "weights", "DIR",			\
			"pretrained models: a Hugging Face cache, or snapshots", \
			(s).weights),					\
	KB_SESSION_PLACE(OUTPUT, "salt-file", "FILE",			\
			"record GPU ids as hashes, with this file's first line", \
			(s).salt_file)

/* The options of programs that judge candidates. */
#define KB_SESSION_JUDGE_OPTIONS(s)					\
	KB_SESSION_INT(MEASUREMENT, "alternate-trials", "N",		\
		       "trials on a problem's second kind of inputs, if any", \
		       (s).alternate_trials, 0, 100000),		\
	KB_SESSION_INT(LIMITS, "slow-factor", "N",			\
		       "cut trials short for candidates this many times as"	\
		       " slow as their reference, 0: never",		\
		       (s).slow_factor, 0, 1000000),			\
	KB_SESSION_INT(LIMITS, "slow-seconds", "S",			\
		       "end calls of such candidates after this many seconds",	\
		       (s).slow_s, 1, 1000000),				\
	KB_SESSION_TEXT(MEASUREMENT, "in-place", "MODE",		\
			"candidates that overwrite their inputs: refuse," \
			" accept", (s).in_place, .otherwise = "refuse"),	\
	KB_SESSION_TEXT(MEASUREMENT, "candidate-weights", "WHOSE",	\
			"weights of torch candidates: reference, own",	\
			(s).candidate_weights, .otherwise = "reference"), \
	KB_SESSION_TEXT(MEASUREMENT, "seeds", "LIST",			\
			"seeds of the weights, each to be correct under: 42,123", \
			(s).seed_list)

/* The option of programs that judge candidates for the first time; it does not
 * decide the results. */
#define KB_SESSION_SCREEN_OPTION(s)					\
	KB_SESSION_INT(MEASUREMENT, "screen", "N",			\
		       "candidates tried side by side before they are timed;" \
		       " 0: many, while that pays", (s).screen, 0, 64,		\
		       .is_place = true)

/* The options of programs that build before they measure; they do not decide
 * the results. */
#define KB_SESSION_BUILD_OPTIONS(s)					\
	KB_SESSION_INT(PROGRAMS, "jobs", "N", "builds at a time",	\
		       (s).jobs, 0, 1024, .letter = 'j',		\
		       .is_place = true,				\
		       .otherwise = "all cores that do not measure"),	\
	KB_SESSION_INT(PROGRAMS, "build-cache-mib", "N",		\
		       "MiB of builds to keep in the store",		\
		       (s).build_cache_mib, 1, 1 << 30, .is_place = true), \
	{ .group = KB_OPTION_PROGRAMS, .name = "no-build-cache",	\
	  .type = KB_OPTION_FLAG,					\
	  .help = "neither use nor keep earlier builds",		\
	  .value = &(s).no_build_cache, .is_place = true }

#endif
