#include "verify/derivation.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/text.h"
#include "manifest/suite.h"
#include "store/bundle.h"
#include "verify/checks.h"
#include "verify/lineage.h"

/* The name of a check. A suite of both kinds has the name of the larger
 * change. */
static const char *name_of(const struct kb_suite *s)
{
	return s->backward.is_set ? "backward" : "sizes";
}

#define add(c, s, answer, ...)						\
	kb_checks_add(c, KB_LAYER_CHAIN, name_of(s), answer, __VA_ARGS__)

/* The labels that a derived suite shares with its parent. */
static void check_labels(struct kb_checks *c, const struct kb_suite *s,
			 const struct kb_suite *parent)
{
	if (kb_suite_is_derived(parent))
		add(c, s, KB_ANSWER_NO, "the parent is derived itself");
	if (!kb_text_equal(s->version, parent->version))
		add(c, s, KB_ANSWER_NO, "'version' is not the parent's");
	if (!kb_text_equal(s->upstream_commit, parent->upstream_commit))
		add(c, s, KB_ANSWER_NO, "'upstream_commit' is not the parent's");
	if (!kb_text_equal(s->conventions, parent->conventions))
		add(c, s, KB_ANSWER_NO, "'conventions' are not the parent's");
	if (s->world != parent->world)
		add(c, s, KB_ANSWER_NO, "'world' is not the parent's");
	if (!kb_suite_modules_equal(s, parent))
		add(c, s, KB_ANSWER_NO, "'modules' are not the parent's");
}

/* Every problem of the parent is in a suite of gradients or told to be left
 * out; with sizes, also where they name it. */
static void check_left_out(struct kb_checks *c, const struct kb_suite *s,
			   const struct kb_suite *parent)
{
	const struct kb_backward *b = &s->backward;
	char key[KB_KEY_SIZE];

	for (size_t i = 0; i < b->count; i++) {
		kb_key_format(key, b->left_out[i].key);
		if (!kb_suite_find(parent, b->left_out[i].key))
			add(c, s, KB_ANSWER_NO,
			    "problem %s is left out, and the parent has none",
			    key);
	}
	for (size_t i = 0; b->is_set && !s->sizes.count &&
	     i < parent->problem_count; i++) {
		const struct kb_problem *p = &parent->problems[i];

		kb_key_format(key, p->key);
		if (!kb_suite_find(s, p->key) && !kb_backward_find(b, p->key))
			add(c, s, KB_ANSWER_NO,
			    "the parent's problem %s is neither there nor left "
			    "out", key);
	}
}

/* The parent's problem of the same name: its file, changed once more, is
 * `p`'s. */
static int compare_files(const struct kb_lineage *l, const struct kb_bundle *b,
			 const struct kb_problem *p,
			 const struct kb_problem *of, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf want = KB_BUF_INIT, file = KB_BUF_INIT;
	const struct kb_suite *s = l->suite;
	size_t count;
	struct kb_size *sizes = kb_sizes_find(&s->sizes, p->key, &count);
	int ret = kb_bundle_read(&want, &l->parent_suite_bundle, of->file,
				 KB_PROBLEM_BYTES_MAX, err);

	if (ret == 0 && sizes)
		ret = kb_sizes_apply(&want, sizes, count, err);
	if (ret == 0 && s->backward.is_set)
		kb_backward_append(&s->backward, &want);
	if (ret == 0)
		ret = kb_bundle_read(&file, b, p->file, KB_PROBLEM_BYTES_MAX,
				     err);
	if (ret < 0)
		return ret;
	if (file.len != want.len || memcmp(file.data, want.data, file.len))
		return kb_err(err, KB_ERR_INPUT, "is not the parent's file "
			      "with %s", s->backward.is_set ?
			      "the text of gradients" : "these sizes");
	return 0;
}

