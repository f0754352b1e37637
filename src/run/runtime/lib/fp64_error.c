/* How far the reference is from float64, told to the supervisor. */

#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

void kbrt_fp64_error_output(struct kbrt *rt, uint32_t i, double max_abs_error,
			    double rms_error, double max_abs, double rms)
{
	rt->report.outputs[i] = (struct kb_fp64_error_entry){
		.is_float = 1,
		.max_abs_error = max_abs_error,
		.rms_error = rms_error,
		.max_abs = max_abs,
		.rms = rms,
	};
}

int kbrt_fp64_error_publish(struct kbrt *rt, const char *why,
			    struct kb_err *err)
{
	kb_auto(fd) int fd = kbrt_fd_take(rt);
	struct kb_fp64_error_report report = {
		.version = KB_FP64_ERROR_VERSION,
	};

	if (why) {
		snprintf(report.why, sizeof(report.why), "%s", why);
	} else {
		report = rt->report;
		report.version = KB_FP64_ERROR_VERSION;
		report.output_count = rt->plan.output_count;
	}
	/* The next problem's outputs begin empty. */
	rt->report = (struct kb_fp64_error_report){ .version = 0 };
	if (pwrite(fd, &report, sizeof(report), 0) != sizeof(report))
		return kb_err_sys(err, "cannot write the fp64 reference error");
	return 0;
}
