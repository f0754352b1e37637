#include "sheet/in_place_note.h"

#include <stddef.h>

#include "base/buf.h"
#include "json/json.h"
#include "manifest/score.h"
#include "score/preset.h"

static size_t count_refused(const struct kb_score *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->line_count; i++)
		count += s->lines[i].status == KB_STATUS_INPUTS_MODIFIED;
	return count;
}

void kb_in_place_note_print(struct kb_buf *out, const struct kb_score *s)
{
	const bool accepted = kb_json_find(s->definition, "in_place");
	const size_t refused = count_refused(s);
	const struct kb_rules *rules;
	struct kb_choice choice;

	if (kb_preset_read(&choice, s->definition, NULL) < 0)
		return;
	rules = kb_preset_rules(choice.preset);
	if (rules->in_place == KB_IN_PLACE_REFUSED && accepted)
		kb_buf_addf(out, "candidates that overwrite their inputs were "
			    "accepted, and preset '%s' wants them refused",
			    rules->name);
	else if (rules->in_place == KB_IN_PLACE_ACCEPTED && refused)
		kb_buf_addf(out, "%zu candidate%s inputs_modified, and preset "
			    "'%s' wants them accepted", refused,
			    refused == 1 ? " is" : "s are", rules->name);
}
