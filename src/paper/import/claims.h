#ifndef KB_IMPORT_CLAIMS_H
#define KB_IMPORT_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/key.h"
#include "score/kernelbench.h"

struct kb_err;
struct kb_json;

/*
 * Claims of foreign files about problems: a result each, or a baseline time.
 * Nothing of it was measured by us.
 */
struct kb_claim {
	struct kb_key key;
	char *file;			/* of a time: its file's name; else NULL */
	struct kb_upstream_result says;	/* the part that the file has */
};

struct kb_claims {
	struct kb_claim *items;
	size_t count;
	size_t capacity;
};

#define KB_CLAIMS_INIT { .items = NULL }

void kb_claims_release(struct kb_claims *c);

/* Takes over what `item` owns. */
void kb_claims_add(struct kb_claims *c, const struct kb_claim *item);

/* Problems go by their numbers alone from now on. */
void kb_claims_drop_files(struct kb_claims *c);

/* Sort by problem and file. Fails with KB_ERR_INPUT if one is there twice. */
int kb_claims_sort(struct kb_claims *c, const char *name, struct kb_err *err);

/* NULL if there is none of this problem and file; `c` is sorted. */
const struct kb_claim *kb_claims_find(const struct kb_claims *c,
				      struct kb_key key, const char *file);

/* A problem's number, of the first `len` bytes: digits without a leading zero,
 * up to KB_PROBLEM_ID_MAX. 0 if it is none. */
int kb_claim_problem_id(const char *text, size_t len);

/*
 * A member that is a number whose size, whatever its sign, is within
 * KB_CLAIM_MIN and KB_CLAIM_MAX, so that quotients are finite and not 0. Fails
 * with KB_ERR_INPUT.
 */
#define KB_CLAIM_MIN 1e-12
#define KB_CLAIM_MAX 1e12
int kb_claim_number(double *out, const struct kb_json *object, const char *key,
		    const char *where, struct kb_err *err);

/*
 * One file each, from bytes; what is not named below is passed over. Add to
 * `out`, unsorted; `name` is for messages. Fail with KB_ERR_INPUT.
 *
 * KernelBench's eval_results.json of `level`: {"<problem_id>": [{"sample_id",
 * "compiled", "correctness", "runtime"}]}, and as version 0 had it, one such
 * object and no list, perhaps without a sample_id. Of each problem sample 0
 * alone is taken, as its analysis does; without one there is no claim. A
 * correct one has a runtime; one below 0 is no time.
 */
int kb_eval_results_parse(struct kb_claims *out, int level, const void *data,
			  size_t len, const char *name, struct kb_err *err);

/* KernelBench's times of references: {"level<L>": {"<problem_id>_<Name>.py":
 * {"mean"} or null}}. A mean is above 0. */
int kb_baseline_times_parse(struct kb_claims *out, const void *data,
			    size_t len, const char *name, struct kb_err *err);

/*
 * Rows of KernelBench v3, one object a line: "model", "gpu", "problem",
 * "level", "compiled", "correct", "speedup" (a number above 0, or null). All
 * are of one model and one GPU; problems have names there, and are numbered
 * here in the order of the rows.
 */
int kb_v3_rows_parse(struct kb_claims *out, const void *data, size_t len,
		     const char *name, struct kb_err *err);

/*
 * The same rows as v3's site publishes them: comma-separated, below a header
 * with the same names and "run_dir", with True and False and nothing for null.
 * `run` names the run that is wanted; NULL if there is but one. The first is
 * whether a file has such a header.
 */
bool kb_v3_csv_is(const void *data, size_t len, const char *name);
int kb_v3_csv_parse(struct kb_claims *out, const char *run, const void *data,
		    size_t len, const char *name, struct kb_err *err);

static inline void kb_cleanup_claims(struct kb_claims *c)
{
	kb_claims_release(c);
}

#endif
