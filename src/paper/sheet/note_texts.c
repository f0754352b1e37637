/* The conditions that a score states, in words. */

#include "sheet/note_texts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "json/json.h"
#include "manifest/score.h"
#include "score/metrics.h"
#include "sheet/notes.h"

#define LEFT_OUT_MAX 10		/* in a line; the record has all */

static void print_left_out(struct kb_buf *out, const struct kb_stated *s)
{
	for (size_t i = 0; i < s->left_out_count && i < LEFT_OUT_MAX; i++) {
		char key[KB_KEY_SIZE];

		kb_key_format(key, s->left_out[i]);
		kb_buf_addf(out, "%s%s", i ? ", " : "", key);
	}
	if (s->left_out_count > LEFT_OUT_MAX)
		kb_buf_addf(out, " and %zu more",
			    s->left_out_count - LEFT_OUT_MAX);
}

/* Everywhere that this stands, since no number is of all candidates then. */
static void print_backend(struct kb_buf *out, const struct kb_score *score)
{
	const char *name = kb_json_text(score->definition, "backend");

	if (name)
		kb_buf_addf(out, "; candidates in %s alone, others count as "
			    "missing", name);
}

static void print_selected(struct kb_buf *out, const struct kb_score *score)
{
	const struct kb_stated *s = &score->stated;

	if (s->suite_problems == KB_UNKNOWN) {
		kb_buf_addf(out, "%" PRId64 " problems, of how many is not "
			    "known: the suite is not in the store",
			    s->selected);
	} else if (!s->left_out_count) {
		kb_buf_addf(out, "all of the suite's %" PRId64 " problems",
			    s->suite_problems);
	} else {
		kb_buf_addf(out, "%" PRId64 " of the suite's %" PRId64
			    " problems; left out: ", s->selected,
			    s->suite_problems);
		print_left_out(out, s);
	}
}

/* Its numbers do not belong beside those of the parent's problems. */
static void print_derived(struct kb_buf *out, const struct kb_stated *s)
{
	static const char *const differs[KB_DERIVATION_COUNT] = {
		[KB_DERIVATION_SIZES] = "at other sizes than those of",
		[KB_DERIVATION_BACKWARD] = "gradients of the problems of",
		[KB_DERIVATION_BOTH] =
			"gradients, at other sizes, of the problems of",
	};
	char hex[KB_DIGEST_HEX_SIZE];

	if (s->derivation == KB_DERIVATION_NONE)
		return;
	kb_digest_format(&s->derived_from, hex);
	kb_buf_addf(out, "; %s suite %.12s, from which it is derived",
		    differs[s->derivation], hex);
}

void kb_selected_print(struct kb_buf *out, const struct kb_score *score)
{
	print_selected(out, score);
	print_derived(out, &score->stated);
	print_backend(out, score);
}

static void print_limits(struct kb_buf *out, const struct kb_stated *s)
{
	for (size_t i = 0; i < s->limit_count; i++) {
		const struct kb_stated_limit *l = &s->limits[i];

		if (i)
			kb_buf_addf(out, ", of %d bits ", l->bits);
		kb_buf_addf(out, "atol %.9g and rtol %.9g", l->atol, l->rtol);
	}
	if (!s->limit_count)
		kb_buf_addstr(out, "its numbers are not known");
}

void kb_tolerance_print(struct kb_buf *out, const struct kb_score *score)
{
	const struct kb_stated *s = &score->stated;

	if (!s->tolerance) {
		kb_buf_addstr(out, "not recorded");
		return;
	}
	kb_buf_addf(out, "%s: ", s->tolerance);
	if (s->error_multiple != KB_UNKNOWN)
		kb_buf_addf(out, "%" PRId64 " times the reference's own error "
			    "against float64, and where that is not known ",
			    s->error_multiple);
	print_limits(out, s);
	if (s->of_tensor)
		kb_buf_addstr(out, ", of the largest value of an output, by the "
				   "type of the first input");
}

/* To the nearest thousandth, half up. */
static void print_ratio(struct kb_buf *out, int64_t micro)
{
	const int64_t milli = micro / 1000 + (micro % 1000 >= 500);

	kb_buf_addf(out, "%" PRId64 ".%03" PRId64 "x", milli / 1000,
		    milli % 1000);
}

