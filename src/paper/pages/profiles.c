#include "pages/profiles.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/kernels.h"
#include "manifest/profile.h"
#include "pages/cells.h"
#include "pages/run_tables.h"
#include "pages/view.h"
#include "tables/kernel_table.h"
#include "tables/profile_table.h"

static const struct kb_view_row *find_row(const struct kb_view *v,
					  const struct kb_profile_item *i)
{
	for (size_t k = 0; k < v->row_count; k++)
		if (!kb_sample_compare(v->rows[k].key, v->rows[k].sample_id,
				       i->key, i->sample_id))
			return &v->rows[k];
	return NULL;
}

struct kb_profile_share kb_view_profile_share(const struct kb_view *v,
					      const struct kb_profile_item *i)
{
	const struct kb_view_row *r = find_row(v, i);

	if (!r)
		return kb_profile_share_of((struct kb_clocked_bound)
					   KB_CLOCKED_BOUND_INIT, KB_UNKNOWN,
					   KB_UNKNOWN);
	return kb_profile_share_of(r->bound, r->candidate_ns, r->baseline_ns);
}

static void add_row(struct kb_buf *out, const struct kb_view *v,
		    const struct kb_profile_item *i)
{
	const struct kb_profile_share share = kb_view_profile_share(v, i);
	char key[KB_KEY_SIZE];

	kb_key_format(key, i->key);
	kb_buf_addstr(out, "<tr>");
	kb_cell_text(out, key);
	kb_cell_number(out, KB_CELL_COUNT, i->sample_id);
	kb_cell_status(out, i->status);
	kb_cell_number(out, KB_CELL_SHARE, share.of_bound_micro);
	kb_cell_bound_clock(out, &share.bound);
	kb_cell_number(out, KB_CELL_SHARE, share.sol_micro);
	kb_cell_number(out, KB_CELL_SHARE, kb_profile_running_ppm(i));
	for (int m = 0; m < kb_profile_column_count; m++)
		kb_cell_number(out, KB_CELL_SHARE, kb_profile_mean_ppm(
			i, kb_profile_columns[m].metric));
	kb_buf_addstr(out, "</tr>\n");
}

static void add_table(struct kb_buf *out, const struct kb_view *v, size_t n)
{
	enum { BEFORE = 7, MOST = 32 };
	const struct kb_profile *p = &v->profiles[n];
	struct kb_head heads[MOST] = {
		{ "key", "problem", true, false },
		{ "sample_id", "sample", false, false },
		{ "status", "status", true, false },
		{ "bound", "of the bound", false, false },
		{ "bound_mhz", "bound at", false, false },
		{ "sol", "SOL score", false, false },
		{ "running", "running", false, false },
	};
	const int count = BEFORE + kb_profile_column_count;
	char id[32], caption[96];

	for (int m = 0; m < kb_profile_column_count; m++)
		heads[BEFORE + m] = (struct kb_head){
			kb_gpm_metric_name(kb_profile_columns[m].metric),
			kb_profile_columns[m].head, false, false };
	snprintf(id, sizeof(id), "profile-%zu", n + 1);
	snprintf(caption, sizeof(caption), "Profile %zu, by %.24s %.24s", n + 1,
		 p->counters, p->counters_version ? p->counters_version : "");
	kb_table_begin(out, id, caption, heads, (size_t)count, false);
	for (size_t i = 0; i < p->item_count; i++)
		add_row(out, v, &p->items[i]);
	kb_table_end(out);
}

/* --- kernels ------------------------------------------------------------ */

static const enum kb_cell cell_of[] = {
	[KB_KERNEL_UNIT_COUNT] = KB_CELL_COUNT,
	[KB_KERNEL_UNIT_NS] = KB_CELL_US,
	[KB_KERNEL_UNIT_BYTES] = KB_CELL_MB,
	[KB_KERNEL_UNIT_PPM] = KB_CELL_SHARE,
};

