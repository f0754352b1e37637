#ifndef KB_PAGES_VIEW_H
#define KB_PAGES_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/score.h"
#include "manifest/tensor_facts.h"
#include "pages/fast_curve.h"
#include "store/bundle.h"
#include "verify/ceiling.h"
#include "verify/checks.h"
#include "verify/lineage.h"

struct kb_problem;
struct kb_profile;
struct kb_reference_result;
struct kb_result;
struct kb_signature_keys;

/*
 * One candidate of a view, or, of a baseline, one reference. Times and what
 * follows from them are those of the score for the samples that it judges;
 * KB_UNKNOWN is what no record says. All pointers are borrowed from the
 * view's records; NULL is what is not there.
 */
struct kb_view_row {
	struct kb_key key;
	int sample_id;
	bool is_judged;			/* it counts in the score */
	enum kb_status status;
	int64_t candidate_ns;
	struct kb_interval candidate;
	int64_t baseline_ns;		/* without a score: of the reference
					   beside the candidate */
	struct kb_interval baseline;
	bool has_speedup;
	struct kb_reach speedup;	/* if it has */
	int64_t noise_micro, drift_micro;
	int64_t stated_ns;		/* what the problem as it is stated
					   takes at the data sheet's peaks */
	struct kb_clocked_bound bound;	/* the same at the clock that was
					   sampled while candidate_ns was taken */
	const struct kb_problem *problem;
	const struct kb_result *result;
	const struct kb_reference_result *reference;
};

/* A bundle that a page is about, with all that it was made from, as far as it
 * is in the store, and what holds of it. */
struct kb_view {
	struct kb_bundle bundle;	/* a score, an evaluation, a baseline;
					   or one of which
					   kb_kind_has_times() says no */
	struct kb_lineage lineage;
	struct kb_checks checks;
	struct kb_bundle suite;		/* if lineage.suite is not NULL */
	struct kb_bundle submission;	/* the same */
	struct kb_metrics metrics;	/* without a score: of the rows */
	struct kb_ceiling ceiling;	/* of the device */
	struct kb_profile *profiles;	/* beside the evaluation; owned */
	size_t profile_count;
	bool has_bad_profile;		/* one cannot be read: then none is */
	struct kb_view_row *rows;	/* sorted by key and sample */
	size_t row_count;
};

#define KB_VIEW_INIT { .bundle = KB_BUNDLE_INIT,			\
		       .lineage = KB_LINEAGE_INIT,			\
		       .checks = KB_CHECKS_INIT,			\
		       .suite = KB_BUNDLE_INIT,				\
		       .submission = KB_BUNDLE_INIT,			\
		       .metrics = KB_METRICS_INIT }

/* A generation and a report are shown too, without rows: nothing of them was
 * measured by kb. */
bool kb_kind_has_times(enum kb_kind kind);

/*
 * Open the bundle `name` of `store` and check it as kb-verify does. A record of
 * which something does not hold can be looked at nevertheless, and its checks
 * say so.
 *
 * Fails as kb_store_open() and kb_lineage_load(); with KB_ERR_INPUT if it is
 * of another kind.
 */
int kb_view_open(struct kb_view *v, const char *store, const char *name,
		 const struct kb_signature_keys *keys, struct kb_err *err);
void kb_view_release(struct kb_view *v);

/* The provenance of its submission, or NULL. Borrowed. */
const struct kb_provenance *kb_view_provenance(const struct kb_view *v);

/* The conditions under which its times were taken. Borrowed. */
const struct kb_conditions *kb_view_conditions(const struct kb_view *v);

/* In which precision its problems were run: fp32 where no policy says, as on a
 * CPU; KB_PRECISION_COUNT if that is none of ours. */
enum kb_precision kb_view_precision(const struct kb_view *v);

/* Its metrics, of all problems. Borrowed. */
const struct kb_metrics *kb_view_overall(const struct kb_view *v);

/* "Llama", and "Llama (Meta)": who made the candidates, as far as records say,
 * else "Candidates for kernelbench";
 * "Baseline (eager)" of a baseline, "Reported by others" of a report,
 * "Answers of Llama" of a generation. Appended. */
void kb_view_name_print(struct kb_buf *out, const struct kb_view *v);
void kb_view_title_print(struct kb_buf *out, const struct kb_view *v);

/* The first digits of its id, which tables show and files are called after. */
#define KB_SHORT_ID 12
struct kb_short_id {
	char text[KB_SHORT_ID + 1];
};

struct kb_short_id kb_short_id(const struct kb_digest *id);

/* The source of a candidate, appended. Returns 1, or 0 if the view has no such;
 * fails as kb_bundle_read(). */
int kb_view_read_candidate(struct kb_buf *out, const struct kb_view *v,
			   struct kb_key key, int sample_id,
			   struct kb_err *err);

/* The rows with a speedup that count. The caller frees. */
struct kb_reach *kb_view_reaches(const struct kb_view *v, size_t *count);

static inline void kb_cleanup_view(struct kb_view *v)
{
	kb_view_release(v);
}

#endif
