#include "tables/kernel_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/record.h"
#include "sheet/format.h"
#include "tables/table.h"
#include "verify/ceiling.h"

#define MILLION 1000000
#define IMPOSSIBLE 10			/* times what a device can do */

/* Long names differ in their templates' arguments: the file has them whole. */
#define NAME_MAX_CHARACTERS 72

const struct kb_kernel_column kb_kernel_columns[] = {
#define COLUMN(member, head, unit) \
	{ offsetof(struct kb_kernel_row, member), #member, head, \
	  KB_KERNEL_UNIT_##unit }
	COLUMN(launch_count, "launches", COUNT),
	COLUMN(time_ns, "us", NS),
	COLUMN(share_ppm, "of time", PPM),
	COLUMN(dram_read_bytes, "MB read", BYTES),
	COLUMN(dram_write_bytes, "MB written", BYTES),
	COLUMN(dram_ppm, "DRAM", PPM),
	COLUMN(l2_bytes, "L2 MB", BYTES),
	COLUMN(fp32_ppm, "fp32", PPM),
	COLUMN(tensor_ppm, "tensor", PPM),
	COLUMN(occupancy_ppm, "occupancy", PPM),
#undef COLUMN
};

const int kb_kernel_column_count = KB_ARRAY_LEN(kb_kernel_columns);

int64_t kb_kernel_row_number(const struct kb_kernel_row *r,
			     const struct kb_kernel_column *c)
{
	int64_t number;

	memcpy(&number, (const char *)r + c->offset, sizeof(number));
	return number;
}

/* --- what follows from the counters ------------------------------------ */

/* A profile is anybody's file: its key may have members of any type. */
static const char *find_fact(const struct kb_profile *p, const char *name)
{
	return kb_json_text_or(p->match_key, name, "");
}

static int64_t last_sm_clock_mhz(const struct kb_profile_item *i)
{
	return i->interval_count ?
		i->intervals[i->interval_count - 1].sm_clock_mhz : KB_UNKNOWN;
}

int64_t kb_kernel_fp32_ppm(const struct kb_profile *p,
			   const struct kb_profile_item *i,
			   const struct kb_kernel *k)
{
	const int64_t operations = kb_kernel_fp32_operations(k);
	const int64_t clock_mhz = last_sm_clock_mhz(i);
	const int64_t time_ns = k->counters[KB_KERNEL_TIME];
	const long sms = atol(find_fact(p, "gpu.multiprocessors"));
	const int64_t per_cycle =
		kb_fp32_per_cycle(find_fact(p, "gpu.compute_capability"));
	double most, share;

	if (operations == KB_UNKNOWN || clock_mhz <= 0 || time_ns <= 0 ||
	    per_cycle == KB_UNKNOWN || sms < 1)
		return KB_UNKNOWN;
	most = (double)sms * (double)per_cycle * (double)clock_mhz / 1000 *
	       (double)time_ns;
	share = (double)operations / most;
	return share > IMPOSSIBLE ? KB_UNKNOWN
				  : (int64_t)(share * MILLION + 0.5);
}

static int64_t share_ppm(int64_t part, int64_t whole)
{
	return part == KB_UNKNOWN || whole <= 0 ? KB_UNKNOWN :
		(int64_t)((double)part / (double)whole * MILLION + 0.5);
}

/* --- rows --------------------------------------------------------------- */

static struct kb_kernel_row row_of(const struct kb_profile *p,
				   const struct kb_profile_item *i,
				   const struct kb_kernel *k, int64_t all_ns)
{
	const int64_t *c = k->counters;

	return (struct kb_kernel_row){
		.item = i, .name = k->name,
		.launch_count = k->launch_count,
		.time_ns = c[KB_KERNEL_TIME],
		.share_ppm = share_ppm(c[KB_KERNEL_TIME], all_ns),
		.dram_read_bytes = c[KB_KERNEL_DRAM_READ],
		.dram_write_bytes = c[KB_KERNEL_DRAM_WRITE],
		.dram_ppm = c[KB_KERNEL_DRAM],
		.l2_bytes = c[KB_KERNEL_L2],
		.fp32_ppm = kb_kernel_fp32_ppm(p, i, k),
		.tensor_ppm = c[KB_KERNEL_TENSOR],
		.occupancy_ppm = c[KB_KERNEL_OCCUPANCY],
	};
}

static struct kb_kernel_row row_without(const struct kb_profile_item *i,
					const char *name, int64_t launches)
{
	struct kb_kernel_row r = { .item = i, .name = name };

	for (int c = 0; c < kb_kernel_column_count; c++)
		memcpy((char *)&r + kb_kernel_columns[c].offset,
		       &(int64_t){ KB_UNKNOWN }, sizeof(int64_t));
	r.launch_count = launches;
	return r;
}

static struct kb_kernel_row row_of_all(const struct kb_profile *p,
				       const struct kb_profile_item *i)
{
	struct kb_kernel all = { .name = (char *)"(all)" };

	for (int c = 0; c < KB_KERNEL_COUNTER_COUNT; c++)
		all.counters[c] = kb_kernels_total(i->kernels, c);
	for (size_t k = 0; k < i->kernels->count; k++)
		all.launch_count += i->kernels->items[k].launch_count;
	return row_of(p, i, &all, all.counters[KB_KERNEL_TIME]);
}

static size_t add_rows(struct kb_kernel_row *rows, const struct kb_profile *p,
		       const struct kb_profile_item *i)
{
	const struct kb_kernels *k = i->kernels;
	const int64_t all_ns = kb_kernels_total(k, KB_KERNEL_TIME);
	size_t n = 0;

	if (k->unavailable)
		rows[n++] = row_without(i, k->unavailable, KB_UNKNOWN);
	else if (!k->count)
		rows[n++] = row_without(i, "(none was launched)", 0);
	if (k->count > 1)
		rows[n++] = row_of_all(p, i);
	for (size_t at = 0; at < k->count; at++)
		rows[n++] = row_of(p, i, &k->items[at], all_ns);
	if (k->left_out_count)
		rows[n++] = row_without(i, "(not counted)", k->left_out_count);
	return n;
}

size_t kb_kernel_rows(struct kb_kernel_row **out, const struct kb_profile *p)
{
	size_t most = 0, n = 0;

	for (size_t i = 0; i < p->item_count; i++)
		if (p->items[i].kernels)
			most += p->items[i].kernels->count + 2;
	*out = kb_xcalloc(most + 1, sizeof(**out));
	for (size_t i = 0; i < p->item_count; i++)
		if (p->items[i].kernels)
			n += add_rows(*out + n, p, &p->items[i]);
	return n;
}

/* --- text --------------------------------------------------------------- */

static void add_number(struct kb_table *t, enum kb_kernel_unit unit,
		       int64_t number)
{
	char text[KB_FORMAT_SIZE] = "-";

	if (number != KB_UNKNOWN && unit == KB_KERNEL_UNIT_PPM)
		kb_format_pct(text, number, MILLION);
	else if (number != KB_UNKNOWN && unit == KB_KERNEL_UNIT_NS)
		kb_format_us(text, number);
	else if (number != KB_UNKNOWN && unit == KB_KERNEL_UNIT_BYTES)
		kb_format_mb(text, number);
	else if (number != KB_UNKNOWN)
		snprintf(text, sizeof(text), "%" PRId64, number);
	kb_table_add(t, text);
}

/* Cut between characters, where they have more bytes than one. */
static void add_name(struct kb_table *t, const struct kb_kernel_row *r)
{
	kb_auto(buf) struct kb_buf clean = KB_BUF_INIT;
	size_t end = 0, characters = 0;

	kb_format_text(&clean, r->name);
	if (r->launch_count != KB_UNKNOWN) {
		while (end < clean.len && characters < NAME_MAX_CHARACTERS)
			characters += (clean.data[++end] & 0xc0) != 0x80;
		kb_table_addf(t, "%.*s%s", (int)end, clean.data,
			      end < clean.len ? "..." : "");
		return;
	}
	kb_table_addf(t, "(not counted: %s)", clean.data);
}

static void add_row(struct kb_table *t, const struct kb_kernel_row *r)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->item->key);
	kb_table_add(t, key);
	kb_table_addf(t, "%d", r->item->sample_id);
	for (int c = 0; c < kb_kernel_column_count; c++)
		add_number(t, kb_kernel_columns[c].unit,
			   kb_kernel_row_number(r, &kb_kernel_columns[c]));
	add_name(t, r);
}

void kb_kernel_table_print(struct kb_buf *out, const struct kb_profile *p,
			   struct kb_look look)
{
	enum { BEFORE = 2, COUNT = BEFORE + KB_ARRAY_LEN(kb_kernel_columns) + 1 };
	struct kb_column columns[COUNT] = {
		{ "problem", KB_ALIGN_LEFT }, { "sample", KB_ALIGN_RIGHT },
		[COUNT - 1] = { "kernel", KB_ALIGN_LEFT },
	};
	kb_auto(mem) struct kb_kernel_row *rows = NULL;
	kb_auto(table) struct kb_table *t = NULL;
	const size_t count = kb_kernel_rows(&rows, p);

	if (!count)
		return;
	for (int c = 0; c < kb_kernel_column_count; c++)
		columns[BEFORE + c] = (struct kb_column){
			kb_kernel_columns[c].head, KB_ALIGN_RIGHT,
		};
	t = kb_table_new(columns, COUNT);
	for (size_t i = 0; i < count; i++)
		add_row(t, &rows[i]);
	kb_table_print(out, t, look);
}
