/*
 * Any bytes as an evaluation: its record in the first line, its results in
 * those that follow. Results are read one at a time, by a reader that keeps
 * nothing of them; what it takes and what it refuses must be what a slow and
 * plain look at all of them together finds.
 */

#include <stdint.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "json/json.h"
#include "manifest/evaluation.h"
#include "manifest/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All results that are well formed, up to the first line that is not. */
struct all {
	struct kb_result *v;
	size_t count, capacity;
};

static void kb_cleanup_all(struct all *all)
{
	for (size_t i = 0; i < all->count; i++)
		kb_result_release(&all->v[i]);
	free(all->v);
}

static int keep_line(void *into, const struct kb_json *line,
		     const char *where, struct kb_err *err)
{
	struct all *all = into;
	struct kb_result r;
	int ret = kb_result_from_json(&r, line, where, err);

	if (ret < 0)
		return ret;
	all->v = kb_grow(all->v, all->count, &all->capacity, sizeof(*all->v));
	all->v[all->count++] = r;
	return 0;
}

static size_t lines_of(const struct all *all, struct kb_key key)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += !kb_key_compare(all->v[i].key, key);
	return n;
}

static int64_t ended_as(const struct all *all, enum kb_status status)
{
	int64_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += all->v[i].outcome.status == status;
	return n;
}

static bool are_seeded(const struct all *all, const struct kb_json *policy)
{
	struct kb_seeds list = { .count = 0 };
	const struct kb_json *v = kb_json_find(policy, "seeds");

	if (v && (kb_json_type(v) != KB_JSON_STRING ||
		  kb_seeds_parse(&list, kb_json_string_value(v), NULL) < 0))
		return false;
	for (size_t i = 0; i < all->count; i++) {
		const struct kb_seeds *s = &all->v[i].seeds;
		const bool correct = all->v[i].outcome.status ==
				     KB_STATUS_CORRECT;

		if (correct ? s->count != list.count :
			      s->count && s->count >= list.count)
			return false;
		for (size_t j = 0; j < s->count; j++)
			if (s->items[j] != list.items[j])
				return false;
	}
	return true;
}

static bool are_of(const struct all *all, const struct kb_evaluation *e)
{
	size_t lines = 0;

	for (size_t i = 1; i < all->count; i++)
		if (kb_result_compare(&all->v[i - 1], &all->v[i]) >= 0)
			return false;
	for (size_t i = 0; i < e->problem_count; i++) {
		const size_t n = lines_of(all, e->problems[i]);

		if (!n)
			return false;
		lines += n;
	}
	for (int i = 0; i < KB_STATUS_COUNT; i++)
		if (ended_as(all, (enum kb_status)i) != e->status_counts[i])
			return false;
	return lines == all->count && are_seeded(all, e->conditions.policy);
}

static void print_result(void *into, struct kb_result *r)
{
	kb_lines_add(into, kb_result_to_json(r));
}

static void check_results(const struct kb_evaluation *e, const char *data,
			  size_t size)
{
	kb_auto(all) struct all all = { .v = NULL };
	kb_auto(buf) struct kb_buf taken = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	const bool formed = kb_lines_parse(data, size, "fuzz", keep_line,
					   &all, NULL) == 0;
	const int ret = kb_evaluation_parse_results(e, data, size,
						    print_result, &taken,
						    &err);

	must(ret == (formed && are_of(&all, e) ? 0 : -KB_ERR_INPUT));
	must(!ret == !err.msg[0]);
	must(ret || (taken.len == size && !memcmp(taken.data, data, size)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *eol = size ? memchr(data, '\n', size) : NULL;
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(json) struct kb_json *record = NULL;

	if (!eol || kb_json_parse(&record, data, (size_t)(eol - data),
				  KB_JSON_CANONICAL, "fuzz", NULL) < 0 ||
	    kb_evaluation_from_json(&e, record, "fuzz", NULL) < 0)
		return 0;
	check_results(&e, (const char *)eol + 1,
		      size - (size_t)(eol + 1 - data));
	return 0;
}
