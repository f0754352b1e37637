#include "cmd/fits_suite.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/utf8.h"
#include "manifest/submission.h"
#include "manifest/suite.h"

/* As many as fit on a line beside the words. */
#define SHOWN 5

int kb_fits_suite(const struct kb_submission *s, const struct kb_suite *suite,
		  struct kb_err *err)
{
	char key[KB_KEY_SIZE];

	for (size_t i = 0; i < s->candidate_count; i++)
		if (kb_suite_find(suite, s->candidates[i].key))
			return 0;
	if (!s->candidate_count)
		return 0;
	kb_key_format(key, s->candidates[0].key);
	return kb_err(err, KB_ERR_INPUT,
		      "the submission has no candidate for a problem of suite "
		      "'%s': the first is for '%s', which it lacks",
		      suite->name, key);
}

/* Candidates are sorted: those of one problem stand together. */
void kb_print_lacking(const struct kb_submission *s,
		      const struct kb_suite *suite)
{
	kb_auto(buf) struct kb_buf list = KB_BUF_INIT;
	size_t candidates = 0, problems = 0;
	struct kb_key last = { 0, 0 };

	for (size_t i = 0; i < s->candidate_count; i++) {
		const struct kb_key key = s->candidates[i].key;
		char text[KB_KEY_SIZE];

		if (kb_suite_find(suite, key))
			continue;
		candidates++;
		if (kb_key_compare(key, last) == 0)
			continue;
		last = key;
		kb_key_format(text, key);
		if (problems++ < SHOWN)
			kb_buf_addf(&list, "%s%s", problems > 1 ? ", " : "",
				    text);
	}
	if (!candidates)
		return;
	fprintf(stderr, "%zu candidate%s %s judged, since the suite lacks %s%s\n",
		candidates, candidates > 1 ? "s" : "",
		candidates > 1 ? "are not" : "is not", list.data,
		problems > SHOWN ? ", ..." : "");
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
