#include "cmd/stages.h"

#include "base/alloc.h"
#include "lib/tap.h"

static void test_the_nearest_word_is_the_one_with_fewest_edits(void)
{
	static const char *const words[] = {
		"eval", "verify", "pack", "score", "baseline", "evil",
	};
	static const struct {
		const char *word, *nearest;
	} rows[] = {
		{ "", NULL },
		{ "x", NULL },
		{ "eval", "eval" },
		{ "eva", "eval" },	/* deleted */
		{ "evall", "eval" },	/* inserted */
		{ "evxl", "eval" },	/* replaced; the first of two */
		{ "evla", "eval" },	/* swapped */
		{ "evi", "evil" },
		{ "ev", NULL },		/* half of it */
		{ "pkac", NULL },	/* two edits of four letters */
		{ "scroe", "score" },
		{ "vrefy", "verify" },	/* two */
		{ "erfy", NULL },
		{ "baselines-of-mine", NULL },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		  NULL },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		const char *got = kb_nearest_word(rows[i].word, words,
						  KB_ARRAY_LEN(words));

		if (rows[i].nearest)
			check_str(got, rows[i].nearest);
		else
			check(got == NULL);
	}
	check(kb_nearest_word("eval", words, 0) == NULL);
}

TAP_MAIN(TAP(test_the_nearest_word_is_the_one_with_fewest_edits));
