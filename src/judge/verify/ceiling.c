#include "verify/ceiling.h"

#include <string.h>

#include "base/alloc.h"
#include "base/numbers.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "manifest/problem_facts.h"
#include "manifest/record.h"
#include "score/speedup.h"
#include "verify/floor.h"
#include "verify/peaks.h"

#define MILLION 1000000

static int64_t count_of(const struct kb_json *object, const char *name)
{
	const struct kb_json *v = object ? kb_json_find(object, name) : NULL;

	return v && kb_json_type(v) == KB_JSON_INT && kb_json_int_value(v) > 0 ?
		       kb_json_int_value(v) : KB_UNKNOWN;
}

int64_t kb_fp32_per_cycle(const char *compute_capability)
{
	static const struct {
		const char *capability;
		int64_t per_cycle;
	} known[] = {
		{ "7.0", 128 }, { "7.5", 128 }, { "8.0", 128 },
		{ "8.6", 256 }, { "8.9", 256 }, { "9.0", 256 },
		{ "10.0", 256 }, { "10.3", 256 }, { "12.0", 256 },
		{ "12.1", 256 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++)
		if (!strcmp(compute_capability, known[i].capability))
			return known[i].per_cycle;
	return KB_UNKNOWN;
}

void kb_ceiling_of(struct kb_ceiling *out, const struct kb_conditions *c)
{
	const struct kb_json *gpu = kb_json_find(c->environment, "gpu");

	*out = (struct kb_ceiling){
		.peak = kb_peak_find(kb_json_text_or(gpu, "name", "")),
		.precision = kb_precision_find(
			kb_json_text_or(c->policy, "precision", "")),
		.multiprocessors = count_of(gpu, "multiprocessors"),
		.fp32_per_cycle = kb_fp32_per_cycle(
			kb_json_text_or(gpu, "compute_capability", "")),
	};
}

/* All SMs together, in 10^6 a second. Two of the three factors are numbers of a
 * record, below 2^53. With a cycle's operations they need more than 64 bits. */
static __int128 mop_per_s(const struct kb_ceiling *c, int64_t per_cycle,
			  int64_t sm_clock_mhz)
{
	return (__int128)c->multiprocessors * per_cycle * sm_clock_mhz;
}

static int64_t gop_per_s(const struct kb_ceiling *c, int64_t per_cycle,
			 int64_t sm_clock_mhz)
{
	const __int128 most = mop_per_s(c, per_cycle, sm_clock_mhz) / 1000;

	return most > KB_JSON_INT_MAX ? KB_JSON_INT_MAX : (int64_t)most;
}

static bool has_clock(const struct kb_ceiling *c, int64_t sm_clock_mhz)
{
	return c->multiprocessors != KB_UNKNOWN && sm_clock_mhz > 0;
}

int64_t kb_ceiling_gop_per_s(const struct kb_ceiling *c, int64_t sm_clock_mhz)
{
	if (!c->peak)
		return KB_UNKNOWN;
	return has_clock(c, sm_clock_mhz) ?
		gop_per_s(c, c->peak->operations_per_cycle, sm_clock_mhz) :
		c->peak->arithmetic_gop_per_s;
}

int64_t kb_ceiling_fp32_gop_per_s(const struct kb_ceiling *c,
				  int64_t sm_clock_mhz)
{
	return c->fp32_per_cycle != KB_UNKNOWN && has_clock(c, sm_clock_mhz) ?
		gop_per_s(c, c->fp32_per_cycle, sm_clock_mhz) : KB_UNKNOWN;
}

struct kb_clocked_bound kb_ceiling_bound(const struct kb_ceiling *c,
					 const struct kb_problem_facts *facts,
					 int64_t sm_clock_mhz)
{
	struct kb_clocked_bound b = KB_CLOCKED_BOUND_INIT;
	struct kb_floor floor;

	if (!facts || !c->peak || c->precision == KB_PRECISION_COUNT)
		return b;
	kb_floor_of(&floor, facts, c->precision, c->peak);
	b.bound_ns = floor.stated_ns;
	if (has_clock(c, sm_clock_mhz)) {
		b.sm_clock_mhz = sm_clock_mhz;
		b.bound_ns = kb_max_i64(
			floor.stated_memory_ns,
			(int64_t)((__int128)facts->flops * 1000 /
				  mop_per_s(c, c->peak->operations_per_cycle,
					    sm_clock_mhz)));
	}
	/* No time is below 0, so that such a bound would say nothing. */
	return b.bound_ns > 0 ? b :
		(struct kb_clocked_bound)KB_CLOCKED_BOUND_INIT;
}

int64_t kb_share_of_bound_micro(int64_t bound_ns, int64_t time_ns)
{
	return bound_ns > 0 && time_ns > 0 ? kb_ratio_micro(bound_ns, time_ns)
					   : KB_UNKNOWN;
}

int64_t kb_sol_score_micro(int64_t bound_ns, int64_t time_ns,
			   int64_t baseline_ns)
{
	int64_t above, room;

	if (bound_ns <= 0 || time_ns <= 0 || baseline_ns <= 0)
		return KB_UNKNOWN;
	above = time_ns - bound_ns;
	room = baseline_ns - bound_ns;
	if (above <= 0)
		return MILLION;
	return room <= 0 ? 0 : kb_ratio_micro(room, room + above);
}
