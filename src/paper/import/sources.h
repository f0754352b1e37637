#ifndef KB_IMPORT_SOURCES_H
#define KB_IMPORT_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/key.h"
#include "source/runtime.h"

struct kb_err;

/*
 * Source files as readers of other people's formats find them: problems
 * of a suite or candidates of a submission, in memory, not yet in any
 * bundle. Bytes are kept as they are; whether they are text is not asked.
 */
struct kb_source_file {
	struct kb_key key;
	int sample_id;			/* 0 for a problem */
	enum kb_runtime runtime;
	char *name;			/* "19_ReLU", or NULL if its name does
					   not tell */
	char *origin;			/* where it was found, for messages */
	char *data;
	size_t size_bytes;
	bool is_solution;		/* ParallelKernelBench's: see import/pkb.h */
};

/* Files in a folder that are not taken: "'<path>' is named neither ...", a
 * finished phrase each. */
struct kb_passed_over {
	struct kb_passed_over_item {
		char *text;
		bool is_emptied;	/* a candidate: an empty file stands for
					   it, which fails */
	} *items;			/* sorted */
	size_t count;
	size_t capacity;
};

/*
 * Of candidates one that cannot be taken is one that fails, or, where its name
 * does not tell its problem, one that is passed over; a problem is refused.
 */
struct kb_sources {
	struct kb_source_file *items;
	size_t count;
	size_t capacity;
	bool are_candidates;
	struct kb_passed_over passed_over;
	char *other;			/* a file that is none of source, or NULL */
	size_t other_count;
};

#define KB_SOURCES_INIT { .items = NULL }
#define KB_SOURCE_BYTES_MAX ((size_t)8 << 20)	/* one file */
#define KB_SOURCES_MAX 100000

#define KB_PASSED_OVER_INIT { .items = NULL }

void kb_passed_over_release(struct kb_passed_over *p);
void kb_sources_release(struct kb_sources *s);

/* Take `item` and all that it owns, which is left empty, even on failure.
 * Fails with KB_ERR_INPUT if there are too many. */
int kb_sources_add(struct kb_sources *s, struct kb_source_file *item,
		   struct kb_err *err);

/* The same of an item without data, which becomes `text`; one that is larger than
 * KB_SOURCE_BYTES_MAX becomes empty. */
int kb_sources_add_text(struct kb_sources *s, struct kb_source_file *item,
			const char *text, struct kb_err *err);

/* The same of an item that cannot be read: empty it, and note `why`, a finished
 * phrase that names it. */
int kb_sources_add_empty(struct kb_sources *s, struct kb_source_file *item,
			 const char *why, struct kb_err *err);

/* Note that something is not taken, and `why`, as above; that the file of code at
 * `path` has no name or ending of ours, or the folder; that there is another file. */
void kb_sources_pass_over(struct kb_sources *s, const char *why);
void kb_sources_pass_over_file(struct kb_sources *s, const char *path);
void kb_sources_pass_over_ending(struct kb_sources *s, const char *path);
void kb_sources_pass_over_folder(struct kb_sources *s, const char *path);
void kb_sources_see_other(struct kb_sources *s, const char *path);

/* Fails with KB_ERR_INPUT if there are none; `what` they would have been, and
 * `path` is where they were looked for. */
int kb_sources_check_any(const struct kb_sources *s, const char *what,
			 const char *path, struct kb_err *err);

/*
 * Sort by problem and sample, and by text what was passed over. Fails with
 * KB_ERR_INPUT if two have the same problem and sample; the message names both
 * origins.
 */
int kb_sources_sort(struct kb_sources *s, struct kb_err *err);

/*
 * Parse the name of a file. Three forms are known: a candidate's own
 *
 *	level_<L>_problem_<P>_sample_<S>_kernel<ext>
 *
 * and those of a problem, used for candidates as well (sample 0),
 *
 *	level<L>/<P>_<Name><ext>
 *	l<L>_p<P><ext>
 *
 * with <ext> ".py", ".c" or ".cu" and numbers without sign or leading zero.
 * The last is what KernelBench's leaderboard of 2024 called its problems; the
 * name is "<P>_l<L>_p<P>" then.
 * `path` may have any folders before these. Fills in key, sample_id,
 * runtime and name of `out`, which must be empty. Of a candidate, which needs
 * none, <Name> may be anything, and `out` has no name then.
 *
 * Fails with KB_ERR_INPUT.
 */
int kb_source_name_parse(struct kb_source_file *out, const char *path,
			 bool is_candidate, struct kb_err *err);

/* The stem of the first form: what stands before "_kernel". Fails with
 * KB_ERR_INPUT. */
int kb_source_stem_parse(struct kb_key *key, int *sample_id, const char *stem,
			 size_t len, struct kb_err *err);

static inline void kb_cleanup_passed_over(struct kb_passed_over *p)
{
	kb_passed_over_release(p);
}

static inline void kb_cleanup_sources(struct kb_sources *s)
{
	kb_sources_release(s);
}

#endif
