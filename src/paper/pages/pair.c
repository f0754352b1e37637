#include "pages/pair.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "manifest/evaluation.h"
#include "manifest/match_key.h"
#include "pages/board.h"
#include "score/speedup.h"
#include "score/times.h"
#include "sheet/format.h"

#define MILLION 1000000

/* Which of the two names comes before the words; below 0: none. */
static const struct {
	int name;
	const char *before, *words;
} texts[KB_PAIR_ANSWER_COUNT] = {
	[KB_PAIR_FIRST_FASTER] = { 0, "", " is faster" },
	[KB_PAIR_SECOND_FASTER] = { 1, "", " is faster" },
	[KB_PAIR_UNDECIDED] = { -1, "", "undecided" },
	[KB_PAIR_BOTH_CORRECT] = { -1, "", "both are correct" },
	[KB_PAIR_FIRST_CORRECT] = { 0, "only ", " is correct" },
	[KB_PAIR_SECOND_CORRECT] = { 1, "only ", " is correct" },
	[KB_PAIR_NEITHER] = { -1, "", "neither is correct" },
};

void kb_pair_answer_print(struct kb_buf *out, const struct kb_pair *p,
			  enum kb_pair_answer a)
{
	kb_buf_addf(out, "%s%s%s", texts[a].before, texts[a].name < 0 ? "" :
		    p->names[texts[a].name], texts[a].words);
}

void kb_pair_verdict_print(struct kb_buf *out, const struct kb_pair *p)
{
	const bool is_first = p->geomean_micro < MILLION;
	char ratio[KB_FORMAT_SIZE], one[KB_FORMAT_SIZE];

	if (p->why_not) {
		kb_buf_addf(out, "The times are not compared: %s.", p->why_not);
		return;
	}
	if (p->geomean_micro <= 0) {
		kb_buf_addstr(out, "No problem has a time of both.");
		return;
	}
	kb_format_ratio(ratio, is_first ? kb_ratio_micro(MILLION,
							 p->geomean_micro) :
			p->geomean_micro);
	kb_format_ratio(one, MILLION);
	if (!strcmp(ratio, one))
		kb_buf_addf(out, "%s and %s take the same time", p->names[0],
			    p->names[1]);
	else
		kb_buf_addf(out, "%s is %s faster than %s",
			    p->names[!is_first], ratio, p->names[is_first]);
	kb_buf_addf(out, ", in the geometric mean of %zu problem%s.",
		    p->ratio_count, p->ratio_count == 1 ? "" : "s");
}

/* Names of others may have any length. The caller frees. */
static char *name_of(const struct kb_view *v)
{
	kb_auto(buf) struct kb_buf name = KB_BUF_INIT;
	size_t len;

	kb_view_name_print(&name, v);
	len = name.len < KB_PAIR_NAME_BYTES_MAX ? name.len :
						  KB_PAIR_NAME_BYTES_MAX;
	/* Not within a character of several bytes. */
	while (len && (name.data[len] & 0xc0) == 0x80)
		len--;
	return kb_xstrndup(name.data, len);
}

static void find_names(struct kb_pair *p)
{
	const struct kb_view *views[] = { p->first, p->second };

	for (size_t i = 0; i < KB_ARRAY_LEN(views); i++)
		p->names[i] = name_of(views[i]);
	if (strcmp(p->names[0], p->names[1]))
		return;
	for (size_t i = 0; i < KB_ARRAY_LEN(views); i++) {
		char *name = kb_xasprintf("%s %s", p->names[i],
			kb_short_id(&views[i]->bundle.id).text);

		free(p->names[i]);
		p->names[i] = name;
	}
}

static bool have_equal_keys(const struct kb_view *a, const struct kb_view *b)
{
	const struct kb_conditions *x = kb_view_conditions(a);
	const struct kb_conditions *y = kb_view_conditions(b);
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;

	if (!x || !y)
		return false;
	kb_match_key_diff(&m, x->match_key, y->match_key);
	return !m.count;
}

