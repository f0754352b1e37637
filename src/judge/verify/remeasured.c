#include "verify/remeasured.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "json/utf8.h"
#include "manifest/fields.h"
#include "score/remeasure.h"

enum kb_answer kb_remeasurement_answer(const struct kb_remeasurement *m)
{
	size_t counts[KB_AGAIN_COUNT];

	if (m->why_not)
		return KB_ANSWER_NOT_CHECKED;
	kb_remeasurement_count(counts, m);
	return counts[KB_AGAIN_SAME] == m->count ? KB_ANSWER_OK : KB_ANSWER_NO;
}

static struct kb_json *time_to_json(const struct kb_bounded_time *t)
{
	struct kb_json *v = kb_json_object();

	kb_put_int(v, "time_ns", t->time_ns);
	kb_put_int(v, "low_ns", t->at.low_ns);
	kb_put_int(v, "high_ns", t->at.high_ns);
	return v;
}

static struct kb_json *side_to_json(const struct kb_remeasure_side *s)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "status", kb_status_name(s->status));
	kb_json_set(v, "candidate", time_to_json(&s->candidate));
	kb_json_set(v, "reference", time_to_json(&s->reference));
	return v;
}

static struct kb_json *change_to_json(const struct kb_change *c)
{
	struct kb_json *v = kb_json_object();

	kb_put_int(v, "ratio_micro", c->micro);
	kb_put_int(v, "low_micro", c->low_micro);
	kb_put_int(v, "high_micro", c->high_micro);
	return v;
}

static struct kb_json *item_to_json(const struct kb_remeasured *r)
{
	struct kb_json *v = kb_json_object();

	kb_put_key(v, r->key);
	kb_json_set_int(v, "sample_id", r->sample_id);
	kb_json_set_string(v, "answer", kb_again_member(r->answer));
	kb_json_set_string(v, "detail", r->why ? r->why : r->detail);
	kb_json_set(v, "claimed", side_to_json(&r->claimed));
	kb_json_set(v, "now", r->answer == KB_AGAIN_DIFFERENT_STACK ?
			      kb_json_null() : side_to_json(&r->now));
	kb_json_set(v, "candidate", change_to_json(&r->candidate));
	kb_json_set(v, "reference", change_to_json(&r->reference));
	kb_json_set(v, "change", change_to_json(&r->change));
	return v;
}

static struct kb_json *items_to_json(const struct kb_remeasurement *m)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < m->count; i++)
		kb_json_append(array, item_to_json(&m->items[i]));
	return array;
}

/* Only those that there are. */
static struct kb_json *answers_to_json(const struct kb_remeasurement *m)
{
	size_t counts[KB_AGAIN_COUNT];
	struct kb_json *v = kb_json_object();

	kb_remeasurement_count(counts, m);
	for (int a = 0; a < KB_AGAIN_COUNT; a++)
		if (counts[a])
			kb_json_set_int(v, kb_again_member((enum kb_again)a),
					(int64_t)counts[a]);
	return v;
}

static struct kb_json *fields_to_json(const struct kb_mismatches *m)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < m->count; i++) {
		struct kb_json *v = kb_json_object();

		kb_json_set_string(v, "field", m->items[i].field);
		kb_json_set_string(v, "evaluation", m->items[i].left);
		kb_json_set_string(v, "here", m->items[i].right);
		kb_json_append(array, v);
	}
	return array;
}

static struct kb_json *gpus_to_json(const struct kb_gpus_again *g)
{
	struct kb_json *v;

	if (!g->claimed)
		return kb_json_null();
	v = kb_json_object();
	kb_json_set_int(v, "evaluation", (int64_t)g->claimed);
	kb_json_set_int(v, "here", (int64_t)g->here);
	kb_json_set_int(v, "same", (int64_t)g->same);
	return v;
}

/* The question, or why there was none. */
static void put_question(struct kb_json *v, const struct kb_remeasurement *m)
{
	const bool asked = !m->why_not;

	if (asked)
		kb_put_digest(v, "evaluation", &m->evaluation);
	else
		kb_json_set_string(v, "evaluation", NULL);
	kb_json_set_string(v, "clock", asked ? kb_clock_name(m->clock) : NULL);
	kb_put_int(v, "correct_count",
		   asked ? (int64_t)m->correct_count : KB_UNKNOWN);
	kb_put_int(v, "sample_seed", asked ? m->sample_seed : KB_UNKNOWN);
	kb_json_set_int(v, "interval_ppm", KB_REMEASURE_INTERVAL_PPM);
	kb_json_set_int(v, "margin_ppm", KB_REMEASURE_MARGIN_PPM);
}

struct kb_json *kb_remeasurement_to_json(const struct kb_remeasurement *m)
{
	kb_auto(buf) struct kb_buf why_not = KB_BUF_INIT;
	struct kb_json *v = kb_json_object();

	/* It may quote a name of a file, which may be any bytes. */
	if (m->why_not)
		kb_utf8_clean(&why_not, m->why_not, strlen(m->why_not));
	kb_json_set_string(v, "verdict", m->is_interrupted ? NULL :
			   kb_answer_verdict(kb_remeasurement_answer(m)));
	kb_json_set_string(v, "detail", m->why_not ? why_not.data : NULL);
	put_question(v, m);
	kb_json_set(v, "mismatches", fields_to_json(&m->refused));
	kb_json_set(v, "allowed", fields_to_json(&m->allowed));
	kb_json_set(v, "noted", fields_to_json(&m->noted));
	kb_json_set(v, "gpus", gpus_to_json(&m->gpus));
	kb_json_set(v, "answers", answers_to_json(m));
	kb_json_set(v, "candidates", items_to_json(m));
	return v;
}
