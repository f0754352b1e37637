#include "score/sums.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/problem_audit.h"
#include "score/at_k.h"
#include "score/kernelbench.h"

#define MICRO 1000000
#define NANO 1000000000

/* The levels that a preset counts as a whole; levels[0] is none of them. */
static void choose_levels(bool levels[KB_LEVEL_MAX + 1],
			  enum kb_preset preset, const struct kb_evaluation *e)
{
	for (int level = 0; level <= KB_LEVEL_MAX; level++)
		levels[level] = preset == KB_PRESET_LEADERBOARD && level &&
				level <= KB_LEADERBOARD_LEVELS;
	if (preset != KB_PRESET_LEADERBOARD)
		for (size_t i = 0; i < e->problem_count; i++)
			levels[e->problems[i].level] = true;
}

static size_t add_keys(struct kb_key out[], const struct kb_key keys[],
		       size_t count, const bool levels[KB_LEVEL_MAX + 1])
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (levels[keys[i].level])
			out[n++] = keys[i];
	return n;
}

struct kb_key *kb_problems_of(size_t *count, enum kb_preset preset,
			      const struct kb_evaluation *e,
			      const struct kb_baseline *b)
{
	const size_t more = kb_preset_rules(preset)->whole_levels ?
				    b->problem_count : 0;
	struct kb_key *keys =
		kb_xcalloc(e->problem_count + more, sizeof(*keys));
	bool levels[KB_LEVEL_MAX + 1];
	size_t n, unique = 0;

	choose_levels(levels, preset, e);
	n = add_keys(keys, e->problems, e->problem_count, levels);
	n += add_keys(keys + n, b->problems, more, levels);
	kb_keys_sort(keys, n);
	for (size_t i = 0; i < n; i++)
		if (!i || kb_key_compare(keys[i], keys[unique - 1]))
			keys[unique++] = keys[i];
	*count = unique;
	return keys;
}

int kb_problems_keep_sound(struct kb_key problems[], size_t *count,
			   const struct kb_suite *suite, struct kb_err *err)
{
	size_t audited = 0, sound = 0;

	if (!suite)
		return kb_err(err, KB_ERR_INPUT,
			      "which problems are sound is not known: the "
			      "suite is not in the store");
	for (size_t i = 0; i < *count; i++) {
		const struct kb_problem_audit *audit =
			kb_suite_audit_of(suite, problems[i]);

		audited += audit != NULL;
		if (audit && kb_findings_sound(&audit->findings))
			problems[sound++] = problems[i];
	}
	*count = sound;
	if (sound)
		return 0;
	return kb_err(err, KB_ERR_INPUT, audited ?
		      "the suite's audit finds none of these problems sound" :
		      "which problems are sound is not known: the suite has "
		      "no audit of these");
}

static void add_at_k(struct kb_metrics *m, const struct kb_verdict verdicts[],
		     size_t count)
{
	kb_auto(mem) struct kb_tries *tries =
		kb_xcalloc(count, sizeof(*tries));

	for (size_t i = 0; i < count; i++)
		tries[i] = verdicts[i].tries;
	m->has_certainty = true;
	m->at_k = kb_xcalloc(KB_AT_K_COUNT, sizeof(*m->at_k));
	m->at_k_count = kb_at_k_of(m->at_k, tries, count);
}

static double ms_of(int64_t time_ns, double unknown_ms)
{
	return time_ns == KB_UNKNOWN ? unknown_ms : (double)time_ns / 1e6;
}

/* Upstream's own arithmetic is in doubles and milliseconds, rounding included,
 * and is done as such: its numbers are reproduced and not improved. */
static void upstream_of(struct kb_upstream *u,
			const struct kb_verdict verdicts[], size_t count)
{
	*u = (struct kb_upstream){ 0 };
	for (size_t i = 0; i < count; i++) {
		const struct kb_score_line *l = &verdicts[i].line;

		kb_upstream_add(u, &(struct kb_upstream_result){
			.compiled = kb_upstream_compiled(l->status,
							 verdicts[i].compiled),
			.correct = l->status == KB_STATUS_CORRECT,
			.runtime_ms = ms_of(l->candidate_ns,
					    KB_UPSTREAM_UNTIMED_MS),
			.baseline_ms = ms_of(l->baseline_ns, 0),
		});
	}
}

