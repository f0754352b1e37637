#include "verify/derivation.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/text.h"
#include "manifest/suite.h"
#include "store/bundle.h"
#include "verify/checks.h"
#include "verify/lineage.h"

#define add(c, answer, ...)						\
	kb_checks_add(c, KB_LAYER_CHAIN, "sizes", answer, __VA_ARGS__)

/* What a derived suite has of its parent, beside problems. */
static void check_labels(struct kb_checks *c, const struct kb_suite *s,
			 const struct kb_suite *parent)
{
	if (kb_suite_is_derived(parent))
		add(c, KB_ANSWER_NO, "the parent is derived by sizes itself");
	if (!kb_text_equal(s->version, parent->version))
		add(c, KB_ANSWER_NO, "'version' is not the parent's");
	if (!kb_text_equal(s->upstream_commit, parent->upstream_commit))
		add(c, KB_ANSWER_NO, "'upstream_commit' is not the parent's");
}

/* Of a problem by the same name: its file at the new sizes is `p`'s. */
static int compare_files(const struct kb_lineage *l, const struct kb_bundle *b,
			 const struct kb_problem *p,
			 const struct kb_problem *of, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf want = KB_BUF_INIT, file = KB_BUF_INIT;
	size_t count;
	struct kb_size *sizes = kb_sizes_find(&l->suite->sizes, p->key, &count);
	int ret = kb_bundle_read(&want, &l->parent_suite_bundle, of->file,
				 KB_PROBLEM_BYTES_MAX, err);

	if (ret == 0)
		ret = kb_sizes_apply(&want, sizes, count, err);
	if (ret == 0)
		ret = kb_bundle_read(&file, b, p->file, KB_PROBLEM_BYTES_MAX,
				     err);
	if (ret < 0)
		return ret;
	if (file.len != want.len || memcmp(file.data, want.data, file.len))
		return kb_err(err, KB_ERR_INPUT,
			      "is not the parent's file with these sizes");
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
		add(c, KB_ANSWER_NO, "problem %s: %s", key, why.msg);
	return 0;
}

int kb_derivation_check(struct kb_checks *c, const struct kb_lineage *l,
		   const struct kb_bundle *b, struct kb_err *err)
{
	const struct kb_suite *s = l->suite;
	int ret = 0;

	if (l->kind != KB_KIND_SUITE || !kb_suite_is_derived(s))
		return 0;
	if (!l->parent_suite) {
		add(c, KB_ANSWER_NOT_CHECKED,
		    "whether the files are the parent's but for %zu constants",
		    s->sizes.count);
		return 0;
	}
	check_labels(c, s, l->parent_suite);
	for (size_t i = 0; i < s->problem_count && ret == 0; i++)
		ret = check_problem(c, l, b, &s->problems[i], err);
	if (ret == 0 && !kb_checks_count(c, "sizes", KB_ANSWER_NO))
		add(c, KB_ANSWER_OK,
		    "%zu files are the parent's but for %zu constants",
		    s->problem_count, s->sizes.count);
	return ret;
}
