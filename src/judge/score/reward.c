#include "score/reward.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/numbers.h"
#include "manifest/record.h"

#define ONE 1000000

/* A million times as fast: 100 s stays what a record can hold. */
#define SPEEDUP_MAX (INT64_C(1000000) * ONE)

static bool is_correct(enum kb_status status)
{
	return status == KB_STATUS_CORRECT;
}

static int64_t by_speedup(int64_t s, enum kb_status status, enum kb_phase phase)
{
	(void)phase;
	return is_correct(status) ? s : 0;
}

static int64_t by_binary(int64_t s, enum kb_status status, enum kb_phase phase)
{
	(void)s;
	(void)phase;
	return is_correct(status) ? ONE : 0;
}

static int64_t by_kernelgym(int64_t s, enum kb_status status,
			    enum kb_phase phase)
{
	(void)phase;
	return is_correct(status) ? (ONE + kb_min_i64(s, 3 * ONE)) / 2 : 0;
}

static int64_t kernelgym_penalties(int64_t s, enum kb_status status,
				   enum kb_phase phase)
{
	if (!kb_status_compiled(status, phase))
		return -ONE / 2;
	if (!is_correct(status))
		return -3 * ONE / 10;
	return s < ONE ? -ONE / 10 : by_kernelgym(s, status, phase);
}

static int64_t by_kernrl(int64_t s, enum kb_status status, enum kb_phase phase)
{
	if (!kb_status_compiled(status, phase))
		return -ONE / 2;
	if (!is_correct(status))
		return -ONE / 4;
	return s < ONE ? (s - ONE) / 2 : kb_min_i64(s - ONE, 2 * ONE);
}

static int64_t by_agentkernelarena(int64_t s, enum kb_status status,
				       enum kb_phase phase)
{
	if (!kb_status_compiled(status, phase))
		return 0;
	return 20 * ONE + (is_correct(status) ? 100 * ONE + 100 * s : 0);
}

const struct kb_reward kb_rewards[] = {
	{ "speedup", by_speedup },
	{ "binary", by_binary },
	{ "kernelgym", by_kernelgym },
	{ "kernelgym-penalties", kernelgym_penalties },
	{ "kernrl", by_kernrl },
	{ "agentkernelarena", by_agentkernelarena },
	{ NULL, NULL },
};

int kb_reward_find(const struct kb_reward **out, const char *name,
		   struct kb_err *err)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;

	*out = NULL;
	if (!name)
		return 0;
	for (const struct kb_reward *r = kb_rewards; r->name; r++) {
		kb_buf_addf(&names, "%s%s", names.len ? ", " : "", r->name);
		if (!strcmp(r->name, name)) {
			*out = r;
			return 0;
		}
	}
	return kb_err(err, KB_ERR_USAGE, "option '--reward' needs one of %s",
		      names.data);
}

int64_t kb_reward_micro(const struct kb_reward *r, int64_t speedup_micro,
			enum kb_status status, enum kb_phase phase)
{
	const int64_t s = speedup_micro == KB_UNKNOWN ? 0 :
		kb_min_i64(speedup_micro, SPEEDUP_MAX);

	return r->micro(s, status, phase);
}
