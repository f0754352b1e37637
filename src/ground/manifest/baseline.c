#include "manifest/baseline.h"

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
#include "manifest/problem_lines.h"
#include "store/bundle.h"
#include "store/store.h"

/* Results are searched by bisection on their first member, whatever the
 * element's type is. */
_Static_assert(offsetof(struct kb_reference_result, key) == 0,
	       "kb_key_find() wants the key first");

void kb_baseline_release(struct kb_baseline *b)
{
	for (size_t i = 0; i < b->result_count; i++)
		kb_reference_result_release(&b->results[i]);
	free(b->results);
	free(b->problems);
	kb_conditions_release(&b->conditions);
	*b = (struct kb_baseline)KB_BASELINE_INIT;
}

struct kb_json *kb_baseline_to_json(const struct kb_baseline *b)
{
	struct kb_json *record = kb_record_new(KB_KIND_BASELINE, &b->suite);

	kb_conditions_to_json(record, &b->conditions);
	kb_json_set_string(record, "mode", kb_mode_name(b->mode));
	kb_put_keys(record, "problems", b->problems, b->problem_count);
	return record;
}

int kb_baseline_from_json(struct kb_baseline *out,
			  const struct kb_json *record, const char *where,
			  struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*out = (struct kb_baseline)KB_BASELINE_INIT;
	kb_record_begin(&f, record, KB_KIND_BASELINE, &out->suite, where, err);
	kb_conditions_read(&out->conditions, &f);
	out->mode = kb_mode_read(&f, "mode");
	out->problems = kb_fields_keys(&f, "problems", &out->problem_count);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_baseline_release(out);
	return ret;
}

static int take_line(void *into, struct kb_key key,
		     const struct kb_json *line, const char *where,
		     struct kb_err *err)
{
	struct kb_baseline *b = into;
	struct kb_reference_result *r = &b->results[b->result_count];
	int ret = kb_reference_result_from_json(r, line, where, err);

	if (ret < 0)
		return ret;
	if (r->mode != b->mode || kb_key_compare(r->key, key)) {
		kb_reference_result_release(r);
		return kb_err(err, KB_ERR_INPUT,
			      "%s: is not for the problem and mode that the record lists",
			      where);
	}
	b->result_count++;
	return 0;
}

static int load_lines(struct kb_baseline *out, const struct kb_bundle *b,
		      struct kb_err *err)
{
	const struct kb_problem_lines lines = {
		.problems = out->problems, .problem_count = out->problem_count,
		.take = take_line, .into = out,
	};

	out->results = kb_xcalloc(out->problem_count, sizeof(*out->results));
	return kb_problem_lines_load(&lines, b, err);
}

KB_DEFINE_LOAD(baseline, load_lines)
KB_DEFINE_LOAD_ID(baseline)

static int compare_results(const void *pa, const void *pb)
{
	const struct kb_reference_result *a = pa, *b = pb;

	return kb_key_compare(a->key, b->key);
}

/* Problems are timed in any order, by several lanes; sorted lines make the
 * bundle's id a function of what was measured and not of who was first. */
int kb_baseline_write(struct kb_bundle_writer *w, struct kb_baseline *b,
		      struct kb_err *err)
{
	kb_auto(buf) struct kb_buf lines = KB_BUF_INIT;
	int ret;

	kb_keys_sort(b->problems, b->problem_count);
	if (b->result_count)
		qsort(b->results, b->result_count, sizeof(*b->results),
		      compare_results);
	for (size_t i = 0; i < b->result_count; i++)
		kb_lines_add(&lines,
			     kb_reference_result_to_json(&b->results[i]));

	ret = kb_bundle_writer_add(w, KB_RESULTS_MEMBER, lines.data,
				   lines.len, err);
	if (ret < 0)
		return ret;
	return kb_record_write(w, kb_baseline_to_json(b), err);
}

const struct kb_reference_result *
kb_baseline_find(const struct kb_baseline *b, struct kb_key key)
{
	return kb_key_find(b->results, b->result_count, sizeof(*b->results),
			   key, NULL);
}