static int compare_problem(const struct kb_lineage *l,
			   const struct kb_bundle *b,
			   const struct kb_problem *p, struct kb_err *err)
{
	const struct kb_problem *of = kb_suite_find(l->parent_suite, p->key);

	if (!of)
		return kb_err(err, KB_ERR_INPUT, "the parent has none");
	if (strcmp(p->file, of->file))
		return kb_err(err, KB_ERR_INPUT, "'%s' is '%s' in the parent",
			      p->file, of->file);
	return compare_files(l, b, p, of, err);
}

static int check_problem(struct kb_checks *c, const struct kb_lineage *l,
			 const struct kb_bundle *b, const struct kb_problem *p,
			 struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	char key[KB_KEY_SIZE];
	int ret = compare_problem(l, b, p, &why);

	if (ret < 0 && !kb_is_answer(ret))
		return kb_err_take(err, &why);
	kb_key_format(key, p->key);
	if (ret < 0)
		add(c, l->suite, KB_ANSWER_NO, "problem %s: %s", key, why.msg);
	return 0;
}

/* In what the files differ from the parent's, as far as the record says. */
static void add_difference(struct kb_checks *c, const struct kb_suite *s,
			   enum kb_answer answer, const char *what)
{
	static const char text[] = "the text of gradients behind them";

	switch (kb_suite_derivation(s)) {
	case KB_DERIVATION_BACKWARD:
		add(c, s, answer, "%s but for %s", what, text);
		break;
	case KB_DERIVATION_BOTH:
		add(c, s, answer, "%s but for %zu constants and %s", what,
		    s->sizes.count, text);
		break;
	default:
		add(c, s, answer, "%s but for %zu constants", what,
		    s->sizes.count);
	}
}

static bool has_remedies(const struct kb_suite *s)
{
	for (size_t i = 0; i < s->problem_count; i++)
		if (s->problems[i].derived_remedies.count)
			return true;
	return false;
}

/* Of sizes alone. In 0.2.0 such suites had no remedies, as one has that lost all. */
static void check_remedies(struct kb_checks *c, const struct kb_suite *s,
			   const struct kb_suite *parent)
{
	const bool has = has_remedies(s);
	bool differs = false;
	char key[KB_KEY_SIZE];

	for (size_t i = 0; i < s->problem_count; i++) {
		const struct kb_problem *p = &s->problems[i];
		const struct kb_problem *of = kb_suite_find(parent, p->key);

		if (!of || kb_remedies_equal(&p->derived_remedies,
					     kb_problem_remedies(of)))
			continue;
		differs = true;
		kb_key_format(key, p->key);
		if (has)
			add(c, s, KB_ANSWER_NO,
			    "problem %s: 'remedy' is not the parent's", key);
	}
	if (differs && !has)
		add(c, s, KB_ANSWER_NOT_CHECKED, "whether there was a 'remedy', "
		    "which the parent has and suites of kb 0.2.0 lack");
}

int kb_derivation_check(struct kb_checks *c, const struct kb_lineage *l,
			const struct kb_bundle *b, struct kb_err *err)
{
	const struct kb_suite *s = l->suite;
	char files[64];
	int ret = 0;

	if (l->kind != KB_KIND_SUITE || !kb_suite_is_derived(s))
		return 0;
	if (!l->parent_suite) {
		add_difference(c, s, KB_ANSWER_NOT_CHECKED,
			       "whether the files are the parent's");
		return 0;
	}
	check_labels(c, s, l->parent_suite);
	check_left_out(c, s, l->parent_suite);
	if (kb_suite_derivation(s) == KB_DERIVATION_SIZES)
		check_remedies(c, s, l->parent_suite);
	for (size_t i = 0; i < s->problem_count && ret == 0; i++)
		ret = check_problem(c, l, b, &s->problems[i], err);
	snprintf(files, sizeof(files), "%zu files are the parent's",
		 s->problem_count);
	if (ret == 0 && !kb_checks_count(c, name_of(s), KB_ANSWER_NO))
		add_difference(c, s, KB_ANSWER_OK, files);
	return ret;
}
