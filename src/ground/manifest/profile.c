#include "manifest/profile.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/kernels.h"
#include "manifest/tool.h"

#define FORMAT "kb-profile/1"

/* Counters are read some ten times a second: beyond a share of one, a
 * reading may fall into the interval that began just before. */
#define PPM_MAX INT64_C(10000000)

void kb_profile_item_release(struct kb_profile_item *i)
{
	free(i->detail);
	free(i->intervals);
	kb_kernels_free(i->kernels);
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
	kb_json_set(v, "kernels", kb_kernels_to_json(i->kernels));
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

/* --- reading ----------------------------------------------------------- */

static int read_ppm(int64_t ppm[KB_GPM_METRIC_COUNT], const struct kb_json *v,
		    const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	for (int m = 0; m < KB_GPM_METRIC_COUNT; m++)
		ppm[m] = kb_fields_int_or_null(&f, kb_gpm_metric_name(m), 0,
					       PPM_MAX);
	return kb_fields_end(&f);
}

static int read_interval(struct kb_profile_interval *i,
			 const struct kb_json *v, const char *where,
			 struct kb_err *err)
{
	const struct kb_json *ppm;
	struct kb_fields f;
	int ret;

	kb_fields_begin(&f, v, where, err);
	i->duration_ns = kb_fields_int(&f, "duration_ns", 1, KB_JSON_INT_MAX);
	i->calls = kb_fields_int(&f, "calls", 1, KB_JSON_INT_MAX);
	i->running_ns = kb_fields_int(&f, "running_ns", 1, KB_JSON_INT_MAX);
	if (i->running_ns > i->duration_ns)
		kb_fields_fail(&f, "'running_ns' is more than 'duration_ns'");
	i->sm_clock_mhz = kb_fields_int_or_null(&f, "sm_clock_mhz", 0,
						KB_JSON_INT_MAX);
	i->memory_clock_mhz = kb_fields_int_or_null(&f, "memory_clock_mhz", 0,
						    KB_JSON_INT_MAX);
	i->temperature_c = kb_fields_int_or_null(&f, "temperature_c", 0,
						 KB_JSON_INT_MAX);
	i->power_mw = kb_fields_int_or_null(&f, "power_mw", 0,
					    KB_JSON_INT_MAX);
	ppm = kb_fields_object(&f, "ppm");
	ret = kb_fields_end(&f);
	return ret < 0 ? ret : read_ppm(i->ppm, ppm, where, err);
}

static int read_intervals(struct kb_profile_item *i,
			  const struct kb_json *list, const char *where,
			  struct kb_err *err)
{
	int ret = 0;

	i->intervals = kb_xcalloc(kb_json_count(list) + 1,
				  sizeof(*i->intervals));
	for (const struct kb_json *v = kb_json_first(list); v && ret >= 0;
	     v = kb_json_next(v))
		ret = read_interval(&i->intervals[i->interval_count++], v,
				    where, err);
	return ret;
}

/* Intervals, kernels and status belong together. */
static void check_item(const struct kb_profile_item *i, size_t intervals,
		       struct kb_fields *f)
{
	const bool is_correct = i->status == KB_STATUS_CORRECT;

	if (is_correct != !!intervals || is_correct != !!i->batch_calls)
		kb_fields_fail(f, "status '%s' with %zu intervals",
			       kb_status_name(i->status), intervals);
	else if (is_correct != !!i->kernels)
		kb_fields_fail(f, "status '%s' %s 'kernels'",
			       kb_status_name(i->status),
			       is_correct ? "without" : "with");
	else if (!kb_status_of_candidate(i->status) ||
		 i->status == KB_STATUS_MISSING)
		kb_fields_fail(f, "no candidate has status '%s'",
			       kb_status_name(i->status));
}

static int read_item(struct kb_profile_item *i, const struct kb_json *v,
		     const char *where, struct kb_err *err)
{
	const struct kb_json *list;
	struct kb_fields f;
	int ret;

	kb_fields_begin(&f, v, where, err);
	i->key = kb_fields_key(&f);
	i->sample_id = (int)kb_fields_int(&f, "sample_id", 0, INT32_MAX);
	i->candidate = kb_fields_digest(&f, "candidate");
	i->status = kb_fields_status(&f, "status");
	i->detail = kb_fields_string_or_null(&f, "detail");
	i->batch_calls = kb_fields_int(&f, "batch_calls", 0, KB_JSON_INT_MAX);
	i->kernels = kb_kernels_read(&f, "kernels");
	list = kb_fields_array(&f, "intervals");
	if (list && !f.ret)
		check_item(i, kb_json_count(list), &f);
	ret = kb_fields_end(&f);
	return ret < 0 ? ret : read_intervals(i, list, where, err);
}

static int read_items(struct kb_profile *p, const struct kb_json *list,
		      const char *name, struct kb_err *err)
{
	p->items = kb_xcalloc(kb_json_count(list) + 1, sizeof(*p->items));
	for (const struct kb_json *v = kb_json_first(list); v;
	     v = kb_json_next(v)) {
		kb_auto(mem) char *where = kb_xasprintf(
			"candidate %zu of %s", p->item_count + 1, name);
		struct kb_profile_item *i = &p->items[p->item_count++];
		int ret = read_item(i, v, where, err);

		if (ret < 0)
			return ret;
		if (i > p->items &&
		    kb_sample_compare(i[-1].key, i[-1].sample_id, i->key,
				      i->sample_id) >= 0)
			return kb_err(err, KB_ERR_INPUT,
				      "%s: is not behind the one before",
				      where);
	}
	return 0;
}

static int read_profile(struct kb_profile *p, const struct kb_json *v,
			const char *name, struct kb_err *err)
{
	static const char *const formats[] = { FORMAT };
	const struct kb_json *items;
	struct kb_fields f;
	int ret;

	kb_fields_begin(&f, v, name, err);
	(void)kb_fields_word(&f, "format", formats, 1);
	p->evaluation = kb_fields_digest(&f, "evaluation");
	p->tool = kb_tool_read(&f);
	p->match_key = kb_fields_scalars(&f, "match_key");
	p->counters = kb_fields_string(&f, "counters");
	p->counters_version = kb_fields_string_or_null(&f, "counters_version");
	items = kb_fields_array(&f, "candidates");
	ret = kb_fields_end(&f);
	return ret < 0 ? ret : read_items(p, items, name, err);
}

int kb_profile_parse(struct kb_profile *p, const void *data, size_t len,
		     const char *name, struct kb_err *err)
{
	const char *text = data;
	kb_auto(json) struct kb_json *v = NULL;
	int ret;

	if (!len || text[len - 1] != '\n')
		return kb_err(err, KB_ERR_INPUT, "%s: does not end in LF",
			      name);
	ret = kb_json_parse(&v, data, len - 1, KB_JSON_CANONICAL, name, err);
	return ret < 0 ? ret : read_profile(p, v, name, err);
}
