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
#include "manifest/load.h"
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

/* Counts stand in the record as well, so that whoever reads it alone sees how
 * it went; check_counts() compares them with the lines. */
static void count_statuses(int64_t counts[KB_STATUS_COUNT],
			   const struct kb_evaluation *e)
{
	for (int i = 0; i < KB_STATUS_COUNT; i++)
		counts[i] = 0;
	for (size_t i = 0; i < e->result_count; i++)
		counts[e->results[i].outcome.status]++;
}

static struct kb_json *served_to_json(const struct kb_asked_of_server *s)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_int(v, "asked", s->asked);
	kb_json_set_int(v, "remembered", s->remembered);
	kb_json_set_int(v, "withdrawn", s->withdrawn);
	return v;
}

static void read_served(struct kb_evaluation *e, struct kb_fields *f)
{
	const int64_t max = KB_JSON_INT_MAX / 4;
	struct kb_asked_of_server *s = &e->served;
	const bool is_there = kb_fields_has(f, "served");
	struct kb_fields inner;
	int64_t lines = 0;

	if (f->ret == 0 && is_there != kb_json_text_is(e->conditions.tool, "name",
						       "kb-serve"))
		kb_fields_fail(f, "'served' does not go with 'tool'");
	if (!is_there || !kb_fields_enter(&inner, f, "served"))
		return;
	s->asked = kb_fields_int(&inner, "asked", 1, max);
	s->remembered = kb_fields_int(&inner, "remembered", 0, max);
	s->withdrawn = kb_fields_int(&inner, "withdrawn", 0, max);
	for (int i = 0; i < KB_STATUS_COUNT; i++)
		lines += e->status_counts[i];
	if (s->asked != lines + s->remembered + s->withdrawn)
		kb_fields_fail(&inner, "'asked' is not the sum of lines, "
			       "'remembered' and 'withdrawn'");
	f->ret = kb_fields_end(&inner);
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
	if (e->served.asked)
		kb_json_set(record, "served", served_to_json(&e->served));
	return record;
}

int kb_evaluation_from_json(struct kb_evaluation *e,
			    const struct kb_json *record, const char *where,
			    struct kb_err *err)
{
	struct kb_digest parents[KB_PARENTS_MAX];
	struct kb_fields f;
	int ret;

	*e = (struct kb_evaluation)KB_EVALUATION_INIT;
	kb_record_begin(&f, record, KB_KIND_EVALUATION, parents, where, err);
	kb_conditions_read(&e->conditions, &f);
	e->problems = kb_fields_keys(&f, "problems", &e->problem_count);
	kb_fields_counts(&f, "status_counts", e->status_counts);
	read_served(e, &f);
	ret = kb_fields_end(&f);
	if (ret < 0) {
		kb_evaluation_release(e);
		return ret;
	}
	e->suite = parents[0];
	e->submission = parents[1];
	return 0;
}

/* --- results, one at a time ------------------------------------------- */

/* One of them, as far as messages name it. */
struct named {
	struct kb_key key;
	int sample_id;
	enum kb_status status;
};

/* Checks of all results together. Both they and the record's problems are
 * sorted, so that it takes no more than a place among the latter. */
struct reader {
	const struct kb_evaluation *e;
	void (*take)(void *into, struct kb_result *r);
	void *into;
	struct kb_seeds seeds;		/* the policy's, if it has any */
	struct named last;		/* sample_id -1: there was none */
	size_t problems;		/* that are passed */
	const struct kb_key *lineless;	/* the first of them; or NULL */
	bool has_others;		/* lines of no problem of the record */
	struct named unseeded;		/* sample_id -1: there is none */
	int64_t counts[KB_STATUS_COUNT];
};

/* A problem that was passed without a line was dropped, whoever did it. */
static void pass_problems_before(struct reader *r, struct kb_key key)
{
	const struct kb_evaluation *e = r->e;

	for (; r->problems < e->problem_count &&
	       kb_key_compare(e->problems[r->problems], key) < 0;
	     r->problems++)
		if (!r->lineless)
			r->lineless = &e->problems[r->problems];
}

