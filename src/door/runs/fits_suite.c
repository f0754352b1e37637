#include "runs/fits_suite.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/utf8.h"
#include "manifest/problem_audit.h"
#include "manifest/problem_facts.h"
#include "manifest/submission.h"
#include "manifest/suite.h"

/* The most keys that fit on a line with the words. */
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

/* Keys of problems, of which the first few are shown. */
struct shown_keys {
	struct kb_buf text;
	size_t count;
};

static void kb_cleanup_shown_keys(struct shown_keys *k)
{
	kb_buf_release(&k->text);
}

static void show_key(struct shown_keys *k, struct kb_key key)
{
	char text[KB_KEY_SIZE];

	kb_key_format(text, key);
	if (k->count < SHOWN)
		kb_buf_addf(&k->text, "%s%s", k->count ? ", " : "", text);
	else if (k->count == SHOWN)
		kb_buf_addstr(&k->text, ", ...");
	k->count++;
}

/* Candidates are sorted: those of one problem stand together. */
void kb_print_lacking(const struct kb_submission *s,
		      const struct kb_suite *suite)
{
	kb_auto(shown_keys) struct shown_keys lacking = { KB_BUF_INIT, 0 };
	struct kb_key last = { 0, 0 };
	size_t candidates = 0;

	for (size_t i = 0; i < s->candidate_count; i++) {
		const struct kb_key key = s->candidates[i].key;

		if (kb_suite_find(suite, key))
			continue;
		candidates++;
		if (kb_key_compare(key, last))
			show_key(&lacking, key);
		last = key;
	}
	if (candidates)
		fprintf(stderr, "%zu candidate%s not judged, since the suite "
			"lacks %s\n", candidates, candidates > 1 ? "s are" : " is",
			lacking.text.data);
}

void kb_print_trivial(const struct kb_suite *suite, const struct kb_key *keys,
		      size_t count, bool has_alternates)
{
	kb_auto(shown_keys) struct shown_keys pass = { KB_BUF_INIT, 0 };
	kb_auto(shown_keys) struct shown_keys unknown = { KB_BUF_INIT, 0 };

	for (size_t i = 0; i < count; i++) {
		const struct kb_problem *p = kb_suite_find(suite, keys[i]);
		const struct kb_problem_facts *f = p->facts;

		if (p->runtime != KB_RUNTIME_TORCH ||
		    (kb_problem_remedies(p)->count && has_alternates))
			continue;
		if (!f || !f->audit)
			show_key(&unknown, keys[i]);
		else if (!kb_findings_sound(&f->audit->findings))
			show_key(&pass, keys[i]);
	}
	if (pass.count)
		fprintf(stderr, "an answer that does not compute all of it can "
			"pass, by the suite's audit: %zu problem%s, %s\n",
			pass.count, pass.count > 1 ? "s" : "", pass.text.data);
	if (unknown.count)
		fprintf(stderr, "whether zeros would pass is not known without "
			"an audit: %zu problem%s, %s\n", unknown.count,
			unknown.count > 1 ? "s" : "", unknown.text.data);
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
