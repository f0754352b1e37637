#ifndef KB_EXPORT_JOB_H
#define KB_EXPORT_JOB_H

#include "base/cleanup.h"
#include "export/export.h"
#include "export/made_files.h"
#include "export/time_summary.h"
#include "manifest/derivation.h"
#include "manifest/record.h"

struct kb_bundle;
struct kb_err;
struct kb_evaluation;
struct kb_score_list;
struct kb_submission;
struct kb_two_evaluations;

/* The user's options, parsed, for the makers of stages.c, scores.c, tables.c
 * and unseen_sizes.c. */
struct kb_export_job {
	const struct kb_export *e;
	struct kb_summary_choice choice;
	struct kb_score_list *scores;	/* gathered so far, borrowed */
	struct kb_two_evaluations *evaluations;	/* likewise */
};

/* From a bundle of the right kind to files. Fail as kb_export_make(). */
typedef int kb_export_maker(struct kb_made_files *out,
			    const struct kb_bundle *b,
			    const struct kb_export_job *job,
			    struct kb_err *err);

/* From all that was gathered from bundles, one or more, to files. */
typedef int kb_export_finisher(struct kb_made_files *out,
			       const struct kb_export_job *job,
			       struct kb_err *err);

/* From a baseline or an evaluation: stages.c. */
kb_export_maker kb_make_kernelbench_baseline;
kb_export_maker kb_make_kernelbench_eval;
kb_export_maker kb_make_kernelbench_runs;
kb_export_maker kb_make_kernelbench_pass_at_k;

/* From two evaluations: unseen_sizes.c. The maker puts each into
 * job->evaluations. */
kb_export_maker kb_make_unseen_sizes;
kb_export_finisher kb_finish_unseen_sizes;

/* From a generation: stages.c. */
kb_export_maker kb_make_turns;

/* From a score: scores.c. */
kb_export_maker kb_make_kernelbench_analysis;
kb_export_maker kb_make_leaderboard;

/* From scores: tables.c. A maker that takes several scores puts each into
 * job->scores, and makes no file. */
kb_export_maker kb_make_json;
kb_export_maker kb_make_score_row;
kb_export_finisher kb_finish_csv;
kb_export_finisher kb_finish_markdown;
kb_export_finisher kb_finish_latex;

struct kb_score_list *kb_score_list_new(void);
void kb_score_list_free(struct kb_score_list *l);
KB_DEFINE_CLEANUP(score_list, struct kb_score_list *, kb_score_list_free);

/* Open a parent of a bundle by its id; the message names the kind. */
int kb_export_open_parent(struct kb_bundle *b, const struct kb_digest *id,
			  enum kb_kind kind, const struct kb_export_job *job,
			  struct kb_err *err);

/* KernelBench's files name problems by number and mean its own: fails unless
 * what the bundle is of is these. */
int kb_export_check_derivation(enum kb_derivation derivation,
			       const struct kb_export_job *job,
			       struct kb_err *err);

/* Its submission, with the bundle that it is in. The caller releases both, in
 * any case. */
int kb_export_load_submission(struct kb_bundle *b, struct kb_submission *s,
			      const struct kb_evaluation *e,
			      const struct kb_export_job *job,
			      struct kb_err *err);

/*
 * The name of the run: the user's, otherwise the submitter's, otherwise the
 * beginning of the submission's id. Where no file has the name and none was
 * given, "run". The caller frees.
 */
int kb_export_name_run(char **out, const struct kb_evaluation *e,
		       const struct kb_export_job *job, struct kb_err *err);

#endif
