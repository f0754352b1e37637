#include "sheet/score_parts.h"

#include <stdio.h>

size_t kb_score_part_count(const struct kb_score *s)
{
	/* Without the suite's verdicts a column of zeros would read as if no
	 * problem were sound. */
	const bool has_sound = s->has_sound &&
			       s->sound.verdicts == KB_VERDICTS_KNOWN;

	return s->level_count + 1 + has_sound;
}

const struct kb_metrics *kb_score_part(const struct kb_score *s, size_t i)
{
	if (i < s->level_count)
		return &s->levels[i].metrics;
	return i == s->level_count ? &s->overall : &s->sound.metrics;
}

void kb_score_part_head(char out[KB_FORMAT_SIZE], const struct kb_score *s,
			size_t i)
{
	if (i < s->level_count)
		snprintf(out, KB_FORMAT_SIZE, "level %d", s->levels[i].level);
	else
		snprintf(out, KB_FORMAT_SIZE, "%s",
			 i == s->level_count ? "overall" : "sound");
}
