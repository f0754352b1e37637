#include "export/job.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "store/store.h"

#define RUN_DIGITS 12	/* of an id, for a run without a name */

int kb_export_open_parent(struct kb_bundle *b, const struct kb_digest *id,
			  enum kb_kind kind, const struct kb_export_job *job,
			  struct kb_err *err)
{
	int ret = kb_store_open_id(b, job->e->store, id, err);

	return ret < 0 ? kb_err_wrap(err, "its %s", kb_kind_name(kind)) : 0;
}

int kb_export_check_derivation(enum kb_derivation derivation,
			       const struct kb_export_job *job,
			       struct kb_err *err)
{
	static const char *const what[KB_DERIVATION_COUNT] = {
		[KB_DERIVATION_SIZES] =
			"at other sizes than its problems' own",
		[KB_DERIVATION_BACKWARD] = "of its problems' gradients",
		[KB_DERIVATION_BOTH] =
			"of its problems' gradients at other sizes",
	};

	if (derivation == KB_DERIVATION_NONE)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "it is %s, which format '%s' cannot say",
		      what[derivation], job->e->format);
}

int kb_export_load_submission(struct kb_bundle *b, struct kb_submission *s,
			      const struct kb_evaluation *e,
			      const struct kb_export_job *job,
			      struct kb_err *err)
{
	int ret = kb_export_open_parent(b, &e->submission, KB_KIND_SUBMISSION,
					job, err);

	return ret < 0 ? ret : kb_submission_load(s, b, err);
}

int kb_export_name_run(char **out, const struct kb_evaluation *e,
		       const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	if (job->e->run_name || !job->e->with_paths) {
		*out = kb_xstrdup(job->e->run_name ? job->e->run_name : "run");
		return 0;
	}
	ret = kb_export_load_submission(&b, &s, e, job, err);
	if (ret < 0)
		return ret;
	kb_digest_format(&b.id, hex);
	*out = s.provenance.run_name ? kb_xstrdup(s.provenance.run_name)
				     : kb_xstrndup(hex, RUN_DIGITS);
	return 0;
}
