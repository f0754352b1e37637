#include "crew/screen_share.h"

#include "lib/tap.h"

/* What came of candidates, "e" ended by its code; whether the run screens, "y", when
 * it begins and after each. */
static const struct {
	const char *came, *want;
} rows[] = {
	{ "eee", "----" },
	{ "eeee", "----y" },
	{ "eee-", "----y" },
	{ "ee--", "----y" },
	{ "e---", "-----" },
	{ "e---ee", "-----yy" },
	{ "--------ee", "-----------" },
	{ "--------eee", "-----------y" },
	{ "eeee----------------------------",
	  "----yyyyyyyyyyyyyyyyyyyyyyyyyyyyy" },
	{ "eeee-----------------------------",
	  "----yyyyyyyyyyyyyyyyyyyyyyyyyyyyy-" },
	{ "ee-ee-ee-ee-ee-ee-ee-e", "----yyyyyyyyyyyyyyyyyyy" },
	{ "----", "yyyy-" },
	{ "---e---", "yyyyyyyy" },
	{ "---e----", "yyyyyyyyy" },
	{ "---e-----", "yyyyyyyyy-" },
	{ "e-------e-------e-------e-------",
	  "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy" },
	{ "eeee----------------------------",
	  "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy" },
	{ "eeee-----------------------------",
	  "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy-" },
	{ "eeeee-----------------------------",
	  "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy-" },
};

static void test_a_run_screens_while_that_pays(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct kb_screen_share s = { .count = 0 };
		bool screens = rows[i].want[0] == 'y';

		for (size_t k = 0; rows[i].came[k]; k++) {
			kb_screen_share_add(&s, rows[i].came[k] == 'e');
			screens = kb_screen_share_pays(&s, screens);
			check_int(rows[i].want[k + 1], screens ? 'y' : '-');
		}
	}
}

TAP_MAIN(TAP(test_a_run_screens_while_that_pays));
