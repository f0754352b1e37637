#include "pages/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/numbers.h"
#include "cli/wrap.h"
#include "manifest/suite.h"
#include "pages/dots.h"
#include "pages/fast_curve.h"
#include "pages/outcomes.h"
#include "pages/roofline.h"
#include "sheet/notes.h"
#include "verify/peaks.h"

#define WIDTH 560

static const char *const names[KB_FIGURE_COUNT] = {
	[KB_FIGURE_FAST_P] = "fast-p",
	[KB_FIGURE_SPEEDUPS] = "speedups",
	[KB_FIGURE_OUTCOMES] = "outcomes",
	[KB_FIGURE_SPREAD] = "spread",
	[KB_FIGURE_ROOFLINE] = "roofline",
};

const char *kb_figure_name(enum kb_figure figure)
{
	return names[figure];
}

int kb_figure_parse(enum kb_figure *out, const char *name, struct kb_err *err)
{
	for (int i = 0; i < KB_FIGURE_COUNT; i++) {
		if (strcmp(names[i], name))
			continue;
		*out = (enum kb_figure)i;
		return 0;
	}
	return kb_err(err, KB_ERR_USAGE, "no figure is called '%s': there are "
		      "fast-p, speedups, outcomes, spread and roofline", name);
}

bool kb_figure_takes_many(enum kb_figure figure)
{
	return figure == KB_FIGURE_FAST_P;
}

void kb_problem_page_file(char out[KB_PROBLEM_FILE_SIZE],
			  const struct kb_view *v, const struct kb_key *key)
{
	snprintf(out, KB_PROBLEM_FILE_SIZE, "%s-%d-%d.html",
		 kb_short_id(&v->bundle.id).text, key->level,
		 key->problem_id);
}

/* Where a figure is drawn. In a file of its own it has the warnings of its
 * scores in it, which a page has above it. */
struct setting {
	enum kb_place place;
	const char *warnings;		/* as a chart's `below` */
};

#define COLUMNS 72		/* of text, so that it is no wider than WIDTH */

static void print_warnings(struct kb_buf *out, const struct kb_view *v,
			   bool is_one_of_many)
{
	const struct kb_short_id id = kb_short_id(&v->bundle.id);
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	if (v->lineage.score)
		kb_warnings_of(&w, v->lineage.score);
	for (size_t i = 0; i < w.count; i++) {
		kb_auto(mem) char *line = kb_xasprintf(
			"WARNING%s%s: %s", is_one_of_many ? ", " : "",
			is_one_of_many ? id.text : "", w.texts[i]);

		kb_wrap_print(out, line, 0, 0, COLUMNS);
		kb_buf_addch(out, '\n');
	}
}

/* --- fast_p ----------------------------------------------------------- */

static bool draw_fast_p(struct kb_buf *out, const struct kb_view views[],
			size_t count, const struct setting *at)
{
	kb_auto(mem) struct kb_curve *curves =
		kb_xcalloc(count + 1, sizeof(*curves));
	char id[8 + KB_SHORT_ID] = "fast-p";
	size_t total = 0;

	/* A page may have one for each ranking. */
	if (at->place != KB_PLACE_FILE)
		snprintf(id, sizeof(id), "fast-p-%s",
			 kb_short_id(&views[0].bundle.id).text);
	for (size_t i = 0; i < count; i++) {
		kb_auto(buf) struct kb_buf title = KB_BUF_INIT;
		struct kb_curve *c = &curves[i];

		kb_view_title_print(&title, &views[i]);
		c->items = kb_view_reaches(&views[i], &c->count);
		c->problems = kb_view_overall(&views[i])->problems;
		kb_buf_addf(&title, ", %s",
			    kb_short_id(&views[i].bundle.id).text);
		c->name = kb_buf_detach(&title);
		total += c->count;
	}
	if (total)
		kb_fast_curve_draw(out, &(struct kb_chart){
			.id = id, .title = "fast_p over p",
			.description = "Share of all problems whose candidate "
				"is correct and faster than p times the "
				"baseline, for p from 0 to 3. The band lies "
				"between what is certain at 95 % and what is "
				"possible.",
			.width = WIDTH, .is_alone = at->place == KB_PLACE_FILE,
			.below = at->warnings,
			.height = 320 + (count > 1 ? 18 * (int)count + 8 : 0),
		}, curves, count);
	for (size_t i = 0; i < count; i++) {
		free((void *)curves[i].items);
		free((void *)curves[i].name);
	}
	return total > 0;
}

/* --- dots ------------------------------------------------------------- */

struct dots {
	const struct kb_view *view;
	bool has_links;
	struct kb_dot *items;
	char (*names)[KB_KEY_SIZE];
	char (*links)[KB_PROBLEM_FILE_SIZE];
	size_t count;
};

static void kb_cleanup_dots(struct dots *d)
{
	free(d->items);
	free(d->names);
	free(d->links);
}