/* Why times of the one are not to be divided by those of the other. */
static const char *find_why_not(const struct kb_view *a,
				const struct kb_view *b)
{
	const struct kb_score *x = a->lineage.score, *y = b->lineage.score;
	const struct kb_evaluation *e = a->lineage.evaluation,
				   *f = b->lineage.evaluation;

	if (!kb_board_holds(a) || !kb_board_holds(b))
		return "one of them is not what it says";
	if (!e || !f)
		return "an evaluation is not in the store";
	if (!kb_digest_equal(&e->suite, &f->suite))
		return "they are of two suites";
	if (!have_equal_keys(a, b))
		return "they were made on other hardware or another stack";
	if (!x != !y || (x && !kb_json_equal(x->definition, y->definition)))
		return "their times are by two definitions";
	return NULL;
}

/* The next row that counts, from `i` on; the view's count if none. */
static size_t next_judged(const struct kb_view *v, size_t i)
{
	while (i < v->row_count && !v->rows[i].is_judged)
		i++;
	return i;
}

static bool is_correct(const struct kb_view_row *r)
{
	return r && r->status == KB_STATUS_CORRECT;
}

/* Faster only if every time within one interval is faster than every time
 * within the other. */
static enum kb_pair_answer compare_times(struct kb_pair_row *r)
{
	const struct kb_view_row *a = r->first, *b = r->second;

	r->ratio_micro = kb_ratio_micro(a->candidate_ns, b->candidate_ns);
	r->low_micro = kb_interval_least_micro(a->candidate, b->candidate);
	r->high_micro = kb_interval_most_micro(a->candidate, b->candidate);
	return r->low_micro > MILLION ? KB_PAIR_SECOND_FASTER :
	       r->high_micro < MILLION ? KB_PAIR_FIRST_FASTER :
					 KB_PAIR_UNDECIDED;
}

static enum kb_pair_answer answer_row(const struct kb_pair *p,
				      struct kb_pair_row *r)
{
	/* Correctness comes first: a time of what is wrong is no time. */
	if (!is_correct(r->first))
		return is_correct(r->second) ? KB_PAIR_SECOND_CORRECT
					     : KB_PAIR_NEITHER;
	if (!is_correct(r->second))
		return KB_PAIR_FIRST_CORRECT;
	if (p->why_not || r->first->candidate_ns <= 0 ||
	    r->second->candidate_ns <= 0)
		return KB_PAIR_BOTH_CORRECT;
	return compare_times(r);
}

static void add_row(struct kb_pair *p, struct kb_geomean *mean,
		    const struct kb_view_row *first,
		    const struct kb_view_row *second)
{
	struct kb_pair_row *r = &p->rows[p->count++];

	*r = (struct kb_pair_row){
		.key = first ? first->key : second->key,
		.first = first, .second = second,
		.ratio_micro = KB_UNKNOWN, .high_micro = INT64_MAX,
	};
	r->answer = answer_row(p, r);
	p->counts[r->answer]++;
	if (r->ratio_micro != KB_UNKNOWN)
		kb_geomean_add(mean, first->candidate_ns,
			       second->candidate_ns);
}

/* Both are sorted by problem and are walked together, as a merge; a problem
 * that one of them lacks has a row with one side. */
void kb_pair_init(struct kb_pair *p, const struct kb_view *first,
		  const struct kb_view *second)
{
	size_t i = next_judged(first, 0), k = next_judged(second, 0);
	struct kb_geomean mean = { 0 };

	*p = (struct kb_pair){ .first = first, .second = second,
			       .why_not = find_why_not(first, second) };
	find_names(p);
	p->rows = kb_xcalloc(first->row_count + second->row_count + 1,
			     sizeof(*p->rows));
	while (i < first->row_count || k < second->row_count) {
		const struct kb_view_row *a =
			i < first->row_count ? &first->rows[i] : NULL;
		const struct kb_view_row *b =
			k < second->row_count ? &second->rows[k] : NULL;
		const int order = !a ? 1 : !b ? -1 :
				  kb_key_compare(a->key, b->key);

		add_row(p, &mean, order <= 0 ? a : NULL, order >= 0 ? b : NULL);
		if (order <= 0)
			i = next_judged(first, i + 1);
		if (order >= 0)
			k = next_judged(second, k + 1);
	}
	p->ratio_count = mean.count;
	p->geomean_micro = mean.count ? kb_geomean_micro(&mean) : KB_UNKNOWN;
}

void kb_pair_release(struct kb_pair *p)
{
	free(p->rows);
	free(p->names[0]);
	free(p->names[1]);
	*p = (struct kb_pair){ .rows = NULL };
}
