#include "score/reward.h"

#include "base/alloc.h"
#include "base/err.h"
#include "base/numbers.h"
#include "manifest/record.h"
#include "lib/tap.h"

#define C KB_STATUS_CORRECT, KB_PHASE_NONE
#define W KB_STATUS_MISMATCH, KB_PHASE_RUN
#define B KB_STATUS_BUILD_FAILED, KB_PHASE_BUILD
#define L KB_STATUS_CRASHED, KB_PHASE_LOAD

static const struct {
	const char *name;
	int64_t speedup_micro;
	enum kb_status status;
	enum kb_phase phase;
	int64_t want_micro;
} rows[] = {
	{ "speedup", 1500000, C, 1500000 },
	{ "speedup", KB_UNKNOWN, C, 0 },
	{ "speedup", KB_UNKNOWN, W, 0 },
	{ "binary", 10, C, 1000000 },
	{ "binary", KB_UNKNOWN, B, 0 },
	{ "kernelgym", 1000000, C, 1000000 },
	{ "kernelgym", 2500000, C, 1750000 },
	{ "kernelgym", 9000000, C, 2000000 },
	{ "kernelgym", KB_UNKNOWN, W, 0 },
	{ "kernelgym-penalties", 1000000, C, 1000000 },
	{ "kernelgym-penalties", 999999, C, -100000 },
	{ "kernelgym-penalties", KB_UNKNOWN, W, -300000 },
	{ "kernelgym-penalties", KB_UNKNOWN, B, -500000 },
	{ "kernrl", 1000000, C, 0 },
	{ "kernrl", 500000, C, -250000 },
	{ "kernrl", 2000000, C, 1000000 },
	{ "kernrl", 8000000, C, 2000000 },
	{ "kernrl", KB_UNKNOWN, W, -250000 },
	{ "kernrl", KB_UNKNOWN, L, -500000 },
	{ "agentkernelarena", 1500000, C, 270000000 },
	{ "agentkernelarena", KB_UNKNOWN, W, 20000000 },
	{ "agentkernelarena", KB_UNKNOWN, L, 0 },
	{ "agentkernelarena", KB_EXACT_INT_MAX, C, 100000120000000 },
};

static void test_formulas(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		const struct kb_reward *r = NULL;

		check(kb_reward_find(&r, rows[i].name, NULL) == 0);
		if (r)
			check_int(kb_reward_micro(r, rows[i].speedup_micro,
						  rows[i].status, rows[i].phase),
				  rows[i].want_micro);
	}
}

static void test_each_formula_is_in_a_row(void)
{
	for (const struct kb_reward *r = kb_rewards; r->name; r++) {
		bool is_there = false;

		for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++)
			is_there |= !strcmp(rows[i].name, r->name);
		check(is_there);
	}
}

static void test_there_is_no_other(void)
{
	struct kb_err err = KB_ERR_INIT;
	const struct kb_reward *r;

	check(kb_reward_find(&r, NULL, &err) == 0 && !r);
	check(kb_reward_find(&r, "cubed", &err) == -KB_ERR_USAGE);
	check_str(err.msg, "option '--reward' needs one of speedup, binary, "
		  "kernelgym, kernelgym-penalties, kernrl, agentkernelarena");
}

TAP_MAIN(
	TAP(test_formulas),
	TAP(test_each_formula_is_in_a_row),
	TAP(test_there_is_no_other),
);