/* Room for all rows. */
static struct dots dots_new(const struct kb_view *v, enum kb_place place)
{
	return (struct dots){
		.view = v, .has_links = place == KB_PLACE_SITE,
		.items = kb_xcalloc(v->row_count + 1, sizeof(struct kb_dot)),
		.names = kb_xcalloc(v->row_count + 1, KB_KEY_SIZE),
		.links = kb_xcalloc(v->row_count + 1, KB_PROBLEM_FILE_SIZE),
	};
}

static void name_row(struct dots *d, const struct kb_view_row *r)
{
	kb_key_format(d->names[d->count], r->key);
	kb_problem_page_file(d->links[d->count], d->view, &r->key);
}

static const char *link_of(const struct dots *d)
{
	return d->has_links ? d->links[d->count] : NULL;
}

static void add_dot(struct dots *d, const struct kb_view_row *r,
		    const struct kb_reach *reach)
{
	name_row(d, r);
	d->items[d->count] = (struct kb_dot){
		.name = d->names[d->count], .link = link_of(d),
		.label = r->problem ? r->problem->name : NULL,
		.level = r->key.level, .micro = reach->speedup_micro,
		.low_micro = reach->low_micro, .high_micro = reach->high_micro,
	};
	d->count++;
}

static bool draw_speedups(struct kb_buf *out, const struct kb_view *v,
			  const struct setting *at)
{
	kb_auto(dots) struct dots d = dots_new(v, at->place);

	for (size_t i = 0; i < v->row_count; i++)
		if (v->rows[i].is_judged && v->rows[i].has_speedup &&
		    v->rows[i].speedup.speedup_micro > 0)
			add_dot(&d, &v->rows[i], &v->rows[i].speedup);
	if (d.count)
		kb_speedups_draw(out, &(struct kb_chart){
			.id = "speedups", .title = "Speedups, sorted",
			.description = "Each correct candidate's speedup with "
				"its interval at 95 %, on a logarithmic axis.",
			.width = WIDTH, .height = kb_speedups_height(d.count),
			.is_alone = at->place == KB_PLACE_FILE,
			.below = at->warnings,
			.has_links = at->place == KB_PLACE_SITE,
		}, d.items, d.count);
	return d.count > 0;
}

/* --- spread ----------------------------------------------------------- */

static void add_ratio(struct dots *d, const struct kb_view_row *r,
		      int64_t micro)
{
	const struct kb_reach reach = { micro, 0, INT64_MAX };

	if (r->is_judged && micro != KB_UNKNOWN && micro > 0)
		add_dot(d, r, &reach);
}

