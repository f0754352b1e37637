#include "manifest/profile.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/tool.h"

#define FORMAT "kb-profile/1"

void kb_profile_item_release(struct kb_profile_item *i)
{
	free(i->detail);
	free(i->intervals);
	*i = (struct kb_profile_item){ .detail = NULL };
}

void kb_profile_release(struct kb_profile *p)
{
	for (size_t i = 0; i < p->item_count; i++)
		kb_profile_item_release(&p->items[i]);
	free(p->items);
	kb_json_free(p->tool);
	kb_json_free(p->match_key);
	free(p->counters);
	free(p->counters_version);
	*p = (struct kb_profile)KB_PROFILE_INIT;
}

const struct kb_profile_item *kb_profile_find(const struct kb_profile *p,
					      struct kb_key key, int sample_id)
{
	for (size_t i = 0; i < p->item_count; i++)
		if (!kb_sample_compare(p->items[i].key, p->items[i].sample_id,
				       key, sample_id))
			return &p->items[i];
	return NULL;
}

/* --- writing ----------------------------------------------------------- */

static struct kb_json *interval_to_json(const struct kb_profile_interval *i)
{
	struct kb_json *v = kb_json_object(), *ppm = kb_json_object();

	kb_json_set_int(v, "duration_ns", i->duration_ns);
	kb_json_set_int(v, "calls", i->calls);
	kb_json_set_int(v, "running_ns", i->running_ns);
	kb_put_int(v, "sm_clock_mhz", i->sm_clock_mhz);
	kb_put_int(v, "memory_clock_mhz", i->memory_clock_mhz);
	kb_put_int(v, "temperature_c", i->temperature_c);
	kb_put_int(v, "power_mw", i->power_mw);
	for (int m = 0; m < KB_GPM_METRIC_COUNT; m++)
		kb_put_int(ppm, kb_gpm_metric_name(m), i->ppm[m]);
	kb_json_set(v, "ppm", ppm);
	return v;
}

static struct kb_json *item_to_json(const struct kb_profile_item *i)
{
	struct kb_json *v = kb_json_object(), *intervals = kb_json_array();

	kb_put_key(v, i->key);
	kb_json_set_int(v, "sample_id", i->sample_id);
	kb_put_digest(v, "candidate", &i->candidate);
	kb_json_set_string(v, "status", kb_status_name(i->status));
	kb_json_set_string(v, "detail", i->detail);
	kb_json_set_int(v, "batch_calls", i->batch_calls);
	for (size_t k = 0; k < i->interval_count; k++)
		kb_json_append(intervals, interval_to_json(&i->intervals[k]));
	kb_json_set(v, "intervals", intervals);
	return v;
}

void kb_profile_print(struct kb_buf *out, const struct kb_profile *p)
{
	kb_auto(json) struct kb_json *v = kb_json_object();
	struct kb_json *items = kb_json_array();

	kb_json_set_string(v, "format", FORMAT);
	kb_put_digest(v, "evaluation", &p->evaluation);
	kb_json_set(v, "tool", kb_json_copy(p->tool));
	kb_json_set(v, "match_key", kb_json_copy(p->match_key));
	kb_json_set_string(v, "counters", p->counters);
	kb_json_set_string(v, "counters_version", p->counters_version);
	for (size_t i = 0; i < p->item_count; i++)
		kb_json_append(items, item_to_json(&p->items[i]));
	kb_json_set(v, "candidates", items);
	kb_json_print(out, v);
	kb_buf_addstr(out, "\n");
}
