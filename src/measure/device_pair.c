#include "measure/device_pair.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/random.h"
#include "measure/output_errors.h"

/* How often a trial is repeated that saw the device slow down. One that
 * stays slow counts as it is; the reasons are in the record. */
#define REPEATS_MAX 5

/* For queueing and for being done, beside what the calls take. */
#define PATIENCE_NS (500 * KB_NS_PER_MS)
#define PATIENCE_CALLS 4

/* --- slots ------------------------------------------------------------ */

static bool in_slots(const struct kb_course *c, enum kb_side who)
{
	return (who == KB_SIDE_REFERENCE || c->has_candidate) &&
	       c->lanes[who].subject.outputs_in_slots;
}

static int grow(struct kb_course *c, uint32_t count, struct kb_err *err)
{
	struct kb_device_slots *s = &c->bench->device_slots;
	const bool reference_native = in_slots(c, KB_SIDE_REFERENCE);
	int ret = kb_device_slots_grow(s, count, err);

	if (ret >= 0 && (reference_native || in_slots(c, KB_SIDE_CANDIDATE)))
		ret = kb_device_slots_grow_outputs(s, s->count, false, err);
	if (ret >= 0 && reference_native)
		ret = kb_device_slots_grow_outputs(s, s->count, true, err);
	return ret;
}

/* What of `slots` a worker does not know yet. */
static int tell(struct kb_course *c, enum kb_side who, struct kb_err *err)
{
	const struct kb_device_slots *s = &c->bench->device_slots;
	struct kb_subject *subject = &c->lanes[who].subject;
	uint32_t *sent = who == KB_SIDE_REFERENCE ? &c->bench->slots_sent
						    : &subject->slots_sent;
	const bool outputs = subject->outputs_in_slots;
	int ret;

	ret = kb_device_slots_send(s, *sent, false, outputs, subject->worker,
				   &c->fault, err);
	if (ret > 0 && who == KB_SIDE_REFERENCE)
		ret = kb_device_slots_send(s, *sent, true, outputs,
					   subject->worker, &c->fault, err);
	if (ret > 0)
		*sent = s->count;
	return ret;
}

int kb_course_need_slots(struct kb_course *c, uint32_t count,
			 struct kb_err *err)
{
	int ret = grow(c, count, err);

	if (ret < 0)
		return ret;
	ret = tell(c, KB_SIDE_REFERENCE, err);
	if (ret > 0 && c->has_candidate)
		ret = tell(c, KB_SIDE_CANDIDATE, err);
	return ret;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* How many calls' outputs fit the heap of one. What the reference's masters
 * return stays in its heap, too. */
static uint64_t calls_in_heap(const struct kb_course *c, enum kb_side who)
{
	const struct kb_bench *b = c->bench;

	return kb_heap_calls(b->policy->heap_bytes,
			     c->lanes[who].heap_peak_bytes,
			     kb_device_output_bytes(&b->plan),
			     who == KB_SIDE_REFERENCE ? 2 : 1);
}

/* How many calls fit: slots share one limit, and each has a heap. With one
 * call there is no slope, and less that would show; that a candidate says that
 * it needs so much is not enough for that. */
uint32_t kb_course_calls_that_fit(const struct kb_course *c)
{
	const struct kb_bench *b = c->bench;
	uint64_t slot = kb_device_slot_bytes(&b->plan);
	uint64_t fit = (uint64_t)b->policy->batch_calls_max;

	for (int who = 0; who < KB_SIDE_COUNT; who++) {
		if (in_slots(c, who))
			slot += 2 * kb_device_output_bytes(&b->plan);
		else if (c->lanes[who].subject.worker &&
			 calls_in_heap(c, who) < fit)
			fit = who == KB_SIDE_CANDIDATE && fit > 1 ?
				larger(calls_in_heap(c, who), 2) :
				calls_in_heap(c, who);
	}
	if (slot && b->policy->tensor_bytes_max / slot < fit)
		fit = b->policy->tensor_bytes_max / slot;
	return fit ? (uint32_t)fit : 1;
}

/* --- turns ------------------------------------------------------------ */

static void add_extremes(int64_t *least, int64_t *most, int64_t value)
{
	if (value == KB_NVML_UNKNOWN)
		return;
	if (least && (*least == KB_UNKNOWN || value < *least))
		*least = value;
	if (*most == KB_UNKNOWN || value > *most)
		*most = value;
}

static void add_telemetry(struct kb_telemetry *t,
			  const struct kb_nvml_sample *s)
{
	t->samples++;
	add_extremes(&t->sm_clock_mhz_min, &t->sm_clock_mhz_max,
		     s->sm_clock_mhz);
	add_extremes(&t->memory_clock_mhz_min, &t->memory_clock_mhz_max,
		     s->memory_clock_mhz);
	add_extremes(NULL, &t->temperature_c_max, s->temperature_c);
	add_extremes(NULL, &t->power_mw_max, s->power_mw);
	if (s->reasons != KB_NVML_UNKNOWN)
		t->reasons = (t->reasons == KB_UNKNOWN ? 0 : t->reasons) |
			     s->reasons;
}

/* Values count for reference and candidate alike: a time is only had for
 * what is right. */
static int judge(struct kb_course *c, enum kb_side who,
		 const struct kb_turn *t)
{
	if (!t->errors)
		return 1;
	if (who == KB_SIDE_CANDIDATE)
		kb_output_errors_keep_trial(&c->worst,
					    t->remedied ? c->remedy : NULL,
					    t->errors,
					    c->bench->plan.output_count,
					    &t->wrong);
	if (kb_wrong_judge(&t->wrong, who, &c->fault))
		return 1;
	/* Of a reference there is no other record of its errors. */
	if (who == KB_SIDE_REFERENCE && !t->remedied)
		kb_output_errors_blame(&c->fault, t->errors,
				       c->bench->plan.output_count);
	return 0;
}

int kb_course_take_turn(struct kb_course *c, enum kb_side who,
			enum kb_turn_clock clock, uint32_t n,
			int64_t *elapsed_ns, const char **why_not,
			struct kb_err *err)
{
	struct kb_lane *lane = &c->lanes[who];
	kb_auto(turn) struct kb_turn t = {
		.clock = clock,
		.n = n,
		.remedied = c->remedied,
		.patience_ns = PATIENCE_NS +
			       PATIENCE_CALLS * (int64_t)n * lane->plain_ns,
	};
	int ret;

