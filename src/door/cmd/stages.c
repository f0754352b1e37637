#include "cmd/stages.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

#define EDITS_MAX 2
#define WORD_MAX 32		/* longer than any name; others are not near */

const struct kb_stage_program kb_stage_programs[] = {
	{ "pack", "suite submission report archive unpack export publish",
	  "turn problems and candidates into bundles, and these into files" },
	{ "generate", "ask run take tell",
	  "ask a model about a suite's problems, and submit its answers" },
	{ "audit", "",
	  "find problems of a suite that measure too little" },
	{ "baseline", "", "time the references of a suite on this machine" },
	{ "eval", "", "build, judge and time the candidates of a submission" },
	{ "serve", "", "judge candidates as they are asked for, as a reward" },
	{ "score", "", "judge an evaluation against a baseline" },
	{ "report", "compare figure", "show bundles as pages, figures and text" },
	{ "verify", "", "check bundles, in layers, and time candidates again" },
	{ "sign", "", "sign a bundle" },
};
const size_t kb_stage_program_count = KB_ARRAY_LEN(kb_stage_programs);

static bool has_word(const char *words, const char *word)
{
	const size_t len = strlen(word);

	while (*words) {
		const size_t n = strcspn(words, " ");

		if (n == len && !strncmp(words, word, len))
			return true;
		words += n + (words[n] == ' ');
	}
	return false;
}

const char *kb_stage_with_verb(const char *verb)
{
	for (size_t i = 0; i < kb_stage_program_count; i++)
		if (has_word(kb_stage_programs[i].verbs, verb))
			return kb_stage_programs[i].name;
	return NULL;
}

static size_t lesser_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Damerau's distance, neighbours swapped once: the table by rows. */
static size_t edits_between(const char *a, const char *b)
{
	const size_t n = strlen(a), m = strlen(b);
	size_t d[WORD_MAX + 1][WORD_MAX + 1];

	if (n > WORD_MAX || m > WORD_MAX)
		return EDITS_MAX + 1;
	for (size_t i = 0; i <= n; i++)
		for (size_t j = 0; j <= m; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = lesser_of(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
					    lesser_of(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				d[i][j] = lesser_of(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[n][m];
}

const char *kb_nearest_word(const char *word, const char *const words[],
			    size_t count)
{
	const char *nearest = NULL;
	size_t fewest;

	if (!*word)
		return NULL;
	/* A short word allows few edits: two of them turn any two letters into
	 * any others. */
	fewest = lesser_of(EDITS_MAX, (strlen(word) - 1) / 2) + 1;
	for (size_t i = 0; i < count; i++) {
		const size_t edits = edits_between(word, words[i]);

		if (edits < fewest) {
			nearest = words[i];
			fewest = edits;
		}
	}
	return nearest;
}
