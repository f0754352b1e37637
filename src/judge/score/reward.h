#ifndef KB_SCORE_REWARD_H
#define KB_SCORE_REWARD_H

#include <stdint.h>

#include "manifest/status.h"

struct kb_err;

/*
 * Rewards: numbers that trainers want for a verdict, by the formulas that are in
 * use. Pure arithmetic in millionths; s is the speedup.
 *
 *	speedup			s if correct, else 0
 *	binary			1 if correct, else 0
 *	kernelgym		1/2 + min(s, 3) / 2 if correct, else 0
 *	kernelgym-penalties	the same; but -1/10 if s < 1, -3/10 if it ran and
 *				is not correct, -1/2 if it never ran
 *	kernrl			min(s - 1, 2) if s >= 1, (s - 1) / 2 below;
 *				-1/4 if not correct, -1/2 if it never ran
 *	agentkernelarena	20 if it ran, and 100 + 100 s if correct
 *
 * A correct candidate without a time has s = 0.
 */
/* Ended by a name NULL. */
extern const struct kb_reward {
	const char *name;
	int64_t (*micro)(int64_t speedup_micro, enum kb_status status,
			 enum kb_phase phase);
} kb_rewards[];

/* NULL is none, and gives NULL. Fails with KB_ERR_USAGE; the message has the
 * names. */
int kb_reward_find(const struct kb_reward **out, const char *name,
		   struct kb_err *err);

/* `speedup_micro` may be KB_UNKNOWN. */
int64_t kb_reward_micro(const struct kb_reward *r, int64_t speedup_micro,
			enum kb_status status, enum kb_phase phase);

#endif
