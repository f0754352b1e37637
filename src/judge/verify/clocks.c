#include "verify/clocks.h"

#include <inttypes.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/numbers.h"
#include "device/nvml.h"
#include "json/json.h"
#include "manifest/device_timing.h"
#include "measure/time_rule.h"
#include "score/preset.h"
#include "verify/checks.h"
#include "verify/peaks.h"
#include "verify/plausible.h"
#include "verify/timed.h"

#define add(c, what, answer, ...)					\
	kb_checks_add(c, KB_LAYER_PLAUSIBILITY, what, answer, __VA_ARGS__)

/* --- what the device said of itself ----------------------------------- */

static int64_t gpu_fact(const struct kb_json *environment, const char *name)
{
	const struct kb_json *gpu = kb_json_find(environment, "gpu");
	const struct kb_json *fact = gpu ? kb_json_find(gpu, name) : NULL;

	return fact && kb_json_type(fact) == KB_JSON_INT
		       ? kb_json_int_value(fact) : KB_UNKNOWN;
}

/* An unknown limit is never exceeded. */
static void check_reading(struct kb_clock_lines *k, const struct kb_timed *t,
			  int64_t reading, int64_t most, const char *what,
			  const char *unit)
{
	char name[KB_TIMED_NAME_SIZE];

	if (reading == KB_UNKNOWN || most == KB_UNKNOWN || reading <= most)
		return;
	kb_timed_name(name, t);
	add(&k->of_clocks, "clocks", KB_ANSWER_NO,
	    "%s: %s of %" PRId64 " %s, where %" PRId64 " is the most", name,
	    what, reading, unit, most);
}

/* Only requested clocks can have been read. */
static void check_asked(struct kb_clock_lines *k, const struct kb_timed *t,
			const struct kb_telemetry *m)
{
	const int64_t readings[] = {
		m->sm_clock_mhz_max, m->memory_clock_mhz_max,
		m->temperature_c_max, m->power_mw_max, m->reasons,
	};
	char name[KB_TIMED_NAME_SIZE];

	for (size_t i = 0; !m->samples && i < KB_ARRAY_LEN(readings); i++) {
		if (readings[i] == KB_UNKNOWN)
			continue;
		kb_timed_name(name, t);
		add(&k->of_clocks, "clocks", KB_ANSWER_NO,
		    "%s: there are readings, and the device was never asked",
		    name);
		return;
	}
}

/* No device computes at less than that, or without heat and power. */
static void check_low(struct kb_clock_lines *k, const struct kb_timed *t,
		      int64_t reading, int64_t least, const char *what,
		      const char *unit)
{
	char name[KB_TIMED_NAME_SIZE];

	if (reading == KB_UNKNOWN || reading >= least)
		return;
	kb_timed_name(name, t);
	add(&k->of_clocks, "clocks", KB_ANSWER_NO,
	    "%s: %s of %" PRId64 " %s at most, where %" PRId64 " is the least",
	    name, what, reading, unit, least);
}

/* The device is asked no more often than once in KB_TELEMETRY_NS. */
static void check_how_often(struct kb_clock_lines *k, const struct kb_timed *t,
			    const struct kb_telemetry *m)
{
	char name[KB_TIMED_NAME_SIZE];

	if (t->wall_ns == KB_UNKNOWN ||
	    m->samples <= t->wall_ns / KB_TELEMETRY_NS + 1)
		return;
	kb_timed_name(name, t);
	add(&k->of_clocks, "clocks", KB_ANSWER_NO,
	    "%s: the device was asked %" PRId64 " times within %" PRId64 " ns",
	    name, m->samples, t->wall_ns);
}

/* Slowed down, or at its power cap, which takes power. */
static bool has_reason(const struct kb_clock_lines *k,
		       const struct kb_telemetry *m)
{
	if (m->reasons == KB_UNKNOWN || kb_nvml_is_slowdown(m->reasons))
		return true;
	return (m->reasons & KB_NVML_POWER_CAP) &&
	       (m->power_mw_max == KB_UNKNOWN || k->power_mw == KB_UNKNOWN ||
		m->power_mw_max >= k->power_mw /
			(2 * KB_PLAUSIBLE_POWER_TIMES_MAX));
}

/* A device at work runs at its highest clock, or gives a reason. People lock
 * clocks, but hardly to a third. */
static void check_unhurried(struct kb_clock_lines *k, const struct kb_timed *t,
			    const struct kb_telemetry *m)
{
	if (k->sm_clock_mhz != KB_UNKNOWN && !has_reason(k, m))
		check_low(k, t, m->sm_clock_mhz_max,
			  k->sm_clock_mhz / KB_PLAUSIBLE_CLOCK_PART,
			  "without a reason, a clock", "MHz");
}