	for (int i = 0; i <= REPEATS_MAX; i++) {
		kb_turn_release(&t);
		t.wrong = (struct kb_wrong){ .rms = false };
		kb_random_derive(t.seed, c->seed, KB_SEED_TURN, c->turns++);
		ret = kb_turn_run(c->bench, &lane->subject, &t, &c->fault,
				  err);
		if (ret > 0)
			ret = judge(c, who, &t);
		if (!ret && t.remedied)
			kb_remedy_blame(&c->fault, t.errors,
					c->bench->plan.output_count);
		if (ret <= 0 || !c->bench->gpu->nvml || !lane->device ||
		    clock == KB_TURN_PLAIN || t.remedied)
			break;
		add_telemetry(&lane->device->telemetry, &t.sample);
		if (!kb_nvml_is_slowdown(t.sample.reasons) || i == REPEATS_MAX)
			break;
		lane->device->repeated++;
	}
	*elapsed_ns = t.timed || clock == KB_TURN_PLAIN ? t.elapsed_ns
							 : KB_UNKNOWN;
	*why_not = t.why_not;
	return ret;
}

/* Calls that were let go and are not done when patience ends: the device
 * waits for something that does not come. */
static int blame_unfinished(struct kb_course *c, enum kb_side who)
{
	kb_fault_set(&c->fault, who, KB_STATUS_TIMED_OUT, KB_PHASE_RUN,
		     "the calls were not done on the device in time");
	return 0;
}

int kb_course_take_pair(struct kb_course *c, enum kb_side who,
			enum kb_turn_clock clock, struct kb_timing *t,
			struct kb_err *err)
{
	const bool two = t->method == KB_METHOD_SLOPE;
	const char *why_not = NULL;
	int64_t small_ns = KB_UNKNOWN, large_ns = KB_UNKNOWN;
	int ret = kb_course_take_turn(c, who, clock, (uint32_t)t->n_small,
				      &small_ns, &why_not, err);

	if (ret > 0 && two && small_ns != KB_UNKNOWN)
		ret = kb_course_take_turn(c, who, clock, (uint32_t)t->n_large,
					  &large_ns, &why_not, err);
	if (ret <= 0)
		return ret;
	if (small_ns == KB_UNKNOWN || (two && large_ns == KB_UNKNOWN)) {
		if (clock == KB_TURN_CALL)
			return blame_unfinished(c, who);
		c->lanes[who].no_gate = why_not;
		return 1;
	}
	kb_timing_add(t, KB_SERIES_SMALL, small_ns);
	if (two)
		kb_timing_add(t, KB_SERIES_LARGE, large_ns);
	return 1;
}
