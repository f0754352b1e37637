#include "sheet/noisy_note.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "manifest/score.h"
#include "score/times.h"

/* One whose ends are not known spans all. */
static bool is_wide(const struct kb_score_line *l)
{
	const int64_t least = kb_interval_least_micro(l->baseline,
						      l->candidate);
	const int64_t most = kb_interval_most_micro(l->baseline, l->candidate);

	return least <= 0 || most / 2 >= least;
}

void kb_noisy_note_print(struct kb_buf *out, const struct kb_score *s)
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
