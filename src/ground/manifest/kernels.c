#include "manifest/kernels.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/record.h"

struct kb_kernels *kb_kernels_new_unavailable(const char *why)
{
	struct kb_kernels *k = kb_xcalloc(1, sizeof(*k));

	k->unavailable = kb_xstrdup(why);
	return k;
}

void kb_kernels_free(struct kb_kernels *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->count; i++)
		free(k->items[i].name);
	free(k->items);
	free(k->chip);
	free(k->unavailable);
	free(k);
}

int64_t kb_kernel_counter_max(enum kb_kernel_counter c)
{
	return kb_kernel_counter_is_share(c) ? KB_KERNEL_SHARE_MAX_PPM
					     : KB_JSON_INT_MAX;
}

/* Shares are weighted by time. Doubles, because what a candidate's process has
 * said may be as large as it likes. */
int64_t kb_kernels_total(const struct kb_kernels *k, enum kb_kernel_counter c)
{
	const bool is_share = kb_kernel_counter_is_share(c);
	double sum = 0, time_ns = 0;

	for (size_t i = 0; i < k->count; i++) {
		const int64_t *own = k->items[i].counters;
		const double ns = (double)own[KB_KERNEL_TIME];

		if (own[c] == KB_UNKNOWN ||
		    (is_share && own[KB_KERNEL_TIME] == KB_UNKNOWN))
			return KB_UNKNOWN;
		sum += is_share ? (double)own[c] * ns : (double)own[c];
		time_ns += ns;
	}
	if (is_share)
		sum = time_ns > 0 ? sum / time_ns : -1;
	return !k->count || sum < 0 || sum > (double)KB_JSON_INT_MAX ?
		KB_UNKNOWN : (int64_t)(sum + 0.5);
}

int64_t kb_kernel_fp32_operations(const struct kb_kernel *k)
{
	const int64_t add = k->counters[KB_KERNEL_FP32_ADD];
	const int64_t mul = k->counters[KB_KERNEL_FP32_MUL];
	const int64_t fma = k->counters[KB_KERNEL_FP32_FMA];

	if (add == KB_UNKNOWN || mul == KB_UNKNOWN || fma == KB_UNKNOWN)
		return KB_UNKNOWN;
	return add + mul + 2 * fma;
}

/* --- writing ----------------------------------------------------------- */

static struct kb_json *kernel_to_json(const struct kb_kernel *k)
{
	struct kb_json *v = kb_json_object(), *counters = kb_json_object();

	kb_json_set_string(v, "name", k->name);
	kb_json_set_int(v, "launch_count", k->launch_count);
	for (int c = 0; c < KB_KERNEL_COUNTER_COUNT; c++)
		kb_put_int(counters, kb_kernel_counter_name(c), k->counters[c]);
	kb_json_set(v, "counters", counters);
	return v;
}

struct kb_json *kb_kernels_to_json(const struct kb_kernels *k)
{
	struct kb_json *v, *list;

	if (!k)
		return kb_json_null();
	v = kb_json_object();
	list = kb_json_array();
	kb_json_set_string(v, "unavailable", k->unavailable);
	kb_json_set_string(v, "chip", k->chip);
	kb_put_int(v, "cupti_version", k->cupti_version);
	kb_put_int(v, "pass_count", k->pass_count);
	kb_put_int(v, "left_out_count", k->left_out_count);
	for (size_t i = 0; i < k->count; i++)
		kb_json_append(list, kernel_to_json(&k->items[i]));
	kb_json_set(v, "list", list);
	return v;
}

/* --- reading ----------------------------------------------------------- */

static void read_counters(int64_t counters[KB_KERNEL_COUNTER_COUNT],
			  struct kb_fields *f)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, "counters"))
		return;
	for (int c = 0; c < KB_KERNEL_COUNTER_COUNT; c++)
		counters[c] = kb_fields_int_or_null(
			&inner, kb_kernel_counter_name(c), 0,
			kb_kernel_counter_max(c));
	f->ret = kb_fields_end(&inner);
}

static int read_kernel(struct kb_kernel *k, const struct kb_json *v,
		       const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	read_counters(k->counters, &f);
	k->launch_count = kb_fields_int(&f, "launch_count", 1, INT32_MAX);
	k->name = kb_fields_string(&f, "name");
	return kb_fields_end(&f);
}

static void read_list(struct kb_kernels *k, struct kb_fields *f)
{
	const struct kb_json *list = kb_fields_array(f, "list");

	if (!list)
		return;
	if (k->unavailable && kb_json_count(list))
		kb_fields_fail(f, "'list' does not go with 'unavailable'");
	k->items = kb_xcalloc(kb_json_count(list) + 1, sizeof(*k->items));
	for (const struct kb_json *v = kb_json_first(list); v && !f->ret;
	     v = kb_json_next(v))
		f->ret = read_kernel(&k->items[k->count++], v, f->where,
				     f->err);
}

struct kb_kernels *kb_kernels_read(struct kb_fields *f, const char *key)
{
	kb_auto(kernels) struct kb_kernels *k = NULL;
	struct kb_fields inner;

	if (kb_fields_null(f, key) || !kb_fields_enter(&inner, f, key))
		return NULL;
	k = kb_xcalloc(1, sizeof(*k));
	k->chip = kb_fields_string_or_null(&inner, "chip");
	k->cupti_version = kb_fields_int(&inner, "cupti_version", 0,
					 INT32_MAX);
	k->left_out_count = kb_fields_int(&inner, "left_out_count", 0,
					  INT32_MAX);
	k->pass_count = kb_fields_int(&inner, "pass_count", 0, INT32_MAX);
	k->unavailable = kb_fields_string_or_null(&inner, "unavailable");
	read_list(k, &inner);
	f->ret = kb_fields_end(&inner);
	return f->ret < 0 ? NULL : kb_steal(k);
}
