#include "serving/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "export/foreign_json.h"
#include "json/json.h"
#include "json/utf8.h"
#include "manifest/device_timing.h"
#include "manifest/result.h"
#include "score/reward.h"
#include "score/speedup.h"
#include "score/times.h"

void kb_served_release(struct kb_served *v)
{
	free(v->reason);
	free(v->log);
	free(v->candidate);
}

/* --- from a result ----------------------------------------------------- */

static void set_speedup(struct kb_served *v, const struct kb_session_times *t)
{
	struct kb_interval candidate, reference;
	int64_t high;

	if (v->time_ns < 1 || v->reference_ns < 1)
		return;
	v->speedup_micro = kb_ratio_micro(v->reference_ns, v->time_ns);
	kb_times_interval(&candidate, t->candidate, t->paired, KB_INTERVAL_PPM);
	kb_times_interval(&reference, t->reference, NULL, KB_INTERVAL_PPM);
	v->low_micro = kb_interval_least_micro(reference, candidate);
	if (!v->low_micro)
		v->low_micro = KB_UNKNOWN;
	high = kb_interval_most_micro(reference, candidate);
	v->high_micro = high == INT64_MAX ? KB_UNKNOWN : high;
}

static void set_times(struct kb_served *v, const struct kb_result *r)
{
	const enum kb_clock clock = kb_problem_clock(
		KB_CLOCK_DEVICE, r->reference_timing, r->reference_device_timing);
	const struct kb_session_times t = kb_session_times_of(r, clock);

	v->time_ns = kb_times_median_ns(t.candidate);
	v->reference_ns = kb_times_median_ns(t.reference);
	v->clock = t.candidate_clock == KB_CLOCK_DEVICE ? "device" : "call";
	set_speedup(v, &t);
}

static char *cut_log(const char *log)
{
	size_t len = log ? strlen(log) : 0;

	if (len > KB_SERVED_LOG_BYTES_MAX)
		for (len = KB_SERVED_LOG_BYTES_MAX; (log[len] & 0xc0) == 0x80;)
			len--;
	return len ? kb_xstrndup(log, len) : NULL;
}

void kb_served_from_result(struct kb_served *out, const struct kb_result *r)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&r->candidate, hex);
	*out = (struct kb_served){
		.status = r->outcome.status, .phase = r->outcome.phase,
		.reason = kb_xstrdup(r->outcome.detail),
		.log = cut_log(r->outcome.log), .candidate = kb_xstrdup(hex),
		.speedup_micro = KB_UNKNOWN, .low_micro = KB_UNKNOWN,
		.high_micro = KB_UNKNOWN, .time_ns = KB_UNKNOWN,
		.reference_ns = KB_UNKNOWN,
	};
	if (out->status == KB_STATUS_CORRECT)
		set_times(out, r);
}

/* --- a line ------------------------------------------------------------ */

static void begin_member(struct kb_buf *out, const char *name)
{
	kb_buf_addf(out, ",\"%s\":", name);
}

static void add_text(struct kb_buf *out, const char *name, const char *text)
{
	kb_auto(json) struct kb_json *v = NULL;

	begin_member(out, name);
	if (!text) {
		kb_buf_addstr(out, "null");
		return;
	}
	v = kb_json_string(text);
	kb_json_print(out, v);
}

static void add_scaled(struct kb_buf *out, const char *name, int64_t value,
		       double scale)
{
	begin_member(out, name);
	if (value == KB_UNKNOWN)
		kb_buf_addstr(out, "null");
	else
		kb_double_print(out, (double)value / scale);
}

static void add_id(struct kb_buf *out, const struct kb_json *id)
{
	kb_buf_addstr(out, "{\"id\":");
	if (id)
		kb_json_print(out, id);
	else
		kb_buf_addstr(out, "null");
}

void kb_served_print(struct kb_buf *out, const struct kb_served *v,
		     const struct kb_served_as *as)
{
	const int64_t queued_ns =
		as->total_ns - as->built_ns - as->measured_ns;

	add_id(out, as->id);
	add_text(out, "status", kb_status_name(v->status));
	add_text(out, "reason", v->reason);
	add_scaled(out, "speedup", v->speedup_micro, 1e6);
	add_scaled(out, "low", v->low_micro, 1e6);
	add_scaled(out, "high", v->high_micro, 1e6);
	add_scaled(out, "device_us", v->time_ns, 1e3);
	add_scaled(out, "reference_us", v->reference_ns, 1e3);
	add_text(out, "clock", v->clock);
	add_text(out, "log", v->log);
	add_text(out, "candidate", v->candidate);
	add_text(out, "policy", as->is_quick ? "screen" : "full");
	kb_buf_addf(out, ",\"attempts\":%" PRId64, as->attempts);
	add_scaled(out, "build_s", as->built_ns, 1e9);
	add_scaled(out, "device_s", as->measured_ns, 1e9);
	add_scaled(out, "queued_s", queued_ns > 0 ? queued_ns : 0, 1e9);
	if (as->reward && v->status != KB_STATUS_REFERENCE_FAILED)
		add_scaled(out, "reward",
			   kb_reward_micro(as->reward, v->speedup_micro,
					   v->status, v->phase), 1e6);
	if (as->is_remembered)
		kb_buf_addstr(out, ",\"remembered\":true");
	kb_buf_addstr(out, "}\n");
}

void kb_unserved_print(struct kb_buf *out, const struct kb_json *id,
		       const char *why)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_utf8_clean(&text, why, strlen(why));
	add_id(out, id);
	add_text(out, "error", text.data);
	kb_buf_addstr(out, "}\n");
}
