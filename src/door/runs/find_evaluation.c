#include "runs/find_evaluation.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/evaluation.h"
#include "store/one_member.h"
#include "store/store.h"

/* Read only the record: there may be thousands of bundles. */
static bool is_wanted(const char *store, const struct kb_digest *id,
		      const struct kb_digest *suite,
		      const struct kb_digest *submission)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	enum kb_kind kind;

	return kb_store_open_member(&b, store, id, KB_BUNDLE_RECORD,
				    NULL) == 0 &&
	       kb_record_kind(&kind, &b, NULL) == 0 &&
	       kind == KB_KIND_EVALUATION &&
	       kb_evaluation_load_record(&e, &b, NULL) == 0 &&
	       kb_digest_equal(&e.suite, suite) &&
	       kb_digest_equal(&e.submission, submission);
}

int kb_find_evaluation(struct kb_digest *out, const char *store,
		       const struct kb_digest *suite,
		       const struct kb_digest *submission, struct kb_err *err)
{
	kb_auto(mem) struct kb_digest *ids = NULL;
	size_t count;
	int ret = kb_store_list(&ids, &count, store, err);

	for (size_t i = 0; i < count && ret == 0; i++)
		if (is_wanted(store, &ids[i], suite, submission)) {
			*out = ids[i];
			ret = 1;
		}
	return ret;
}