static void count_statuses(struct kb_metrics *m,
			   const struct kb_verdict verdicts[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		m->status_counts[verdicts[i].line.status]++;
	m->status_counts[KB_STATUS_MISSING] += m->problems - (int64_t)count;
}

/* The numbers of one level of `problems` problems, but for statuses, which
 * it does not know. */
static void take_upstream(struct kb_metrics *m, const struct kb_upstream *u,
			  int64_t problems)
{
	struct kb_shares *s = &m->shares;

	*m = (struct kb_metrics)KB_METRICS_INIT;
	m->problems = problems;
	m->compiled = u->compiled;
	m->correct = u->correct;
	m->has_shares = true;
	m->geomean_speedup_micro = kb_upstream_geomean(u, MICRO);
	s->geomean_speedup_nano = kb_upstream_geomean(u, NANO);
	kb_share_of(&s->compiled, u->compiled, problems);
	kb_share_of(&s->correct, u->correct, problems);
	for (int p = 0; p < KB_FAST_COUNT; p++) {
		m->fast[p] = u->fast[p];
		kb_share_of(&s->fast[p], u->fast[p], u->with_baseline);
	}
}

static void sum_level(struct kb_metrics *m, enum kb_preset preset,
		      const struct kb_verdict verdicts[], size_t count)
{
	const struct kb_rules *rules = kb_preset_rules(preset);
	struct kb_upstream u;

	if (!rules->upstream) {
		kb_metrics_of(m, verdicts, count);
		if (rules->intervals)
			add_at_k(m, verdicts, count);
		return;
	}
	upstream_of(&u, verdicts, count);
	take_upstream(m, &u, (int64_t)count);
	count_statuses(m, verdicts, count);
}

/* How many of the verdicts, which are sorted, are of the first one's level. */
static size_t level_len(const struct kb_verdict verdicts[], size_t count)
{
	size_t n = 0;

	while (n < count &&
	       verdicts[n].line.key.level == verdicts[0].line.key.level)
		n++;
	return n;
}

/* Overall numbers are over all problems and not means of levels, so that a
 * level of 20 problems does not weigh as much as one of 100. */
static void sum_levels(struct kb_score *s, enum kb_preset preset,
		       const struct kb_verdict verdicts[], size_t count)
{
	size_t capacity = 0;

	for (size_t i = 0, n; i < count; i += n) {
		struct kb_level_metrics *m;

		s->levels = kb_grow(s->levels, s->level_count, &capacity,
				    sizeof(*s->levels));
		m = &s->levels[s->level_count++];
		m->level = verdicts[i].line.key.level;
		n = level_len(verdicts + i, count - i);
		sum_level(&m->metrics, preset, verdicts + i, n);
	}
	sum_level(&s->overall, preset, verdicts, count);
}

/*
 * A level's rate times its problems, summed and divided by all problems. With
 * c_i of n_i for t_i problems that is, over one denominator,
 *
 *	(c_1 t_1 n_2 n_3 + ...) / (n_1 n_2 n_3 (t_1 + t_2 + t_3)).
 */
static void weigh_fast(struct kb_share *out,
		       const struct kb_upstream levels[], int p,
		       int64_t problems)
{
	int64_t part = 0, whole = problems;

	for (int i = 0; i < KB_LEADERBOARD_LEVELS; i++) {
		int64_t term = levels[i].fast[p] * kb_leaderboard_problems[i];

		for (int j = 0; j < KB_LEADERBOARD_LEVELS; j++)
			if (j != i && levels[j].with_baseline)
				term *= levels[j].with_baseline;
		part += term;
		if (levels[i].with_baseline)
			whole *= levels[i].with_baseline;
	}
	kb_share_of(out, part, whole);
}

static void weigh_levels(struct kb_metrics *m,
			 const struct kb_upstream levels[])
{
	struct kb_upstream all = { 0 };

	for (int i = 0; i < KB_LEADERBOARD_LEVELS; i++) {
		all.problems += kb_leaderboard_problems[i];
		all.compiled += levels[i].compiled;
		all.correct += levels[i].correct;
		for (int p = 0; p < KB_FAST_COUNT; p++)
			all.fast[p] += levels[i].fast[p];
	}
	take_upstream(m, &all, all.problems);
	m->geomean_speedup_micro = kb_upstream_mean_of_levels(
		levels, KB_LEADERBOARD_LEVELS, MICRO);
	m->shares.geomean_speedup_nano = kb_upstream_mean_of_levels(
		levels, KB_LEADERBOARD_LEVELS, NANO);
	for (int p = 0; p < KB_FAST_COUNT; p++) {
		kb_share_release(&m->shares.fast[p]);
		weigh_fast(&m->shares.fast[p], levels, p, all.problems);
	}
}

/* Its levels are always there, and as long as they are. */
static int sum_leaderboard(struct kb_score *s,
			   const struct kb_verdict verdicts[], size_t count,
			   struct kb_err *err)
{
	struct kb_upstream levels[KB_LEADERBOARD_LEVELS];
	size_t first = 0;

	s->levels = kb_xcalloc(KB_LEADERBOARD_LEVELS, sizeof(*s->levels));
	for (int i = 0; i < KB_LEADERBOARD_LEVELS; i++) {
		const int problems = kb_leaderboard_problems[i];
		struct kb_level_metrics *m = &s->levels[s->level_count++];
		size_t n = 0;

		m->level = i + 1;
		if (first < count && verdicts[first].line.key.level == i + 1)
			n = level_len(verdicts + first, count - first);
		if (n > (size_t)problems)
			return kb_err(err, KB_ERR_INPUT,
				      "level %d has %zu problems, the leaderboard's has %d",
				      i + 1, n, problems);
		upstream_of(&levels[i], verdicts + first, n);
		take_upstream(&m->metrics, &levels[i], problems);
		count_statuses(&m->metrics, verdicts + first, n);
		first += n;
	}
	weigh_levels(&s->overall, levels);
	/* Problems that nobody submitted are missing, up to the leaderboard's
	 * number. */
	count_statuses(&s->overall, verdicts, count);
	return 0;
}

int kb_sums_of(struct kb_score *s, enum kb_preset preset,
	       const struct kb_verdict verdicts[], size_t count,
	       struct kb_err *err)
{
	if (preset == KB_PRESET_LEADERBOARD)
		return sum_leaderboard(s, verdicts, count, err);
	sum_levels(s, preset, verdicts, count);
	return 0;
}

void kb_sums_of_sound(struct kb_sound_metrics *out, enum kb_preset preset,
		      const struct kb_suite *suite,
		      const struct kb_verdict verdicts[], size_t count)
{
	kb_auto(mem) struct kb_verdict *sound =
		kb_xcalloc(count, sizeof(*sound));
	size_t n = 0;

	out->unsound = out->unknown = 0;
	for (size_t i = 0; i < count; i++) {
		const struct kb_problem_audit *audit = suite ?
			kb_suite_audit_of(suite, verdicts[i].line.key) : NULL;

		if (!audit)
			out->unknown++;
		else if (!kb_findings_sound(&audit->findings))
			out->unsound++;
		else
			sound[n++] = verdicts[i];
	}
	out->verdicts = !suite ? KB_VERDICTS_SUITE_ABSENT :
		out->unknown == (int64_t)count ? KB_VERDICTS_NOT_AUDITED :
						 KB_VERDICTS_KNOWN;
	if (out->verdicts == KB_VERDICTS_KNOWN)
		sum_level(&out->metrics, preset, sound, n);
}
