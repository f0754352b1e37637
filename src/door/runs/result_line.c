#include "runs/result_line.h"

#include "base/buf.h"
#include "cli/progress.h"
#include "manifest/baseline.h"
#include "manifest/device_timing.h"
#include "manifest/result.h"
#include "score/times.h"

static int64_t device_time_ns(const struct kb_device_timing *t)
{
	return kb_times_median_ns(kb_device_time(t));
}

/* The status, and the time with its speedup. */
static void describe_times(struct kb_buf *line,
			   const struct kb_reference_result *baseline,
			   const struct kb_result *r)
{
	const struct kb_timing *reference = baseline ? baseline->timing
						     : r->reference_timing;
	const int64_t time_ns = kb_times_median_ns(r->timing);
	const int64_t reference_ns = kb_times_median_ns(reference);
	char key[KB_KEY_SIZE], time[KB_DURATION_SIZE];

	kb_key_format(key, r->key);
	kb_buf_addf(line, "%s sample %d: %s", key, r->sample_id,
		    kb_status_name(r->outcome.status));
	if (time_ns == KB_UNKNOWN)
		return;
	kb_duration_format(time, time_ns);
	kb_buf_addf(line, " %s", time);
	if (reference_ns != KB_UNKNOWN)
		kb_buf_addf(line, ", %.2fx the %s",
			    (double)reference_ns / (double)time_ns,
			    baseline ? "baseline" : "reference");
}

/* The same by the device's clock, where it has one. */
static void describe_device(struct kb_buf *line,
			    const struct kb_reference_result *baseline,
			    const struct kb_result *r)
{
	const int64_t time_ns = device_time_ns(r->device_timing);
	const int64_t reference_ns = device_time_ns(
		baseline ? baseline->device_timing
			 : r->reference_device_timing);
	char time[KB_DURATION_SIZE];

	if (!r->device_timing)
		return;
	if (time_ns == KB_UNKNOWN) {
		kb_buf_addf(line, "; no device time");
		return;
	}
	kb_duration_format(time, time_ns);
	kb_buf_addf(line, "; device %s", time);
	if (reference_ns != KB_UNKNOWN)
		kb_buf_addf(line, ", %.2fx",
			    (double)reference_ns / (double)time_ns);
}

void kb_result_line_print(struct kb_buf *out,
			  const struct kb_reference_result *baseline,
			  const struct kb_result *r)
{
	describe_times(out, baseline, r);
	describe_device(out, baseline, r);
	if (r->outcome.detail)
		kb_buf_addf(out, ": %s", r->outcome.detail);
}
