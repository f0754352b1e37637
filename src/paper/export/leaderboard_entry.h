#ifndef KB_EXPORT_LEADERBOARD_ENTRY_H
#define KB_EXPORT_LEADERBOARD_ENTRY_H

#include "export/analysis.h"

struct kb_err;
struct kb_provenance;
struct kb_suite;

/*
 * The files of KernelBench's leaderboard for a submission, from a score by the
 * preset "leaderboard":
 *
 *	data/metadata.json		an array, with one entry here
 *	data/results/<unique_id>.json	{"entry": ..., "level_results": [...]}
 *	data/kernels.json		each problem, with what this submission
 *					made of it, if it did
 *
 * An entry has id, unique_id, display_name, organization, hardware, timestamp,
 * metrics, level_stats and notes. The leaderboard merges by "unique_id",
 * "<run>_<hardware>". Its timestamp is when it was told; ours is when the
 * candidates were made, or null.
 */
struct kb_leaderboard_entry {
	struct kb_analysis analysis;
	const struct kb_provenance *provenance;	/* all borrowed */
	const struct kb_suite *suite;
	const char *unique_id;
};

void kb_leaderboard_metadata_print(struct kb_buf *out,
				   const struct kb_leaderboard_entry *e);
void kb_leaderboard_results_print(struct kb_buf *out,
				  const struct kb_leaderboard_entry *e);

/* Fails with KB_ERR_INPUT if the suite lacks a problem. */
int kb_leaderboard_kernels_print(struct kb_buf *out,
				 const struct kb_leaderboard_entry *e,
				 struct kb_err *err);

#endif
