#ifndef KB_IMPORT_PACK_H
#define KB_IMPORT_PACK_H

#include <stddef.h>

#include "manifest/submission.h"
#include "manifest/suite.h"

struct kb_err;
struct kb_passed_over;

/* From loose files to named bundles. */

/* Each may be NULL: not said. */
struct kb_suite_labels {
	const char *name;
	const char *version;
	const char *upstream_commit;
	int64_t world;			/* 0: not said */
};

/* The files to pack, and the store; all borrowed. */
struct kb_pack {
	const char *const *paths;
	size_t count;			/* at least one */
	const char *store;
	struct kb_passed_over *passed_over;	/* receives what there was that
						   is not taken, on success;
						   or NULL */
};

#define KB_SUITE_LABELS_FILE "suite.json"
#define KB_SUITE_LABELS_BYTES_MAX ((size_t)4 << 20)

/*
 * Pack problem files and folders of them into a suite. A suite
 * that is one folder may say its labels in suite.json, {"name", "version",
 * "upstream_commit", "conventions", "world"}, each optional, and else has the
 * folder's name;
 * `labels` (may be NULL) wins over both. That file may also have "problems":
 * the facts of some of them, by key. `id` receives the bundle's id.
 *
 * Fails with KB_ERR_USAGE if the suite has no name, KB_ERR_INPUT if it has
 * no problems, a file is refused or there are facts of a problem that is
 * not there, KB_ERR_MISSING, KB_ERR_SYS.
 */
int kb_suite_pack(const struct kb_pack *p,
		  const struct kb_suite_labels *labels, struct kb_digest *id,
		  struct kb_err *err);

/*
 * Pack a submission: one leaderboard JSON file or one of CUDA-L1's, or
 * one run folder, or folders and files of candidates. What `over` (may be
 * NULL) knows wins over what they carry. Fails as kb_suite_pack().
 */
int kb_submission_pack(const struct kb_pack *p,
		       const struct kb_provenance *over, struct kb_digest *id,
		       struct kb_err *err);

#endif
