#include "score/clock_note.h"

#include <stddef.h>

#include "base/buf.h"
#include "manifest/score.h"
#include "score/preset.h"

static void print_count(struct kb_buf *out, const char *before, size_t count,
			const char *what, const char *after)
{
	if (count)
		kb_buf_addf(out, "%s%zu %s%s%s", before, count, what,
			    count == 1 ? "" : "s", after);
}

void kb_clock_note_print(struct kb_buf *out, const struct kb_score *s)
{
	struct kb_choice choice = { .clock = KB_CLOCK_CALL };
	size_t problems = 0, candidates = 0;

	if (kb_preset_read(&choice, s->definition, NULL) < 0)
		choice.clock = KB_CLOCK_CALL;
	kb_buf_addstr(out, kb_clock_name(choice.clock));
	if (choice.clock == KB_CLOCK_CALL)
		return;
	for (size_t i = 0; i < s->line_count; i++) {
		const struct kb_score_line *l = &s->lines[i];

		if (l->clock == KB_CLOCK_CALL)
			problems++;
		else if (l->candidate_ns != KB_UNKNOWN &&
			 l->candidate_clock == KB_CLOCK_CALL)
			candidates++;
	}
	if (!problems && !candidates)
		return;
	kb_buf_addstr(out, "; by the call clock: ");
	print_count(out, "", problems, "problem",
		    " whose reference has no device time");
	print_count(out, problems ? ", " : "", candidates, "candidate",
		    candidates == 1 ? " that has none" : " that have none");
}
