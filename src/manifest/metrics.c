#include "manifest/metrics.h"

#include "base/alloc.h"
#include "json/json.h"
#include "manifest/fields.h"

const int kb_fast_p_milli[KB_FAST_COUNT] = { 0, 500, 800, 1000, 1500, 2000 };

void kb_metrics_to_json(struct kb_json *object, const struct kb_metrics *m)
{
	struct kb_json *fast = kb_json_array();

	for (int i = 0; i < KB_FAST_COUNT; i++) {
		struct kb_json *v = kb_json_object();

		kb_json_set_int(v, "p_milli", kb_fast_p_milli[i]);
		kb_json_set_int(v, "count", m->fast[i]);
		kb_json_append(fast, v);
	}
	kb_json_set_int(object, "problems", m->problems);
	kb_json_set_int(object, "compiled", m->compiled);
	kb_json_set_int(object, "correct", m->correct);
	kb_json_set(object, "fast", fast);
	kb_put_int(object, "geomean_speedup_micro", m->geomean_speedup_micro);
	kb_put_counts(object, "status_counts", m->status_counts);
}

/* A larger p is met by no more problems than a smaller one. */
static int fast_from_json(int64_t *count, const struct kb_json *v, int i,
			  int64_t max, const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	kb_fields_int(&f, "p_milli", kb_fast_p_milli[i], kb_fast_p_milli[i]);
	*count = kb_fields_int(&f, "count", 0, max);
	return kb_fields_end(&f);
}

static void read_fast(struct kb_metrics *m, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "fast");
	const struct kb_json *v;
	int64_t max = m->correct;

	if (!array)
		return;
	if (kb_json_count(array) != KB_FAST_COUNT) {
		kb_fields_fail(f, "'fast' has %zu elements, want %d",
			       kb_json_count(array), KB_FAST_COUNT);
		return;
	}
	v = kb_json_first(array);
	for (int i = 0; i < KB_FAST_COUNT && !f->ret; i++) {
		f->ret = fast_from_json(&m->fast[i], v, i, max, f->where,
					f->err);
		max = m->fast[i];
		v = kb_json_next(v);
	}
}

void kb_metrics_read(struct kb_metrics *m, struct kb_fields *f)
{
	m->problems = kb_fields_int(f, "problems", 0, KB_JSON_INT_MAX);
	m->compiled = kb_fields_int(f, "compiled", 0, m->problems);
	m->correct = kb_fields_int(f, "correct", 0, m->compiled);
	read_fast(m, f);
	m->geomean_speedup_micro =
		kb_fields_int_or_null(f, "geomean_speedup_micro", 0,
				      KB_JSON_INT_MAX);
	kb_fields_counts(f, "status_counts", m->status_counts);
}
