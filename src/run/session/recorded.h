#ifndef KB_SESSION_RECORDED_H
#define KB_SESSION_RECORDED_H

#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "session/session.h"

struct kb_err;

/*
 * An evaluation whose candidates are run again, on this machine: its record,
 * its parents, and a session under its policy. kb-verify --remeasure and
 * kb-eval --profile have it in common.
 */
struct kb_recorded {
	struct kb_evaluation evaluation;
	struct kb_bundle bundle;		/* the submission's */
	struct kb_submission submission;
	char suite_hex[KB_DIGEST_HEX_SIZE];
	char *problem_list;			/* those of the evaluation */
	struct kb_option *options;		/* the session's table; owned */
	struct kb_session session;
};

#define KB_RECORDED_INIT {						\
	.evaluation = KB_EVALUATION_INIT, .bundle = KB_BUNDLE_INIT,	\
	.submission = KB_SUBMISSION_INIT, .session = KB_SESSION_INIT,	\
}

void kb_recorded_release(struct kb_recorded *r);

/* Options of this machine, which a record does not have; all borrowed. */
struct kb_recorded_asked {
	const char *store;		/* where suite and submission are */
	const char *device;		/* NULL: any of the kind that it was
					   made on */
	const char *python, *cc, *nvcc, *weights;	/* NULL: the default */
	const char *salt_file;		/* NULL: ids of GPUs as they are */
};

/* Open the parents of the evaluation, which has been loaded. The suite is only
 * looked for: the session opens it. Fails as kb_store_open_id(). */
int kb_recorded_open_parents(struct kb_recorded *r, const char *store,
			     struct kb_err *err);

/* The candidate that a result is of, or NULL if the submission has no such. */
const struct kb_candidate *kb_recorded_candidate(const struct kb_recorded *r,
						 const struct kb_result *result);

/*
 * Prepare the session of `tool` as kb-eval would, asked for the whole
 * evaluation, so that what is recorded of this machine is what it recorded of
 * its own. Fails as kb_session_prepare(), and with KB_ERR_INPUT if the record
 * cannot be had here.
 */
int kb_recorded_prepare_session(struct kb_recorded *r, const char *tool,
				const struct kb_recorded_asked *asked,
				struct kb_err *err);

/* The same, and open its one device and note the conditions. */
int kb_recorded_open_session(struct kb_recorded *r, const char *tool,
			     const struct kb_recorded_asked *asked,
			     struct kb_err *err);

#endif