/* Candidate and reference take turns on one device. */
static void check_turns(struct kb_clock_lines *k, const struct kb_timed *t,
			const struct kb_telemetry *m)
{
	const struct kb_telemetry *paired =
		t->paired_device ? &t->paired_device->telemetry : NULL;
	char name[KB_TIMED_NAME_SIZE];
	int64_t low_mhz;

	if (!paired || m->sm_clock_mhz_max == KB_UNKNOWN ||
	    paired->sm_clock_mhz_max == KB_UNKNOWN || has_reason(k, m) ||
	    has_reason(k, paired))
		return;
	low_mhz = kb_min_i64(m->sm_clock_mhz_max,
			     paired->sm_clock_mhz_max);
	if ((__int128)low_mhz * 100 >=
	    (__int128)kb_max_i64(m->sm_clock_mhz_max,
				 paired->sm_clock_mhz_max) *
		    KB_PLAUSIBLE_CLOCKS_PERCENT)
		return;
	kb_timed_name(name, t);
	add(&k->of_clocks, "clocks", KB_ANSWER_NO,
	    "%s: a clock of %" PRId64 " MHz, and of %" PRId64 " MHz of the "
	    "reference beside it, without a reason", name,
	    m->sm_clock_mhz_max, paired->sm_clock_mhz_max);
}

/* A GPU of the data center tells all of them. It is asked once in KB_TELEMETRY_NS, so
 * that a timing of few runs may have none. */
static void check_told(struct kb_clock_lines *k, const struct kb_timed *t,
		       const struct kb_telemetry *m)
{
	const struct {
		const char *name;
		int64_t reading;
	} readings[] = {
		{ "sm_clock_mhz_max", m->sm_clock_mhz_max },
		{ "memory_clock_mhz_max", m->memory_clock_mhz_max },
		{ "temperature_c_max", m->temperature_c_max },
		{ "power_mw_max", m->power_mw_max },
		{ "reasons", m->reasons },
	};
	char name[KB_TIMED_NAME_SIZE];

	if (!k->tells_all || !t->device->timing)
		return;
	kb_timed_name(name, t);
	if (!m->samples && k->sm_clock_mhz != KB_UNKNOWN &&
	    t->device->timing->small_count >= KB_PLAUSIBLE_TRIALS_MIN)
		add(&k->of_clocks, "clocks", KB_ANSWER_NO,
		    "%s: this GPU tells its clocks, and was never asked", name);
	for (size_t i = 0; m->samples && i < KB_ARRAY_LEN(readings); i++) {
		if (readings[i].reading != KB_UNKNOWN)
			continue;
		add(&k->of_clocks, "clocks", KB_ANSWER_NO,
		    "%s: '%s' is null, and this GPU was asked and tells it",
		    name, readings[i].name);
	}
}

/* Runs are made again only when the device was seen slowed down. */
static void check_repeated(struct kb_clock_lines *k, const struct kb_timed *t,
			   const struct kb_telemetry *m)
{
	char name[KB_TIMED_NAME_SIZE];

	if (!t->device->repeated || (m->reasons != KB_UNKNOWN &&
				     kb_nvml_is_slowdown(m->reasons)))
		return;
	kb_timed_name(name, t);
	add(&k->of_clocks, "clocks", KB_ANSWER_NO, "%s: %" PRId64 " runs were "
	    "repeated, and no reading tells of a slowdown", name,
	    t->device->repeated);
}

static void check_telemetry(void *into, const struct kb_timed *t)
{
	struct kb_clock_lines *k = into;
	const struct kb_telemetry *m;

	if (!t->device)
		return;
	m = &t->device->telemetry;
	check_asked(k, t, m);
	check_how_often(k, t, m);
	check_repeated(k, t, m);
	k->timings++;
	k->readings += m->samples;
	k->repeated += t->device->repeated;
	if (m->samples && m->reasons == KB_UNKNOWN)
		k->untold++;
	if (m->reasons != KB_UNKNOWN)
		k->slowed += kb_nvml_is_slowdown(m->reasons);
	check_reading(k, t, m->sm_clock_mhz_max, k->sm_clock_mhz, "a clock",
		      "MHz");
	check_reading(k, t, m->memory_clock_mhz_max, k->memory_clock_mhz,
		      "a memory clock", "MHz");
	check_reading(k, t, m->temperature_c_max,
		      KB_PLAUSIBLE_TEMPERATURE_C_MAX, "a temperature", "C");
	check_reading(k, t, m->power_mw_max, k->power_mw, "a power", "mW");
	check_low(k, t, m->sm_clock_mhz_max, KB_PLAUSIBLE_CLOCK_MHZ_MIN,
		  "a clock", "MHz");
	check_low(k, t, m->memory_clock_mhz_max, KB_PLAUSIBLE_CLOCK_MHZ_MIN,
		  "a memory clock", "MHz");
	check_unhurried(k, t, m);
	check_turns(k, t, m);
	check_told(k, t, m);
	check_low(k, t, m->temperature_c_max, 1, "a temperature", "C");
	check_low(k, t, m->power_mw_max, KB_PLAUSIBLE_POWER_MW_MIN, "a power",
		  "mW");
}

