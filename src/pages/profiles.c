#include "pages/profiles.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "manifest/profile.h"
#include "pages/cells.h"
#include "pages/html.h"
#include "pages/view.h"
#include "score/speedup.h"
#include "tables/profile_table.h"

#define MILLION 1000000

static const struct kb_view_row *find_row(const struct kb_view *v,
					  const struct kb_profile_item *i)
{
	for (size_t k = 0; k < v->row_count; k++)
		if (!kb_sample_compare(v->rows[k].key, v->rows[k].sample_id,
				       i->key, i->sample_id))
			return &v->rows[k];
	return NULL;
}

int64_t kb_share_of_bound_micro(const struct kb_view_row *r)
{
	return r && r->stated_ns > 0 && r->candidate_ns > 0 ?
		kb_ratio_micro(r->stated_ns, r->candidate_ns) : KB_UNKNOWN;
}

/* 1 / (1 + (candidate - bound) / (baseline - bound)); where the baseline is at
 * its bound there is nothing to be gained but to be there too. */
int64_t kb_sol_score_micro(const struct kb_view_row *r)
{
	int64_t above, room;

	if (!r || r->stated_ns <= 0 || r->candidate_ns <= 0 ||
	    r->baseline_ns <= 0)
		return KB_UNKNOWN;
	above = r->candidate_ns - r->stated_ns;
	room = r->baseline_ns - r->stated_ns;
	if (above <= 0)
		return MILLION;
	return room <= 0 ? 0 : kb_ratio_micro(room, room + above);
}

static void add_row(struct kb_buf *out, const struct kb_view *v,
		    const struct kb_profile_item *i)
{
	const struct kb_view_row *r = find_row(v, i);
	char key[KB_KEY_SIZE];

	kb_key_format(key, i->key);
	kb_buf_addstr(out, "<tr>");
	kb_cell_text(out, key);
	kb_cell_number(out, KB_CELL_COUNT, i->sample_id);
	kb_cell_status(out, i->status);
	kb_cell_number(out, KB_CELL_SHARE, kb_profile_running_ppm(i));
	for (int m = 0; m < kb_profile_column_count; m++)
		kb_cell_number(out, KB_CELL_SHARE, kb_profile_mean_ppm(
			i, kb_profile_columns[m].metric));
	kb_cell_number(out, KB_CELL_SHARE, kb_share_of_bound_micro(r));
	kb_cell_number(out, KB_CELL_SHARE, kb_sol_score_micro(r));
	kb_buf_addstr(out, "</tr>\n");
}

static void add_table(struct kb_buf *out, const struct kb_view *v, size_t n)
{
	enum { BEFORE = 4, BEHIND = 2, MOST = 32 };
	const struct kb_profile *p = &v->profiles[n];
	struct kb_head heads[MOST] = {
		{ "key", "problem", true, false },
		{ "sample_id", "sample", false, false },
		{ "status", "status", true, false },
		{ "running", "running", false, false },
	};
	const int count = BEFORE + kb_profile_column_count;
	char id[32], caption[96];

	for (int m = 0; m < kb_profile_column_count; m++)
		heads[BEFORE + m] = (struct kb_head){
			kb_gpm_metric_name(kb_profile_columns[m].metric),
			kb_profile_columns[m].head, false, false };
	heads[count] = (struct kb_head){ "bound", "of the bound", false, false };
	heads[count + 1] = (struct kb_head){ "sol", "SOL score", false, false };
	snprintf(id, sizeof(id), "profile-%zu", n + 1);
	snprintf(caption, sizeof(caption), "Profile %zu, by %.24s %.24s", n + 1,
		 p->counters, p->counters_version ? p->counters_version : "");
	kb_table_begin(out, id, caption, heads, (size_t)(count + BEHIND),
		       false);
	for (size_t i = 0; i < p->item_count; i++)
		add_row(out, v, &p->items[i]);
	kb_table_end(out);
}

void kb_profiles_print(struct kb_buf *out, const struct kb_view *v)
{
	if (!v->profile_count && !v->has_bad_profile)
		return;
	kb_buf_addstr(out, "<section><h2>Profiles</h2>\n<p>Advice, of runs of "
		      "their own: no id covers it. What the GPU counted while "
		      "calls were under way, of what it can do. The bound is "
		      "what the problem as it is stated takes at the peaks of "
		      "the data sheet.</p>\n");
	if (v->has_bad_profile)
		kb_buf_addstr(out, "<p>A file beside the evaluation is called "
			      "like its profile, but is no profile of it.</p>\n");
	for (size_t i = 0; i < v->profile_count; i++)
		add_table(out, v, i);
	kb_buf_addstr(out, "</section>\n");
}