/* The first line of a problem. */
static void note_problem(struct reader *r, struct kb_key key)
{
	const struct kb_evaluation *e = r->e;

	pass_problems_before(r, key);
	if (r->problems < e->problem_count &&
	    !kb_key_compare(e->problems[r->problems], key))
		r->problems++;
	else
		r->has_others = true;
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
static bool follows_seeds(const struct kb_result *r, const struct kb_seeds *list)
{
	const struct kb_seeds *seeds = &r->seeds;
	const bool correct = r->outcome.status == KB_STATUS_CORRECT;

	if (correct ? seeds->count != list->count
		    : seeds->count && seeds->count >= list->count)
		return false;
	return !memcmp(seeds->items, list->items,
		       seeds->count * sizeof(*seeds->items));
}

/* Count a result and check its order; the caller may drop it afterwards. */
static void note_result(struct reader *r, const struct kb_result *result)
{
	const struct named name = { result->key, result->sample_id,
				    result->outcome.status };

	if (r->last.sample_id < 0 || kb_key_compare(r->last.key, name.key))
		note_problem(r, name.key);
	if (r->unseeded.sample_id < 0 && !follows_seeds(result, &r->seeds))
		r->unseeded = name;
	r->counts[name.status]++;
	r->last = name;
}

/* One result at a time: there may be a million, with thousands of samples each. */
static int take_line(void *into, const struct kb_json *line,
		     const char *where, struct kb_err *err)
{
	kb_auto(result) struct kb_result result = KB_RESULT_INIT;
	struct reader *r = into;
	const struct named *last = &r->last;
	int ret;

	ret = kb_result_from_json(&result, line, where, err);
	if (ret < 0)
		return ret;
	if (last->sample_id >= 0 &&
	    kb_sample_compare(last->key, last->sample_id, result.key,
			      result.sample_id) >= 0)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: out of order, or there twice", where);
	note_result(r, &result);
	r->take(r->into, &result);
	return 0;
}

/* Selected problems and those that have lines are the same. */
static int check_problems(const struct reader *r, struct kb_err *err)
{
	const struct kb_key *lineless = r->lineless;
	char key[KB_KEY_SIZE];

	if (!lineless && r->problems < r->e->problem_count)
		lineless = &r->e->problems[r->problems];
	if (lineless) {
		kb_key_format(key, *lineless);
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has no line for problem '%s'",
			      KB_RESULTS_MEMBER, key);
	}
	if (r->has_others)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has lines for problems that the record does not list",
			      KB_RESULTS_MEMBER);
	return 0;
}

static int check_counts(const struct reader *r, struct kb_err *err)
{
	const int64_t *said = r->e->status_counts;

	for (int i = 0; i < KB_STATUS_COUNT; i++)
		if (r->counts[i] != said[i])
			return kb_err(err, KB_ERR_INPUT,
				      "the record counts '%s' %lld times, '%s' has %lld",
				      kb_status_name((enum kb_status)i),
				      (long long)said[i], KB_RESULTS_MEMBER,
				      (long long)r->counts[i]);
	return 0;
}

static int check_seeds(const struct reader *r, struct kb_err *err)
{
	const struct named *name = &r->unseeded;
	char key[KB_KEY_SIZE];

	if (name->sample_id < 0)
		return 0;
	kb_key_format(key, name->key);
	return kb_err(err, KB_ERR_INPUT,
		      "'%s': 'seeds' of %s sample %d does not "
		      "go with status '%s' under the policy",
		      KB_RESULTS_MEMBER, key, name->sample_id,
		      kb_status_name(name->status));
}

/* Faults of all lines together come after faults of one line, so that the
 * message has the line's number where there is one. */
static int end_results(const struct reader *r, struct kb_err *err)
{
	int ret = check_problems(r, err);

	if (ret == 0)
		ret = check_counts(r, err);
	return ret < 0 ? ret : check_seeds(r, err);
}

static int begin_results(struct reader *r, const struct kb_evaluation *e,
			 void (*take)(void *into, struct kb_result *r),
			 void *into, struct kb_err *err)
{
	*r = (struct reader){
		.e = e, .take = take, .into = into,
		.last = { .sample_id = -1 }, .unseeded = { .sample_id = -1 },
	};
	return read_seeds(&r->seeds, e->conditions.policy, err);
}

int kb_evaluation_parse_results(const struct kb_evaluation *e,
				const void *data, size_t len,
				void (*take)(void *into, struct kb_result *r),
				void *into, struct kb_err *err)
{
	struct reader r;
	int ret = begin_results(&r, e, take, into, err);

	if (ret == 0)
		ret = kb_lines_parse(data, len, KB_RESULTS_MEMBER, take_line,
				     &r, err);
	return ret < 0 ? ret : end_results(&r, err);
}

int kb_evaluation_each(const struct kb_evaluation *e,
		       const struct kb_bundle *b,
		       void (*take)(void *into, struct kb_result *r),
		       void *into, struct kb_err *err)
{
	struct reader r;
	int ret = begin_results(&r, e, take, into, err);

	if (ret == 0)
		ret = kb_lines_load(b, KB_RESULTS_MEMBER, take_line, &r, err);
	if (ret == 0)
		ret = end_results(&r, err);
	return ret < 0 ? ret : kb_record_members(b, 2, err);
}

KB_DEFINE_LOAD_RECORD(evaluation)

/* --- all of it -------------------------------------------------------- */

struct loader {
	struct kb_evaluation *e;
	size_t capacity;		/* of its results */
};

static void keep_result(void *into, struct kb_result *r)
{
	struct loader *l = into;
	struct kb_evaluation *e = l->e;

	e->results = kb_grow(e->results, e->result_count, &l->capacity,
			     sizeof(*e->results));
	e->results[e->result_count++] = *r;
	*r = (struct kb_result)KB_RESULT_INIT;
}

static int load_results(struct kb_evaluation *e, const struct kb_bundle *b,
			struct kb_err *err)
{
	struct loader loader = { .e = e };

	return kb_evaluation_each(e, b, keep_result, &loader, err);
}

KB_DEFINE_LOAD(evaluation, load_results)

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
