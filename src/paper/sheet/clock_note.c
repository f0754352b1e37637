#include "sheet/clock_note.h"

#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "json/json.h"
#include "manifest/score.h"

static void print_count(struct kb_buf *out, const char *before, size_t count,
			const char *what, const char *after)
{
	if (count)
		kb_buf_addf(out, "%s%zu %s%s%s", before, count, what,
			    count == 1 ? "" : "s", after);
}

bool kb_score_is_by_device(const struct kb_score *s)
{
	const struct kb_json *clock = kb_json_find(s->definition, "clock");

	return clock && kb_json_type(clock) == KB_JSON_STRING &&
	       !strcmp(kb_json_string_value(clock),
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

void kb_clock_note_print(struct kb_buf *out, const struct kb_score *s)
{
	const bool by_device = kb_score_is_by_device(s);
	const struct exceptions e = count_exceptions(s);

	kb_buf_addstr(out, kb_clock_name(by_device ? KB_CLOCK_DEVICE
						   : KB_CLOCK_CALL));
	if (!by_device || (!e.problems && !e.candidates))
		return;
	kb_buf_addstr(out, "; by the call clock: ");
	kb_by_call_clock_print(out, s);
}
