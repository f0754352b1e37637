#include "tables/profile_table.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "manifest/profile.h"
#include "manifest/record.h"
#include "tables/table.h"

#define MILLION 1000000

const struct kb_profile_column kb_profile_columns[] = {
	{ KB_GPM_SM, "SM", "SMs that had a warp" },
	{ KB_GPM_SM_OCCUPANCY, "occupancy", "warps that SMs have room for" },
	{ KB_GPM_DRAM_BANDWIDTH, "DRAM", "bandwidth of memory" },
	{ KB_GPM_TENSOR, "tensor", "tensor cores" },
	{ KB_GPM_FP32, "fp32", "fp32 pipes" },
	{ KB_GPM_FP16, "fp16", "fp16 pipes" },
	{ KB_GPM_INTEGER, "integer", "integer pipes" },
};

const int kb_profile_column_count = KB_ARRAY_LEN(kb_profile_columns);

/* A counter is a mean over its whole interval, with the time in which nothing
 * ran. Weighted by the intervals and divided by the time in which something
 * did, it becomes a mean over that. */
int64_t kb_profile_mean_ppm(const struct kb_profile_item *i,
			    enum kb_gpm_metric m)
{
	double counted = 0, running_ns = 0;

	for (size_t k = 0; k < i->interval_count; k++) {
		const struct kb_profile_interval *v = &i->intervals[k];

		if (v->ppm[m] == KB_UNKNOWN)
			continue;
		counted += (double)v->ppm[m] * (double)v->duration_ns;
		running_ns += (double)v->running_ns;
	}
	return running_ns > 0 ? (int64_t)(counted / running_ns + 0.5)
			      : KB_UNKNOWN;
}

int64_t kb_profile_running_ppm(const struct kb_profile_item *i)
{
	double running_ns = 0, all_ns = 0;

	for (size_t k = 0; k < i->interval_count; k++) {
		running_ns += (double)i->intervals[k].running_ns;
		all_ns += (double)i->intervals[k].duration_ns;
	}
	return all_ns > 0 ? (int64_t)(running_ns / all_ns * MILLION + 0.5)
			  : KB_UNKNOWN;
}

static void add_ppm(struct kb_table *t, int64_t ppm)
{
	char text[KB_FORMAT_SIZE];

	kb_format_pct(text, ppm, ppm == KB_UNKNOWN ? 0 : MILLION);
	kb_table_add(t, text);
}

/* The last interval, when the device is warmest. */
static void add_state(struct kb_table *t, const struct kb_profile_item *i)
{
	const struct kb_profile_interval *last =
		i->interval_count ? &i->intervals[i->interval_count - 1] : NULL;

	if (last && last->sm_clock_mhz != KB_UNKNOWN)
		kb_table_addf(t, "%" PRId64, last->sm_clock_mhz);
	else
		kb_table_add(t, "-");
	if (last && last->power_mw != KB_UNKNOWN)
		kb_table_addf(t, "%" PRId64, (last->power_mw + 500) / 1000);
	else
		kb_table_add(t, "-");
}

/* --- shares of a bound ---------------------------------------------------- */

struct kb_profile_share kb_profile_share_of(struct kb_clocked_bound bound,
					    int64_t time_ns,
					    int64_t baseline_ns)
{
	return (struct kb_profile_share){
		.bound = bound,
		.of_bound_micro = kb_share_of_bound_micro(bound.bound_ns,
							  time_ns),
		.sol_micro = kb_sol_score_micro(bound.bound_ns, time_ns,
						baseline_ns),
	};
}

void kb_bound_clock_format(char out[KB_FORMAT_SIZE],
			   const struct kb_clocked_bound *bound)
{
	if (bound->bound_ns == KB_UNKNOWN)
		snprintf(out, KB_FORMAT_SIZE, "-");
	else if (bound->sm_clock_mhz == KB_UNKNOWN)
		snprintf(out, KB_FORMAT_SIZE, "data sheet");
	else
		snprintf(out, KB_FORMAT_SIZE, "%" PRId64 " MHz",
			 bound->sm_clock_mhz);
}

static void add_share(struct kb_table *t, const struct kb_profile_share *s)
{
	char clock[KB_FORMAT_SIZE];

	add_ppm(t, s->of_bound_micro);
	kb_bound_clock_format(clock, &s->bound);
	kb_table_add(t, clock);
	add_ppm(t, s->sol_micro);
}

/* --- rows ----------------------------------------------------------------- */

static void add_item(struct kb_table *t, const struct kb_profile_item *i,
		     const struct kb_profile_share *share)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, i->key);
	kb_table_add(t, key);
	kb_table_addf(t, "%d", i->sample_id);
	kb_table_add(t, kb_status_name(i->status));
	kb_table_addf(t, "%" PRId64, i->batch_calls);
	add_ppm(t, kb_profile_running_ppm(i));
	for (int m = 0; m < kb_profile_column_count; m++)
		add_ppm(t, kb_profile_mean_ppm(i, kb_profile_columns[m].metric));
	add_state(t, i);
	add_share(t, share);
}

void kb_profile_table_print(struct kb_buf *out, const struct kb_profile *p,
			    const struct kb_profile_share shares[], struct kb_look look)
{
	enum { BEFORE = 5, BEHIND = 5,
	       COUNT = BEFORE + KB_ARRAY_LEN(kb_profile_columns) + BEHIND };
	struct kb_column columns[COUNT] = {
		{ "problem", KB_ALIGN_LEFT }, { "sample", KB_ALIGN_RIGHT },
		{ "status", KB_ALIGN_LEFT }, { "batch", KB_ALIGN_RIGHT },
		{ "running", KB_ALIGN_RIGHT },
		[COUNT - 5] = { "SM MHz", KB_ALIGN_RIGHT },
		[COUNT - 4] = { "W", KB_ALIGN_RIGHT },
		[COUNT - 3] = { "of bound", KB_ALIGN_RIGHT },
		[COUNT - 2] = { "bound at", KB_ALIGN_RIGHT },
		[COUNT - 1] = { "SOL score", KB_ALIGN_RIGHT },
	};
	const struct kb_profile_share none = kb_profile_share_of(
		(struct kb_clocked_bound)KB_CLOCKED_BOUND_INIT, KB_UNKNOWN,
		KB_UNKNOWN);
	kb_auto(table) struct kb_table *t = NULL;

	for (int m = 0; m < kb_profile_column_count; m++)
		columns[BEFORE + m] = (struct kb_column){
			kb_profile_columns[m].head, KB_ALIGN_RIGHT,
		};
	t = kb_table_new(columns, COUNT);
	for (size_t i = 0; i < p->item_count; i++)
		add_item(t, &p->items[i], shares ? &shares[i] : &none);
	kb_table_print(out, t, look);
}
