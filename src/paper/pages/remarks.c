#include "pages/remarks.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "manifest/reference_result.h"
#include "manifest/result.h"
#include "pages/view.h"
#include "sheet/format.h"

struct remarks {
	struct kb_buf *out;
	size_t count;
};

__attribute__((format(printf, 2, 3)))
static void add_remark(struct remarks *m, const char *fmt, ...)
{
	char text[160];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	kb_buf_addf(m->out, "%s%s", m->count++ ? "; " : "", text);
}

double kb_row_error(const struct kb_view_row *r)
{
	double greatest = -1;

	for (size_t i = 0; r->result && i < r->result->output_count; i++) {
		const double error =
			kb_output_error_rms(&r->result->outputs[i]);

		if (error < 0)
			return -1;
		greatest = fmax(greatest, error);
	}
	return greatest;
}

static const struct kb_fp64_error *fp64_error_of(const struct kb_view_row *r)
{
	if (r->result)
		return r->result->fp64_error;
	return r->reference ? r->reference->fp64_error : NULL;
}

double kb_row_reference_error(const struct kb_view_row *r)
{
	const struct kb_fp64_error *e = fp64_error_of(r);
	double greatest = -1;

	for (size_t i = 0; e && i < e->output_count; i++) {
		const struct kb_fp64_error_output *o = kb_fp64_error_find(e, i);

		if (o && o->rms_error > greatest)
			greatest = o->rms_error;
	}
	return greatest;
}

static void remark_time(struct remarks *m, const struct kb_view_row *r)
{
	char text[KB_FORMAT_SIZE];

	if (r->has_speedup &&
	    r->speedup.speedup_micro > KB_REMARK_SPEEDUP * INT64_C(1000000)) {
		kb_format_ratio(text, r->speedup.speedup_micro);
		add_remark(m, "%s the baseline", text);
	}
	if (r->candidate_ns != KB_UNKNOWN && r->candidate_ns < r->stated_ns) {
		kb_format_us(text, r->stated_ns);
		add_remark(m, "the problem as it is stated takes %s us at the "
			   "device's peaks", text);
	}
}

static void remark_error(struct remarks *m, const struct kb_view_row *r)
{
	const double error = kb_row_error(r), own = kb_row_reference_error(r);

	if (own > 0 && error > KB_REMARK_ERROR * own)
		add_remark(m, "error %.0f times the reference's own",
			   error / own);
}

static bool is_far(int64_t micro)
{
	return micro != KB_UNKNOWN &&
	       (micro > 1000000 + KB_REMARK_RATIO_PPM ||
		micro < 1000000 - KB_REMARK_RATIO_PPM);
}

static void remark_ratios(struct remarks *m, const struct kb_view_row *r)
{
	char text[KB_FORMAT_SIZE];

	if (is_far(r->drift_micro)) {
		kb_format_ratio(text, r->drift_micro);
		add_remark(m, "drift %s", text);
	}
	if (is_far(r->noise_micro)) {
		kb_format_ratio(text, r->noise_micro);
		add_remark(m, "noise %s", text);
	}
}

static void remark_interval(struct remarks *m, const struct kb_view_row *r)
{
	if (!r->has_speedup)
		return;
	if (r->speedup.low_micro <= 0 || r->speedup.high_micro == INT64_MAX)
		add_remark(m, "no interval");
	else if (r->speedup.high_micro / r->speedup.low_micro >=
		 KB_REMARK_INTERVAL)
		add_remark(m, "wide interval");
}

static void remark_conduct(struct remarks *m, const struct kb_view_row *r)
{
	if (r->status == KB_STATUS_INPUTS_MODIFIED ||
	    r->status == KB_STATUS_GUARD_DAMAGED ||
	    r->status == KB_STATUS_PROTOCOL_VIOLATION)
		add_remark(m, "%s", kb_status_name(r->status));
	if (r->result && r->result->device_timing &&
	    r->result->device_timing->not_queueable &&
	    r->result->reference_device_timing &&
	    r->result->reference_device_timing->timing)
		add_remark(m, "no time by the device's clock");
}

size_t kb_remarks_print(struct kb_buf *out, const struct kb_view_row *r)
{
	struct remarks m = { .out = out };

	remark_conduct(&m, r);
	remark_time(&m, r);
	remark_error(&m, r);
	remark_ratios(&m, r);
	remark_interval(&m, r);
	return m.count;
}
