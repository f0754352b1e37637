#ifndef KB_MANIFEST_METRICS_H
#define KB_MANIFEST_METRICS_H

#include <stdint.h>

#include "manifest/record.h"
#include "manifest/status.h"

struct kb_fields;
struct kb_json;

/*
 * The numbers of a score, of one level or of all. They are counts and
 * integers; whoever prints a rate divides by `problems`, which counts the
 * problems without a candidate, too.
 */

/* The p of fast_p in thousandths, as records list them. */
#define KB_FAST_COUNT 6
extern const int kb_fast_p_milli[KB_FAST_COUNT];	/* 0 500 800 ... */

struct kb_metrics {
	int64_t problems;
	int64_t compiled;
	int64_t correct;
	int64_t fast[KB_FAST_COUNT];	/* counts, by kb_fast_p_milli */
	int64_t geomean_speedup_micro;	/* 10^6 * speedup, or KB_UNKNOWN */
	int64_t status_counts[KB_STATUS_COUNT];
};

#define KB_METRICS_INIT { .geomean_speedup_micro = KB_UNKNOWN }

/* Set the members of `object`, which may have others. */
void kb_metrics_to_json(struct kb_json *object, const struct kb_metrics *m);

/* Read them. `compiled` is at most `problems`, `correct` at most
 * `compiled`, and counts for a larger p are not above those for a smaller. */
void kb_metrics_read(struct kb_metrics *m, struct kb_fields *f);

#endif
