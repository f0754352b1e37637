#include "score/verdict.h"

#include "base/err.h"
#include "manifest/device_timing.h"
#include "manifest/evaluation.h"
#include "score/metrics.h"
#include "score/preset.h"
#include "score/speedup.h"
#include "score/times.h"

/* Fails unless the time that a record claims follows from its samples.
 * `whose` is for messages. */
static int check_times(const struct kb_timing *t, const struct kb_timing *paired,
		       struct kb_key key, const char *whose,
		       struct kb_err *err)
{
	char name[KB_KEY_SIZE];

	if (kb_times_follow(t, paired))
		return 0;
	kb_key_format(name, key);
	return kb_err(err, KB_ERR_INPUT,
		      "%s time of problem '%s' does not follow from its samples",
		      whose, name);
}

static int check_device_ns(const struct kb_timing *call,
			   const struct kb_device_timing *device,
			   struct kb_key key, const char *whose,
			   struct kb_err *err)
{
	char name[KB_KEY_SIZE];

	if (kb_device_ns_is_told(call, device))
		return 0;
	kb_key_format(name, key);
	return kb_err(err, KB_ERR_INPUT,
		      "'device_ns' of the %s of problem '%s' is not its time by the device's clock",
		      whose, name);
}

static int64_t reference_time_ns(const struct kb_rules *r,
				 const struct kb_timing *t)
{
	return r->upstream ? kb_times_mean_ns(t, NULL) :
			     kb_times_median_ns(t);
}

static int64_t candidate_time_ns(const struct kb_rules *r,
				 const struct kb_timing *t,
				 const struct kb_timing *paired)
{
	return r->upstream ? kb_times_candidate_mean_ns(t, paired) :
			     kb_times_median_ns(t);
}

/* The reference as it was timed beside the candidate. */
static int judge_paired(struct kb_score_line *l, const struct kb_rules *rules,
			const struct kb_timing *reference, struct kb_err *err)
{
	int ret = check_times(reference, NULL, l->key, "reference",
			      err);

	if (ret < 0)
		return ret;
	l->reference_ns = reference_time_ns(rules, reference);
	if (rules->intervals)
		l->noise_micro = kb_times_noise_micro(reference);
	return 0;
}

static int judge_candidate(struct kb_score_line *l,
			   const struct kb_rules *rules,
			   const struct kb_session_times *t,
			   struct kb_err *err)
{
	int ret = check_times(t->candidate, t->paired, l->key, "candidate",
			      err);

	if (ret < 0)
		return ret;
	l->candidate_clock = t->candidate_clock;
	l->candidate_ns = candidate_time_ns(rules, t->candidate, t->paired);
	if (rules->intervals)
		kb_times_interval(&l->candidate, t->candidate, t->paired,
				  KB_INTERVAL_PPM);
	return 0;
}

/* Where the device's clock gave no time, that must follow as well. */
static int check_withheld(const struct kb_result *r, enum kb_clock clock,
			  struct kb_err *err)
{
	return check_times(kb_timing_by(clock, r->timing, r->device_timing),
			   kb_timing_by(clock, r->reference_timing,
					r->reference_device_timing),
			   r->key, "candidate", err);
}

static int check_device_times(const struct kb_result *r, struct kb_err *err)
{
	int ret = check_device_ns(r->reference_timing,
				  r->reference_device_timing, r->key,
				  "reference", err);

	return ret < 0 ? ret : check_device_ns(r->timing, r->device_timing,
					       r->key, "candidate", err);
}

/* How often the candidate was found to be right, on inputs of their own: as many
 * as there are seeds, but on a CUDA device those of all trials derive from one. */
static int64_t trials_of(const struct kb_result *r)
{
	const struct kb_timing *by_calls = r->timing;
	const struct kb_timing *by_device =
		kb_device_time(r->device_timing);

	if (!by_calls || by_calls->copy_in_small_ns == KB_UNKNOWN)
		return (int64_t)r->outcome.trial_seeds.count;
	return (int64_t)(by_calls->small_count +
			 (by_device ? by_device->small_count : 0));
}

/* Every time that goes into a score is computed again from its samples on the
 * way, so that a forged one is refused by kb-score and not only by kb-verify. */
static int judge_result(struct kb_verdict *v, const struct kb_choice *c,
			const struct kb_result *r, struct kb_err *err)
{
	const struct kb_rules *rules = kb_preset_rules(c->preset);
	struct kb_score_line *l = &v->line;
	const struct kb_session_times times = kb_session_times_of(r, l->clock);
	int ret;

	l->status = r->outcome.status;
	v->compiled = kb_status_compiled(l->status, r->outcome.phase);
	v->too_few_trials = trials_of(r) < rules->trials_min;

	ret = judge_paired(l, rules, times.reference, err);
	if (ret < 0 || l->status != KB_STATUS_CORRECT)
		return ret;
	if (times.candidate_clock != l->clock)
		ret = check_withheld(r, l->clock, err);
	if (ret >= 0)
		ret = judge_candidate(l, rules, &times, err);
	return ret < 0 ? ret : check_device_times(r, err);
}

int kb_verdict_take_reference(struct kb_verdict *v, const struct kb_choice *c,
			      const struct kb_reference_result *r,
			      struct kb_err *err)
{
	const struct kb_rules *rules = kb_preset_rules(c->preset);
	struct kb_score_line *l = &v->line;
	const struct kb_timing *times =
		kb_timing_by(l->clock, r->timing, r->device_timing);
	int ret;

	if (r->outcome.status != KB_STATUS_TIMED)
		return 0;
	ret = check_times(times, NULL, l->key, "baseline", err);
	if (ret >= 0)
		ret = check_device_ns(r->timing, r->device_timing, l->key,
				      "baseline", err);
	if (ret < 0)
		return ret;
	l->baseline_ns = reference_time_ns(rules, times);
	if (rules->intervals)
		kb_times_interval(&l->baseline, times, NULL,
				  KB_INTERVAL_PPM);
	return 0;
}

int kb_verdict_take_sample(struct kb_verdict *v, const struct kb_choice *c,
			   const struct kb_result *result, struct kb_err *err)
{
	struct kb_score_line *l = &v->line;
	int ret = judge_result(v, c, result, err);

	if (ret == 0 && kb_speedup_known(l))
		l->speedup_micro = kb_ratio_micro(l->baseline_ns,
						  l->candidate_ns);
	return ret;
}