static void print_spread(struct kb_buf *out, const struct kb_spread *spread,
			 const char *none)
{
	if (!spread->problems) {
		kb_buf_addf(out, "unknown: %s", none);
		return;
	}
	print_ratio(out, spread->median_micro);
	kb_buf_addstr(out, " median, ");
	print_ratio(out, spread->min_micro);
	kb_buf_addstr(out, " to ");
	print_ratio(out, spread->max_micro);
	kb_buf_addf(out, "; references: %zu", spread->problems);
}

void kb_drift_print(struct kb_buf *out, const struct kb_score *s)
{
	print_spread(out, &s->stated.drift, s->stated.has_drift ?
		     "no reference has both times" :
		     "the evaluation's references are eager");
}

void kb_noise_print(struct kb_buf *out, const struct kb_score *s)
{
	struct kb_spread spread;

	if (!s->overall.has_certainty)
		return;
	kb_noise_of(&spread, s->lines, s->line_count);
	print_spread(out, &spread, "no reference has enough trials");
}

static void print_sound(struct kb_buf *out, const struct kb_stated *s,
			int64_t problems, const char *left_out)
{
	kb_buf_addf(out, "%" PRId64 " of %" PRId64 " problems by the suite's "
		    "audit; %sunsound %" PRId64 ", not audited %" PRId64,
		    problems - s->unsound - s->not_audited, problems,
		    left_out, s->unsound, s->not_audited);
}

void kb_sound_print(struct kb_buf *out, const struct kb_score *score)
{
	const struct kb_stated *s = &score->stated;
	const int64_t problems = score->overall.problems;

	if (s->suite_problems == KB_UNKNOWN) {
		kb_buf_addstr(out, "not known: the suite is not in the store");
	} else if (kb_json_find(score->definition, "problems")) {
		kb_buf_addstr(out, "these alone: ");
		print_sound(out, s, problems + s->unsound + s->not_audited,
			    "left out: ");
	} else if (s->not_audited == problems) {
		kb_buf_addstr(out, "not known: the suite has no audit of "
				   "these problems");
	} else {
		print_sound(out, s, problems, "");
	}
}

/* --- clocks ------------------------------------------------------------- */

static void print_count(struct kb_buf *out, const char *before, size_t count,
			const char *what, const char *after)
{
	if (count)
		kb_buf_addf(out, "%s%zu %s%s%s", before, count, what,
			    count == 1 ? "" : "s", after);
}

bool kb_score_is_by_device(const struct kb_score *s)
{
	return kb_json_text_is(s->definition, "clock",
			       kb_clock_name(KB_CLOCK_DEVICE));
}

struct exceptions {
	size_t problems, candidates;
};

static struct exceptions count_exceptions(const struct kb_score *s)
{
	struct exceptions e = { 0, 0 };

	for (size_t i = 0; i < s->line_count; i++) {
		const struct kb_score_line *l = &s->lines[i];

		if (l->clock == KB_CLOCK_CALL)
			e.problems++;
		else if (l->candidate_ns != KB_UNKNOWN &&
			 l->candidate_clock == KB_CLOCK_CALL)
			e.candidates++;
	}
	return e;
}

void kb_by_call_clock_print(struct kb_buf *out, const struct kb_score *s)
{
	const struct exceptions e = count_exceptions(s);

	if (!kb_score_is_by_device(s)) {
		kb_buf_addstr(out, "all");
		return;
	}
	if (!e.problems && !e.candidates)
		kb_buf_addstr(out, "none");
	print_count(out, "", e.problems, "problem",
		    " whose reference has no device time");
	print_count(out, e.problems ? ", " : "", e.candidates, "candidate",
		    e.candidates == 1 ? " that has none" : " that have none");
}

void kb_clock_print(struct kb_buf *out, const struct kb_score *s)
{
	kb_buf_addstr(out, kb_json_text_or(s->definition, "clock",
					   kb_clock_name(KB_CLOCK_CALL)));
}

void kb_clocks_print(struct kb_buf *out, const struct kb_score *s)
{
	const struct exceptions e = count_exceptions(s);

	kb_clock_print(out, s);
	if (!kb_score_is_by_device(s) || (!e.problems && !e.candidates))
		return;
	kb_buf_addstr(out, "; by the call clock: ");
	kb_by_call_clock_print(out, s);
}

/* --- what confined candidates ------------------------------------------- */

void kb_sandbox_print(struct kb_buf *out, const struct kb_score *s)
{
	kb_buf_addstr(out, kb_json_text_or(s->definition, "sandbox",
					   KB_SANDBOX_USUAL));
	if (kb_json_text_is(s->definition, "sandbox", "off"))
		kb_buf_addstr(out, ": nothing confined the candidates");
}