static void end_clocks(struct kb_clock_lines *k, struct kb_checks *c)
{
	const char *kind = kb_kind_name(k->kind);

	kb_checks_move(c, &k->of_clocks);
	if (kb_checks_count(c, "clocks", KB_ANSWER_NO))
		return;
	if (!k->readings)
		add(c, "clocks", KB_ANSWER_NOT_CHECKED,
		    "no readings in the %s", kind);
	else if (k->slowed || k->repeated)
		add(c, "clocks", KB_ANSWER_NOTE,
		    "%" PRId64 " of %" PRId64 " timings of the %s saw the "
		    "device slowed down, %" PRId64 " trials were thrown away",
		    k->slowed, k->timings, kind, k->repeated);
	else if (k->untold)
		add(c, "clocks", KB_ANSWER_NOTE,
		    "%" PRId64 " of %" PRId64 " timings of the %s do not say "
		    "whether the device was slowed down", k->untold,
		    k->timings, kind);
	else
		add(c, "clocks", KB_ANSWER_OK,
		    "%" PRId64 " readings in the %s, never slowed down",
		    k->readings, kind);
}

/* --- drift ------------------------------------------------------------ */

static void check_control(struct kb_clock_lines *d, const struct kb_timed *t,
			  int64_t control_ns, const char *when)
{
	const struct kb_timing *timing = t->device->timing;
	const int64_t time_ns = timing ? kb_slope_ns(timing) : KB_UNKNOWN;
	char name[KB_TIMED_NAME_SIZE];
	__int128 off;

	if (control_ns == KB_UNKNOWN || time_ns == KB_UNKNOWN)
		return;
	d->controls++;
	/* A record may hold any time, and a million times that need not fit 64
	 * bits. */
	off = (__int128)(control_ns - time_ns) * KB_PPM;
	if (off < 0)
		off = -off;
	if (off <= (__int128)time_ns * KB_DRIFT_LIMIT_PPM)
		return;
	kb_timed_name(name, t);
	add(&d->of_drift, "drift", KB_ANSWER_NOTE,
	    "%s: %" PRId64 " ns %s the candidate, %" PRId64 " ns beside it",
	    name, control_ns, when, time_ns);
}

static void check_controls(struct kb_clock_lines *k, const struct kb_timed *t)
{
	if (!t->device)
		return;
	check_control(k, t, t->device->control_before_ns, "before");
	check_control(k, t, t->device->control_after_ns, "after");
}

/* Drift is noted and not refused. A machine that became slower is no lie, and
 * the score has a warning of its own for it. */
static void end_drift(struct kb_clock_lines *k, struct kb_checks *c)
{
	kb_checks_move(c, &k->of_drift);
	if (!k->controls)
		add(c, "drift", KB_ANSWER_NOT_CHECKED,
		    "the references were not timed before and after");
	else if (!kb_checks_count(c, "drift", KB_ANSWER_NOTE))
		add(c, "drift", KB_ANSWER_OK,
		    "within %d %% in %" PRId64 " control timings of references",
		    KB_DRIFT_LIMIT_PPM / (KB_PPM / 100), k->controls);
}

/* --- one line after the other ----------------------------------------- */

void kb_clock_lines_begin(struct kb_clock_lines *k, enum kb_kind kind,
			  const struct kb_json *environment)
{
	*k = (struct kb_clock_lines){
		.kind = kind,
		.sm_clock_mhz = gpu_fact(environment, "max_sm_clock_mhz"),
		.memory_clock_mhz = gpu_fact(environment,
					     "max_memory_clock_mhz"),
		.power_mw = gpu_fact(environment, "power_limit_mw"),
		.tells_all = kb_peak_find(kb_json_text_or(
			kb_json_find(environment, "gpu"), "name", "")),
	};
	/* A limit that no device has, in a record that somebody wrote: what
	 * follows from it is not known. */
	if (k->power_mw > KB_JSON_INT_MAX / KB_PLAUSIBLE_POWER_TIMES_MAX)
		k->power_mw = KB_UNKNOWN;
	if (k->power_mw != KB_UNKNOWN)
		k->power_mw *= KB_PLAUSIBLE_POWER_TIMES_MAX;
}

/* A baseline has no candidate that the reference could be beside. */
void kb_clock_lines_take(struct kb_clock_lines *k, const struct kb_timed *t)
{
	check_telemetry(k, t);
	if (k->kind == KB_KIND_EVALUATION)
		check_controls(k, t);
}

void kb_clock_lines_end(struct kb_clock_lines *k, struct kb_checks *c)
{
	end_clocks(k, c);
	if (k->kind == KB_KIND_EVALUATION)
		end_drift(k, c);
	kb_clock_lines_release(k);
}

void kb_clock_lines_release(struct kb_clock_lines *k)
{
	kb_checks_release(&k->of_clocks);
	kb_checks_release(&k->of_drift);
}