static int compare_micro(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The lower of two in the middle, as a mark; tables have the number. */
static int64_t middle_of(const struct dots *d)
{
	kb_auto(mem) int64_t *v = kb_xcalloc(d->count + 1, sizeof(*v));

	if (!d->count)
		return KB_UNKNOWN;
	for (size_t i = 0; i < d->count; i++)
		v[i] = d->items[i].micro;
	qsort(v, d->count, sizeof(*v), compare_micro);
	return v[(d->count - 1) / 2];
}

static bool draw_spread(struct kb_buf *out, const struct kb_view *v,
			const struct setting *at)
{
	kb_auto(dots) struct dots drift = dots_new(v, at->place),
				 noise = dots_new(v, at->place);
	struct kb_strip s[2];

	for (size_t i = 0; i < v->row_count; i++) {
		const struct kb_view_row *r = &v->rows[i];

		add_ratio(&drift, r, r->drift_micro);
		add_ratio(&noise, r, r->noise_micro);
	}
	if (!drift.count && !noise.count)
		return false;
	s[0] = (struct kb_strip){ "drift", drift.items, drift.count,
				  middle_of(&drift) };
	s[1] = (struct kb_strip){ "noise", noise.items, noise.count,
				  middle_of(&noise) };
	kb_strips_draw(out, &(struct kb_chart){
		.id = "spread", .title = "Drift and noise",
		.description = "Drift: each reference's time beside the "
			"candidate by its time in the baseline. Noise: its "
			"time by the odd trials by that by the even ones. "
			"Both are 1 where nothing disturbs.",
		.width = WIDTH, .height = 136, .is_alone = at->place == KB_PLACE_FILE,
			.below = at->warnings,
	}, s, KB_ARRAY_LEN(s));
	return true;
}

/* --- outcomes --------------------------------------------------------- */

static bool draw_outcomes(struct kb_buf *out, const struct kb_view *v,
			  const struct setting *at)
{
	const struct kb_score *s = v->lineage.score;
	const size_t levels = s ? s->level_count : 0;
	kb_auto(mem) struct kb_outcome_row *rows =
		kb_xcalloc(levels + 1, sizeof(*rows));
	kb_auto(mem) char (*heads)[16] = kb_xcalloc(levels + 1, 16);

	for (size_t i = 0; i < levels; i++) {
		snprintf(heads[i], sizeof(heads[i]), "level %d",
			 s->levels[i].level);
		rows[i] = (struct kb_outcome_row){
			heads[i], s->levels[i].metrics.status_counts };
	}
	rows[levels] = (struct kb_outcome_row){
		"all", kb_view_overall(v)->status_counts };
	kb_outcomes_draw(out, &(struct kb_chart){
		.id = "outcomes", .title = "Outcomes by class and level",
		.description = "How many problems of each level ended in each "
			"class; the table below has them by status.",
		.width = WIDTH, .height = kb_outcomes_height(levels + 1),
		.is_alone = at->place == KB_PLACE_FILE,
			.below = at->warnings,
	}, rows, levels + 1);
	return true;
}

/* --- roofline --------------------------------------------------------- */

/* Both axes are logarithmic: no operations, no bytes and no time have no place
 * on them. */
static bool is_on_roofline(const struct kb_view_row *r,
			   enum kb_precision precision)
{
	return r->is_judged && r->candidate_ns > 0 && r->problem &&
	       r->problem->facts && r->problem->facts->flops > 0 &&
	       r->problem->facts->bytes_min[precision] > 0 &&
	       kb_class_of(r->status) == KB_CLASS_CORRECT;
}

/* The highest clock that any of them was timed at: no dot is to lie above what
 * the device could do. */
static int64_t highest_clock(const struct kb_view *v)
{
	int64_t mhz = KB_UNKNOWN;

	for (size_t i = 0; i < v->row_count; i++)
		mhz = kb_max_i64(mhz, v->rows[i].bound.sm_clock_mhz);
	return mhz;
}

struct kb_roof kb_view_roof(const struct kb_view *v)
{
	const int64_t mhz = highest_clock(v);

	if (!v->ceiling.peak)
		return (struct kb_roof){ .memory_mb_per_s = 0 };
	return (struct kb_roof){
		.memory_mb_per_s = v->ceiling.peak->memory_mb_per_s,
		.arithmetic_gop_per_s = kb_ceiling_gop_per_s(&v->ceiling, mhz),
		.fp32_gop_per_s = kb_max_i64(
			kb_ceiling_fp32_gop_per_s(&v->ceiling, mhz), 0),
		.sm_clock_mhz = kb_max_i64(mhz, 0),
	};
}

static bool draw_roofline(struct kb_buf *out, const struct kb_view *v,
			  const struct setting *at)
{
	kb_auto(dots) struct dots d = dots_new(v, at->place);
	kb_auto(mem) struct kb_roof_dot *roofs =
		kb_xcalloc(v->row_count + 1, sizeof(*roofs));
	const enum kb_precision precision = kb_view_precision(v);
	const struct kb_roof roof = kb_view_roof(v);

	if (precision == KB_PRECISION_COUNT)
		return false;
	for (size_t i = 0; i < v->row_count; i++) {
		const struct kb_view_row *r = &v->rows[i];

		if (!is_on_roofline(r, precision))
			continue;
		name_row(&d, r);
		roofs[d.count] = (struct kb_roof_dot){
			d.names[d.count], link_of(&d), r->key.level,
			r->problem->facts->flops,
			r->problem->facts->bytes_min[precision],
			r->candidate_ns,
		};
		d.count++;
	}
	if (d.count)
		kb_roofline_draw(out, &(struct kb_chart){
			.id = "roofline", .title = "Roofline",
			.description = "Arithmetic achieved over arithmetic "
				"intensity, from operations and bytes that the "
				"suite states and the candidates' times.",
			.width = WIDTH, .height = 400, .is_alone = at->place == KB_PLACE_FILE,
			.below = at->warnings,
			.has_links = at->place == KB_PLACE_SITE,
		}, &roof, roofs, d.count);
	return d.count > 0;
}

static bool draw_figure(struct kb_buf *out, enum kb_figure figure,
			const struct kb_view views[], size_t count,
			const struct setting *at)
{
	switch (figure) {
	case KB_FIGURE_FAST_P:
		return draw_fast_p(out, views, count, at);
	case KB_FIGURE_SPEEDUPS:
		return draw_speedups(out, views, at);
	case KB_FIGURE_OUTCOMES:
		return draw_outcomes(out, views, at);
	case KB_FIGURE_SPREAD:
		return draw_spread(out, views, at);
	case KB_FIGURE_ROOFLINE:
		return draw_roofline(out, views, at);
	case KB_FIGURE_COUNT:
		break;
	}
	KB_BUG("not a figure");
}

bool kb_figure_draw(struct kb_buf *out, enum kb_figure figure,
		    const struct kb_view views[], size_t count, enum kb_place place)
{
	kb_auto(buf) struct kb_buf warnings = KB_BUF_INIT;

	/* Charts are of what was measured. */
	for (size_t i = 0; i < count; i++)
		if (!kb_kind_has_times(views[i].lineage.kind))
			return false;
	for (size_t i = 0; place == KB_PLACE_FILE && i < count; i++)
		print_warnings(&warnings, &views[i], count > 1);
	return draw_figure(out, figure, views, count,
			   &(struct setting){ place, warnings.data });
}
