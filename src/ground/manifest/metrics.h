#ifndef KB_MANIFEST_METRICS_H
#define KB_MANIFEST_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/at_k.h"
#include "manifest/record.h"
#include "manifest/share.h"
#include "manifest/status.h"

struct kb_fields;
struct kb_json;

/*
 * The numbers of a score, of one level or of all. They are counts and
 * integers; whoever prints a rate divides by `problems`, which counts the
 * problems without a candidate, too, unless the score has shares, which are
 * then the rates by its definition.
 */

/* The p of fast_p in thousandths, as records list them. */
#define KB_FAST_COUNT KB_AT_K_FAST_COUNT
#define KB_FAST_1 3		/* the index of p = 1, faster at all */
extern const int kb_fast_p_milli[KB_FAST_COUNT];	/* 0 500 800 ... */

/*
 * The numbers that follow from the intervals of times. Of the correct
 * candidates with both times, `certain` are faster than p wherever in their
 * intervals the times may be, and `undecided` may be or not.
 */
struct kb_certainty {
	int64_t certain[KB_FAST_COUNT];		/* at most `fast` */
	int64_t undecided[KB_FAST_COUNT];
	int64_t geomean_low_micro;		/* or KB_UNKNOWN */
	int64_t geomean_high_micro;
};

/* Rates that are not counts divided by `problems`. */
struct kb_shares {
	struct kb_share compiled, correct;
	struct kb_share fast[KB_FAST_COUNT];
	int64_t geomean_speedup_nano;		/* or KB_UNKNOWN */
};

struct kb_metrics {
	int64_t problems;
	int64_t compiled;
	int64_t correct;
	int64_t fast[KB_FAST_COUNT];	/* counts, by kb_fast_p_milli */
	int64_t geomean_speedup_micro;	/* 10^6 * speedup, or KB_UNKNOWN */
	int64_t status_counts[KB_STATUS_COUNT];
	bool has_certainty;		/* with `certainty` and `at_k` */
	struct kb_certainty certainty;
	struct kb_at_k *at_k;		/* owned, and what is in it */
	size_t at_k_count;
	bool has_shares;
	struct kb_shares shares;	/* owned */
};

#define KB_METRICS_INIT { .geomean_speedup_micro = KB_UNKNOWN }

void kb_metrics_release(struct kb_metrics *m);

/* Correct candidates without a speedup: no fast_p and, but for upstream's
 * presets, no mean knows of them. */
int64_t kb_metrics_untimed(const struct kb_metrics *m);

/* Set the members of `object`, which may have others. */
void kb_metrics_to_json(struct kb_json *object, const struct kb_metrics *m);

/*
 * Read them. `compiled` is at most `problems`, `correct` at most
 * `compiled`, and counts for a larger p are not above those for a smaller.
 * If `f` has failed `m` may be filled in part; the caller releases it.
 */
void kb_metrics_read(struct kb_metrics *m, struct kb_fields *f);

#endif
