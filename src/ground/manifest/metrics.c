#include "manifest/metrics.h"

#include <stdlib.h>

#include "json/json.h"
#include "manifest/fields.h"

const int kb_fast_p_milli[KB_FAST_COUNT] = {
	0, 500, 800, [KB_FAST_1] = 1000, 1500, 2000
};

static void shares_release(struct kb_shares *s)
{
	kb_share_release(&s->compiled);
	kb_share_release(&s->correct);
	for (int i = 0; i < KB_FAST_COUNT; i++)
		kb_share_release(&s->fast[i]);
}

void kb_metrics_release(struct kb_metrics *m)
{
	for (size_t i = 0; i < m->at_k_count; i++)
		kb_at_k_release(&m->at_k[i]);
	free(m->at_k);
	shares_release(&m->shares);
	*m = (struct kb_metrics)KB_METRICS_INIT;
}

/* Whoever has a speedup is faster than 0, the first p. */
int64_t kb_metrics_untimed(const struct kb_metrics *m)
{
	return m->correct - m->fast[0];
}

static struct kb_json *fast_to_json(const struct kb_metrics *m)
{
	struct kb_json *fast = kb_json_array();

	for (int i = 0; i < KB_FAST_COUNT; i++) {
		struct kb_json *v = kb_json_object();

		kb_json_set_int(v, "p_milli", kb_fast_p_milli[i]);
		kb_json_set_int(v, "count", m->fast[i]);
		if (m->has_certainty) {
			kb_json_set_int(v, "certain", m->certainty.certain[i]);
			kb_json_set_int(v, "undecided",
					m->certainty.undecided[i]);
		}
		kb_json_append(fast, v);
	}
	return fast;
}

static struct kb_json *shares_to_json(const struct kb_shares *s)
{
	struct kb_json *v = kb_json_object(), *fast = kb_json_array();

	for (int i = 0; i < KB_FAST_COUNT; i++)
		kb_json_append(fast, kb_share_to_json(&s->fast[i]));
	kb_json_set(v, "compiled", kb_share_to_json(&s->compiled));
	kb_json_set(v, "correct", kb_share_to_json(&s->correct));
	kb_json_set(v, "fast", fast);
	return v;
}

void kb_metrics_to_json(struct kb_json *object, const struct kb_metrics *m)
{
	kb_json_set_int(object, "problems", m->problems);
	kb_json_set_int(object, "compiled", m->compiled);
	kb_json_set_int(object, "correct", m->correct);
	kb_json_set_int(object, "untimed", kb_metrics_untimed(m));
	kb_json_set(object, "fast", fast_to_json(m));
	kb_put_int(object, "geomean_speedup_micro", m->geomean_speedup_micro);
	kb_put_counts(object, "status_counts", m->status_counts);
	if (m->has_certainty) {
		kb_put_int(object, "geomean_low_micro",
			   m->certainty.geomean_low_micro);
		kb_put_int(object, "geomean_high_micro",
			   m->certainty.geomean_high_micro);
		kb_json_set(object, "at_k",
			    kb_at_k_to_json(m->at_k, m->at_k_count));
	}
	if (m->has_shares) {
		kb_put_int(object, "geomean_speedup_nano",
			   m->shares.geomean_speedup_nano);
		kb_json_set(object, "shares", shares_to_json(&m->shares));
	}
}

/* A larger p is met by no more problems than a smaller one. */
static int fast_from_json(struct kb_metrics *m, const struct kb_json *v,
			  int i, const char *where, struct kb_err *err)
{
	const int64_t max = i ? m->fast[i - 1] : m->correct;
	struct kb_certainty *c = &m->certainty;
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	kb_fields_int(&f, "p_milli", kb_fast_p_milli[i], kb_fast_p_milli[i]);
	m->fast[i] = kb_fields_int(&f, "count", 0, max);
	if (m->has_certainty) {
		c->certain[i] = kb_fields_int(&f, "certain", 0, m->fast[i]);
		c->undecided[i] = kb_fields_int(&f, "undecided", 0,
						m->correct - c->certain[i]);
	}
	return kb_fields_end(&f);
}

/* The first of as many elements as there are p, or NULL. */
static const struct kb_json *first_of_fast(struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "fast");

	if (!array)
		return NULL;
	if (kb_json_count(array) != KB_FAST_COUNT) {
		kb_fields_fail(f, "'fast' has %zu elements, want %d",
			       kb_json_count(array), KB_FAST_COUNT);
		return NULL;
	}
	return kb_json_first(array);
}

static void read_fast(struct kb_metrics *m, struct kb_fields *f)
{
	const struct kb_json *v = first_of_fast(f);

	for (int i = 0; i < KB_FAST_COUNT && v && !f->ret; i++) {
		f->ret = fast_from_json(m, v, i, f->where, f->err);
		v = kb_json_next(v);
	}
}

static void read_share(struct kb_share *s, struct kb_fields *f,
		       const char *key)
{
	const struct kb_json *v = kb_fields_object(f, key);

	if (v)
		f->ret = kb_share_from_json(s, v, f->where, f->err);
}

static void read_shares(struct kb_shares *s, struct kb_fields *f)
{
	const struct kb_json *v = kb_fields_object(f, "shares");
	struct kb_fields inner;

	if (!v)
		return;
	kb_fields_begin(&inner, v, f->where, f->err);
	read_share(&s->compiled, &inner, "compiled");
	read_share(&s->correct, &inner, "correct");
	v = first_of_fast(&inner);
	for (int i = 0; i < KB_FAST_COUNT && v && !inner.ret; i++) {
		inner.ret = kb_share_from_json(&s->fast[i], v, f->where,
					       f->err);
		v = kb_json_next(v);
	}
	f->ret = kb_fields_end(&inner);
}

/* Each count is bounded by the one that contains it, so that a record cannot
 * have more correct candidates than compiled ones. */
void kb_metrics_read(struct kb_metrics *m, struct kb_fields *f)
{
	const int64_t max = KB_JSON_INT_MAX;
	struct kb_certainty *c = &m->certainty;
	int64_t untimed;

	m->has_certainty = kb_fields_has(f, "at_k");
	m->has_shares = kb_fields_has(f, "shares");
	m->problems = kb_fields_int(f, "problems", 0, max);
	m->compiled = kb_fields_int(f, "compiled", 0, m->problems);
	m->correct = kb_fields_int(f, "correct", 0, m->compiled);
	untimed = kb_fields_int(f, "untimed", 0, m->correct);
	read_fast(m, f);
	if (!f->ret && untimed != kb_metrics_untimed(m))
		kb_fields_fail(f, "'untimed' is not what 'correct' and 'fast' leave");
	m->geomean_speedup_micro =
		kb_fields_int_or_null(f, "geomean_speedup_micro", 0, max);
	kb_fields_counts(f, "status_counts", m->status_counts);
	if (m->has_certainty) {
		c->geomean_low_micro =
			kb_fields_int_or_null(f, "geomean_low_micro", 0, max);
		c->geomean_high_micro =
			kb_fields_int_or_null(f, "geomean_high_micro", 0, max);
		m->at_k = kb_at_k_read(f, "at_k", &m->at_k_count);
	}
	if (m->has_shares) {
		m->shares.geomean_speedup_nano = kb_fields_int_or_null(
			f, "geomean_speedup_nano", 0, max);
		read_shares(&m->shares, f);
	}
}
