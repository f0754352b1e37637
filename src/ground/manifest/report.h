#ifndef KB_MANIFEST_REPORT_H
#define KB_MANIFEST_REPORT_H

#include <stdbool.h>

#include "manifest/metrics.h"
#include "manifest/record.h"

/*
 * A report: what somebody says of results that we did not measure, and what
 * follows from it by definitions of others. It has no samples, no conditions
 * and no match key, and is a kind of its own, so that nothing takes it for an
 * evaluation, a baseline or a score.
 *
 * The bundle holds the files that it was made from, byte for byte; the numbers
 * are a function of these, so that anybody can make them again.
 */
#define KB_REPORT_RESULTS "data/results.json"
#define KB_REPORT_BASELINE "data/baseline.json"
#define KB_REPORT_BYTES_MAX ((size_t)64 << 20)	/* of each file */

enum kb_report_format {
	KB_REPORT_KERNELBENCH,		/* eval_results.json, and a baseline */
	KB_REPORT_V3,			/* rows of KernelBench v3 */
	KB_REPORT_FORMAT_COUNT,		/* not a format */
};

const char *kb_report_format_name(enum kb_report_format format);

/* Fails with KB_ERR_INPUT; the message lists the names there are. */
int kb_report_format_parse(enum kb_report_format *out, const char *name,
			   struct kb_err *err);

struct kb_report_file {
	struct kb_digest digest;
	uint64_t size_bytes;
};

/* By score/kernelbench.h, from sample 0 of each problem. */
struct kb_report_level {
	int level;
	int64_t problems;		/* of the dataset, or that a file has */
	int64_t results;		/* of these, with a result */
	int64_t compiled, correct;
	int64_t with_baseline;		/* time, or of v3's with a speedup */
	int64_t fast[KB_FAST_COUNT];	/* counts, by kb_fast_p_milli */
	int64_t geomean_speedup_nano;	/* or KB_UNKNOWN */
};

/*
 * Results have numbers and times have names. A dataset, which has both, says
 * which belong together: an object of KernelBench's "upstream_commit" and of
 * three arrays with what has no counterpart, "problems_left_out" and
 * "times_left_out" of files' names and "results_left_out" of numbers. Without
 * one, as in the first reports, times are taken by the numbers that their
 * names begin with.
 */
struct kb_report {
	struct kb_json *tool;
	enum kb_report_format format;
	int level;			/* of all results; 0: they say theirs */
	char *run;			/* whose rows are meant; NULL: all */
	struct kb_report_file results;
	bool has_baseline;
	struct kb_report_file baseline;
	struct kb_json *dataset;	/* what joined the two, or NULL */
	struct kb_report_level *levels;	/* ascending, one or more */
	size_t level_count;
};

#define KB_REPORT_INIT { .tool = NULL }

void kb_report_release(struct kb_report *r);
struct kb_json *kb_report_to_json(const struct kb_report *r);
int kb_report_from_json(struct kb_report *out, const struct kb_json *record,
			const char *where, struct kb_err *err);

/* The record of a bundle, and that its files are what it says. */
int kb_report_load(struct kb_report *out, const struct kb_bundle *b,
		   struct kb_err *err);

static inline void kb_cleanup_report(struct kb_report *r)
{
	kb_report_release(r);
}

#endif
