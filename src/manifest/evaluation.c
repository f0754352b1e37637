#include "manifest/evaluation.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/lines.h"
#include "manifest/result.h"
#include "store/bundle.h"

void kb_evaluation_release(struct kb_evaluation *e)
{
	for (size_t i = 0; i < e->result_count; i++)
		kb_result_release(&e->results[i]);
	free(e->results);
	free(e->problems);
	kb_conditions_release(&e->conditions);
	*e = (struct kb_evaluation)KB_EVALUATION_INIT;
}

static void count_statuses(int64_t counts[KB_STATUS_COUNT],
			   const struct kb_evaluation *e)
{
	for (int i = 0; i < KB_STATUS_COUNT; i++)
		counts[i] = 0;
	for (size_t i = 0; i < e->result_count; i++)
		counts[e->results[i].outcome.status]++;
}

struct kb_json *kb_evaluation_to_json(const struct kb_evaluation *e)
{
	const struct kb_digest parents[] = { e->suite, e->submission };
	struct kb_json *record = kb_record_new(KB_KIND_EVALUATION, parents);
	int64_t counts[KB_STATUS_COUNT];

	count_statuses(counts, e);
	kb_conditions_to_json(record, &e->conditions);
	kb_put_keys(record, "problems", e->problems, e->problem_count);
	kb_put_counts(record, "status_counts", counts);
	return record;
}

int kb_evaluation_from_json(struct kb_evaluation *e,
			    const struct kb_json *record, int64_t *counts,
			    const char *where, struct kb_err *err)
{
	struct kb_digest parents[KB_PARENTS_MAX];
	int64_t found[KB_STATUS_COUNT];
	struct kb_fields f;
	int ret;

	*e = (struct kb_evaluation)KB_EVALUATION_INIT;
	kb_record_begin(&f, record, KB_KIND_EVALUATION, parents, where, err);
	kb_conditions_read(&e->conditions, &f);
	e->problems = kb_fields_keys(&f, "problems", &e->problem_count);
	kb_fields_counts(&f, "status_counts", counts ? counts : found);
	ret = kb_fields_end(&f);
	if (ret < 0) {
		kb_evaluation_release(e);
		return ret;
	}
	e->suite = parents[0];
	e->submission = parents[1];
	return 0;
}

struct lines {
	struct kb_evaluation *e;
	size_t capacity;
};

static int take_line(void *into, const struct kb_json *line,
		     const char *where, struct kb_err *err)
{
	struct lines *lines = into;
	struct kb_evaluation *e = lines->e;
	struct kb_result r;
	int ret;

	ret = kb_result_from_json(&r, line, where, err);
	if (ret < 0)
		return ret;
	e->results = kb_grow(e->results, e->result_count, &lines->capacity,
			     sizeof(*e->results));
	e->results[e->result_count++] = r;
	if (e->result_count > 1 &&
	    kb_result_compare(&e->results[e->result_count - 2], &r) >= 0)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: out of order, or there twice", where);
	return 0;
}

/* Selected problems and those that have lines are the same. */
static int check_problems(const struct kb_evaluation *e, struct kb_err *err)
{
	size_t lines = 0;

	for (size_t i = 0; i < e->problem_count; i++) {
		char key[KB_KEY_SIZE];
		size_t run;

		kb_key_format(key, e->problems[i]);
		if (!kb_evaluation_find(e, e->problems[i], &run))
			return kb_err(err, KB_ERR_INPUT,
				      "'%s' has no line for problem '%s'",
				      KB_RESULTS_MEMBER, key);
		lines += run;
	}
	if (lines != e->result_count)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has lines for problems that the record does not list",
			      KB_RESULTS_MEMBER);
	return 0;
}

/* The policy's list of seeds, if it has one. */
static int read_seeds(struct kb_seeds *seeds, const struct kb_json *policy,
		      struct kb_err *err)
{
	const char *list;
	int ret;

	*seeds = (struct kb_seeds){ .count = 0 };
	if (!kb_json_find(policy, "seeds"))
		return 0;
	ret = kb_json_read_string(&list, policy, "seeds", "policy", err);
	if (ret >= 0)
		ret = kb_seeds_parse(seeds, list, err);
	return ret < 0 ? kb_err_wrap(err, KB_BUNDLE_RECORD) : 0;
}

