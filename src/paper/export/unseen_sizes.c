#include "export/unseen_sizes.h"

#include "base/buf.h"
#include "base/err.h"
#include "export/job.h"
#include "manifest/suite.h"
#include "store/bundle.h"

void kb_two_evaluations_release(struct kb_two_evaluations *t)
{
	for (size_t i = 0; i < t->count; i++)
		kb_evaluation_release(&t->items[i]);
	*t = (struct kb_two_evaluations)KB_TWO_EVALUATIONS_INIT;
}

int kb_unseen_sizes_check(const struct kb_evaluation *seen,
			  const struct kb_evaluation *unseen,
			  const struct kb_suite *suite, struct kb_err *err)
{
	if (kb_suite_derivation(suite) != KB_DERIVATION_SIZES)
		return kb_err(err, KB_ERR_INPUT,
			      "the second evaluation's suite is not derived by "
			      "sizes");
	if (!kb_digest_equal(&suite->parent, &seen->suite))
		return kb_err(err, KB_ERR_INPUT,
			      "the second evaluation's suite is not derived "
			      "from the first's");
	if (!kb_digest_equal(&unseen->submission, &seen->submission))
		return kb_err(err, KB_ERR_INPUT,
			      "the evaluations are of two submissions");
	return 0;
}

/* The next result of either, in the order of samples; NULL where it has none
 * of that sample. */
static void take_row(const struct kb_result **a, const struct kb_result *a_end,
		     const struct kb_result **b, const struct kb_result *b_end,
		     const struct kb_result *row[2])
{
	const bool has_a = *a < a_end, has_b = *b < b_end;
	const int order = !has_a ? 1 : !has_b ? -1 :
		kb_sample_compare((*a)->key, (*a)->sample_id, (*b)->key,
				  (*b)->sample_id);

	row[0] = order <= 0 ? (*a)++ : NULL;
	row[1] = order >= 0 ? (*b)++ : NULL;
}

static void print_row(struct kb_buf *out, const struct kb_result *const row[2])
{
	const struct kb_result *r = row[0] ? row[0] : row[1];
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->key);
	kb_buf_addf(out, "%s\t%d", key, r->sample_id);
	for (int i = 0; i < 2; i++)
		kb_buf_addf(out, "\t%s", row[i] ?
			    kb_status_name(row[i]->outcome.status) : "-");
	kb_buf_addch(out, '\n');
}

void kb_unseen_sizes_print(struct kb_buf *out,
			   const struct kb_evaluation *seen,
			   const struct kb_evaluation *unseen)
{
	const struct kb_result *a = seen->results, *b = unseen->results;
	const struct kb_result *a_end = a + seen->result_count;
	const struct kb_result *b_end = b + unseen->result_count;
	const struct kb_result *row[2];

	kb_buf_addstr(out, "problem\tsample\tstatus\tstatus_on_unseen_sizes\n");
	while (a < a_end || b < b_end) {
		take_row(&a, a_end, &b, b_end, row);
		print_row(out, row);
	}
}

int kb_make_unseen_sizes(struct kb_made_files *out, const struct kb_bundle *b,
			 const struct kb_export_job *job, struct kb_err *err)
{
	struct kb_two_evaluations *two = job->evaluations;
	int ret = kb_evaluation_load(&two->items[two->count], b, err);

	(void)out;
	two->count += ret == 0;
	return ret;
}

int kb_finish_unseen_sizes(struct kb_made_files *out,
			   const struct kb_export_job *job, struct kb_err *err)
{
	const struct kb_evaluation *seen = &job->evaluations->items[0];
	const struct kb_evaluation *unseen = &job->evaluations->items[1];
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(suite) struct kb_suite suite = KB_SUITE_INIT;
	int ret;

	ret = kb_export_open_parent(&b, &unseen->suite, KB_KIND_SUITE, job,
				    err);
	if (ret == 0)
		ret = kb_suite_load(&suite, &b, err);
	if (ret == 0)
		ret = kb_unseen_sizes_check(seen, unseen, &suite, err);
	if (ret < 0)
		return ret;
	kb_unseen_sizes_print(kb_made_files_add(out, NULL), seen, unseen);
	return 0;
}
