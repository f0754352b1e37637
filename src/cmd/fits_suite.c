#include "cmd/fits_suite.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/utf8.h"
#include "manifest/submission.h"
#include "manifest/suite.h"

/* Every candidate is for a problem of the suite: a wrong suite would show
 * only as a score of missing candidates. */
static int check_candidates(const struct kb_submission *s,
			    const struct kb_suite *suite, struct kb_err *err)
{
	for (size_t i = 0; i < s->candidate_count; i++) {
		char key[KB_KEY_SIZE];

		if (kb_suite_find(suite, s->candidates[i].key))
			continue;
		kb_key_format(key, s->candidates[i].key);
		return kb_err(err, KB_ERR_INPUT,
			      "the submission has a candidate for '%s', which "
			      "suite '%s' lacks", key, suite->name);
	}
	return 0;
}

/* What was made for a suite is judged at other sizes as it is: candidates for
 * problems of which there are no other sizes are none that are wrong. What was
 * made for a forward pass is no backward pass. */
int kb_fits_suite(const struct kb_submission *s, const struct kb_suite *suite,
		  const char *store, struct kb_err *err)
{
	kb_auto(suite) struct kb_suite parent = KB_SUITE_INIT;
	int ret;

	if (kb_suite_derivation(suite) != KB_DERIVATION_SIZES ||
	    check_candidates(s, suite, NULL) == 0)
		return check_candidates(s, suite, err);
	ret = kb_suite_open_parent(&parent, suite, store, err);
	return ret < 0 ? ret : check_candidates(s, &parent, err);
}

void kb_print_derived(const struct kb_suite *suite)
{
	static const char *const differs[KB_DERIVATION_COUNT] = {
		[KB_DERIVATION_SIZES] = "has other sizes than",
		[KB_DERIVATION_BACKWARD] = "has gradients of the problems of",
		[KB_DERIVATION_BOTH] =
			"has gradients, at other sizes, of the problems of",
	};
	kb_auto(buf) struct kb_buf name = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];

	if (!kb_suite_is_derived(suite))
		return;
	kb_utf8_clean(&name, suite->name, strlen(suite->name));
	kb_digest_format(&suite->parent, hex);
	fprintf(stderr, "suite '%s' %s %.12s, from which it is derived\n",
		name.data, differs[kb_suite_derivation(suite)], hex);
}