static void add_kernel(struct kb_buf *out, const struct kb_kernel_row *r)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->item->key);
	kb_buf_addstr(out, "<tr>");
	kb_cell_text(out, key);
	kb_cell_number(out, KB_CELL_COUNT, r->item->sample_id);
	kb_cell_text(out, r->name);
	for (int c = 0; c < kb_kernel_column_count; c++)
		kb_cell_number(out, cell_of[kb_kernel_columns[c].unit],
			       kb_kernel_row_number(r, &kb_kernel_columns[c]));
	kb_buf_addstr(out, "</tr>\n");
}

/* CUPTI's version and chip, of the first candidate that it counted for. */
static void add_counted_by(struct kb_buf *out, const struct kb_profile *p)
{
	for (size_t i = 0; i < p->item_count; i++) {
		const struct kb_kernels *k = p->items[i].kernels;

		if (!k || k->unavailable)
			continue;
		kb_buf_addf(out, ", by CUPTI %" PRId64, k->cupti_version);
		kb_buf_addf(out, " on %.32s", k->chip ? k->chip : "-");
		return;
	}
}

static const char about_kernels[] =
	"<p>Kernels of one call, as CUPTI counted them in the candidate's own "
	"process, which could have said anything. DRAM and tensor cores are "
	"shares of what the GPU can do while the kernel runs, fp32 of its pipes "
	"at the SM clock that the GPU told last, occupancy of the warps that "
	"SMs have room for. A CUDA graph is one row, whose numbers can be of its "
	"first kernel alone.</p>\n";

static void add_kernels(struct kb_buf *out, const struct kb_view *v, size_t n)
{
	enum { BEFORE = 3, MOST = 32 };
	const struct kb_profile *p = &v->profiles[n];
	kb_auto(mem) struct kb_kernel_row *rows = NULL;
	kb_auto(buf) struct kb_buf caption = KB_BUF_INIT;
	const size_t count = kb_kernel_rows(&rows, p);
	struct kb_head heads[MOST] = {
		{ "key", "problem", true, false },
		{ "sample_id", "sample", false, false },
		{ "name", "kernel", true, false },
	};
	char id[32];

	if (!count)
		return;
	kb_buf_addstr(out, about_kernels);
	for (int c = 0; c < kb_kernel_column_count; c++)
		heads[BEFORE + c] = (struct kb_head){ kb_kernel_columns[c].of,
			kb_kernel_columns[c].head, false, false };
	snprintf(id, sizeof(id), "kernels-%zu", n + 1);
	kb_buf_addf(&caption, "Kernels of profile %zu", n + 1);
	add_counted_by(&caption, p);
	kb_table_begin(out, id, caption.data, heads,
		       (size_t)(BEFORE + kb_kernel_column_count), false);
	for (size_t i = 0; i < count; i++)
		add_kernel(out, &rows[i]);
	kb_table_end(out);
}

/* --- the section ---------------------------------------------------------- */

void kb_profiles_print(struct kb_buf *out, const struct kb_view *v)
{
	if (!v->profile_count && !v->has_bad_profile)
		return;
	kb_buf_addstr(out, "<section><h2>Profiles</h2>\n<p>Advice, of runs of "
		      "their own: no id covers it. What the GPU counted while "
		      "calls were under way, of what it can do.</p>\n"
		      "<p>Before that stands how near the time above is to its "
		      "bound, and SOL-ExecBench's score with that bound: a half "
		      "for who is as fast as the baseline, all for who is at "
		      "the bound. ");
	kb_about_bounds_print(out);
	kb_buf_addstr(out, "</p>\n");
	if (v->has_bad_profile)
		kb_buf_addstr(out, "<p>A file beside the evaluation is called "
			      "like its profile, but is no profile of it.</p>\n");
	for (size_t i = 0; i < v->profile_count; i++) {
		add_table(out, v, i);
		add_kernels(out, v, i);
	}
	kb_buf_addstr(out, "</section>\n");
}