/* Is it a candidate that went through the list in order, and all of it if it
 * is correct? */
static bool follows(const struct kb_result *r, const struct kb_seeds *list)
{
	const struct kb_seeds *seeds = &r->seeds;
	const bool correct = r->outcome.status == KB_STATUS_CORRECT;

	if (correct ? seeds->count != list->count
		    : seeds->count && seeds->count >= list->count)
		return false;
	return !memcmp(seeds->items, list->items,
		       seeds->count * sizeof(*seeds->items));
}

static int check_seeds(const struct kb_evaluation *e, struct kb_err *err)
{
	struct kb_seeds list;
	int ret = read_seeds(&list, e->conditions.policy, err);

	for (size_t i = 0; i < e->result_count && ret >= 0; i++) {
		const struct kb_result *r = &e->results[i];
		char key[KB_KEY_SIZE];

		kb_key_format(key, r->key);
		if (!follows(r, &list))
			ret = kb_err(err, KB_ERR_INPUT,
				     "'%s': 'seeds' of %s sample %d does not "
				     "go with status '%s' under the policy",
				     KB_RESULTS_MEMBER, key, r->sample_id,
				     kb_status_name(r->outcome.status));
	}
	return ret;
}

static int check_counts(const struct kb_evaluation *e, const int64_t said[],
			struct kb_err *err)
{
	int64_t counts[KB_STATUS_COUNT];

	count_statuses(counts, e);
	for (int i = 0; i < KB_STATUS_COUNT; i++)
		if (counts[i] != said[i])
			return kb_err(err, KB_ERR_INPUT,
				      "the record counts '%s' %lld times, '%s' has %lld",
				      kb_status_name((enum kb_status)i),
				      (long long)said[i], KB_RESULTS_MEMBER,
				      (long long)counts[i]);
	return 0;
}

static int load_lines(struct kb_evaluation *e, const int64_t counts[],
		      const struct kb_bundle *b, struct kb_err *err)
{
	struct lines lines = { .e = e };
	int ret;

	ret = kb_lines_load(b, KB_RESULTS_MEMBER, take_line, &lines, err);
	if (ret < 0)
		return ret;
	ret = check_problems(e, err);
	if (ret < 0)
		return ret;
	ret = check_counts(e, counts, err);
	if (ret < 0)
		return ret;
	ret = check_seeds(e, err);
	if (ret < 0)
		return ret;
	return kb_record_members(b, 2, err);
}

int kb_evaluation_load(struct kb_evaluation *e, const struct kb_bundle *b,
		       struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = NULL;
	int64_t counts[KB_STATUS_COUNT];
	int ret;

	ret = kb_record_load(&record, b, err);
	if (ret < 0)
		return ret;
	ret = kb_evaluation_from_json(e, record, counts, KB_BUNDLE_RECORD,
				      err);
	if (ret < 0)
		return ret;
	ret = load_lines(e, counts, b, err);
	if (ret < 0)
		kb_evaluation_release(e);
	return ret;
}

int kb_evaluation_write(struct kb_bundle_writer *w, struct kb_evaluation *e,
			struct kb_err *err)
{
	kb_auto(buf) struct kb_buf lines = KB_BUF_INIT;
	int ret;

	kb_keys_sort(e->problems, e->problem_count);
	if (e->result_count)
		qsort(e->results, e->result_count, sizeof(*e->results),
		      kb_result_compare);
	for (size_t i = 0; i < e->result_count; i++)
		kb_lines_add(&lines, kb_result_to_json(&e->results[i]));

	ret = kb_bundle_writer_add(w, KB_RESULTS_MEMBER, lines.data,
				   lines.len, err);
	if (ret < 0)
		return ret;
	return kb_record_write(w, kb_evaluation_to_json(e), err);
}

const struct kb_result *kb_evaluation_find(const struct kb_evaluation *e,
					   struct kb_key key, size_t *count)
{
	return kb_key_find(e->results, e->result_count, sizeof(*e->results),
			   key, count);
}
