/* The warnings of a score. */

#include "sheet/note_texts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "json/json.h"
#include "manifest/score.h"
#include "manifest/seeds.h"
#include "score/preset.h"
#include "score/times.h"

/* One whose ends are not known spans all. */
static bool is_wide(const struct kb_score_line *l)
{
	const int64_t least = kb_interval_least_micro(l->baseline,
						      l->candidate);
	const int64_t most = kb_interval_most_micro(l->baseline, l->candidate);

	return least <= 0 || most / 2 >= least;
}

void kb_noisy_print(struct kb_buf *out, const struct kb_score *s)
{
	size_t count = 0, wide = 0;

	for (size_t i = 0; i < s->line_count; i++) {
		const struct kb_score_line *l = &s->lines[i];

		if (!l->has_intervals || l->speedup_micro == KB_UNKNOWN)
			continue;
		count++;
		wide += is_wide(l);
	}
	if (2 * wide > count)
		kb_buf_addf(out, "too noisy to rank candidates: %zu of %zu "
			    "speedups are known to no better than a factor of "
			    "two; repeat on an idle machine, with more trials",
			    wide, count);
}

void kb_drifted_print(struct kb_buf *out, const struct kb_score *s)
{
	if (s->has_drifted)
		kb_buf_addf(out, "the baseline has drifted by more than %"
			    PRId64 ".%" PRId64 "%%", s->drift.limit_ppm / 10000,
			    s->drift.limit_ppm / 1000 % 10);
}

/* --- what a preset wants of an evaluation ------------------------------- */

/* NULL of a definition that is none of ours. */
static const struct kb_rules *rules_of(const struct kb_score *s)
{
	struct kb_choice choice;

	return kb_preset_read(&choice, s->definition, NULL) < 0 ?
		       NULL : kb_preset_rules(choice.preset);
}

/* Without a list the evaluation was under one seed. */
static size_t seed_count(const struct kb_score *s)
{
	const char *list = kb_json_text(s->definition, "seeds");
	struct kb_seeds seeds;

	return list && kb_seeds_parse(&seeds, list, NULL) == 0 ? seeds.count : 1;
}

void kb_seeds_note_print(struct kb_buf *out, const struct kb_score *s)
{
	const struct kb_rules *rules = rules_of(s);

	if (rules && rules->seeds_wanted && seed_count(s) > 1)
		kb_buf_addstr(out, kb_json_text(s->definition, "seeds"));
}

void kb_few_seeds_print(struct kb_buf *out, const struct kb_score *s)
{
	const struct kb_rules *rules = rules_of(s);
	const size_t count = seed_count(s);

	if (rules && count < rules->seeds_wanted)
		kb_buf_addf(out, "correct is under %zu seed%s, and %s wants "
			    "%zu", count, count == 1 ? "" : "s", rules->name,
			    rules->seeds_wanted);
}

static size_t count_refused(const struct kb_score *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->line_count; i++)
		count += s->lines[i].status == KB_STATUS_INPUTS_MODIFIED;
	return count;
}

void kb_in_place_print(struct kb_buf *out, const struct kb_score *s)
{
	const bool accepted = kb_json_find(s->definition, "in_place");
	const size_t refused = count_refused(s);
	const struct kb_rules *rules = rules_of(s);

	if (!rules)
		return;
	if (rules->in_place == KB_IN_PLACE_REFUSED && accepted)
		kb_buf_addf(out, "candidates that overwrite their inputs were "
			    "accepted, and preset '%s' wants them refused",
			    rules->name);
	else if (rules->in_place == KB_IN_PLACE_ACCEPTED && refused)
		kb_buf_addf(out, "%zu candidate%s inputs_modified, and preset "
			    "'%s' wants them accepted", refused,
			    refused == 1 ? " is" : "s are", rules->name);
}

void kb_attempts_print(struct kb_buf *out, const struct kb_score *s)
{
	if (s->stated.attempts > 1)
		kb_buf_addf(out, "kb-serve answered up to %" PRId64 " attempts at a "
			    "problem, of which this score has attempt %" PRId64
			    ": the best of them is a best of %" PRId64,
			    s->stated.attempts,
			    kb_json_int_or(s->definition, "sample_id", 0) + 1,
			    s->stated.attempts);
}
