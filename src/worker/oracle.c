#include "worker/oracle.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/tolerance.h"

static int make_report(int *fd, struct kb_err *err)
{
	*fd = memfd_create("kb-oracle", MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, sizeof(struct kb_oracle_report)) < 0)
		return kb_err_sys(err, "cannot make a memory file");
	return 0;
}

static bool is_size(double x)
{
	return isfinite(x) && x >= 0;
}

/* A mean may be above the largest by what is lost in summing up. */
static bool take_output(struct kb_oracle_output *o,
			const struct kb_oracle_entry *e)
{
	*o = (struct kb_oracle_output){
		.is_float = true,
		.max_abs_error = e->max_abs_error,
		.rms_error = fmin(e->rms_error, e->max_abs_error),
		.max_abs = e->max_abs,
		.rms = fmin(e->rms, e->max_abs),
	};
	return is_size(e->max_abs_error) && is_size(e->rms_error) &&
	       is_size(e->max_abs) && is_size(e->rms);
}

static struct kb_oracle *without(uint32_t output, const char *why)
{
	kb_auto(mem) char *text = kb_xasprintf("output %u: %s", output, why);

	return kb_oracle_new_unavailable(text);
}

static struct kb_oracle *take_outputs(const struct kb_oracle_report *report,
				      const struct kb_plan *plan)
{
	kb_auto(oracle) struct kb_oracle *o =
		kb_oracle_new(KB_ORACLE_DRAWS, plan->output_count);

	for (uint32_t i = 0; i < plan->output_count; i++) {
		struct kb_oracle_output *output = &o->outputs[i];

		if (kb_dtype_class(plan->outputs[i].dtype) != KB_CLASS_FLOAT)
			continue;
		if (!take_output(output, &report->outputs[i]))
			return without(i, "its error is not finite");
		if (output->rms_error > 0 &&
		    KB_PRECISE_MULTIPLE * output->rms_error >= output->rms)
			return without(i, "it is another one in float64");
	}
	return kb_steal(o);
}

/* Printable ASCII, whatever it was. */
static struct kb_oracle *take_why(const struct kb_oracle_report *report)
{
	char why[KB_ORACLE_WHY_BYTES];

	snprintf(why, sizeof(why), "%.*s", (int)sizeof(why) - 1, report->why);
	for (char *p = why; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return kb_oracle_new_unavailable(*why ? why : "no reason given");
}

struct kb_oracle *kb_oracle_of_report(const struct kb_oracle_report *report,
				      const struct kb_plan *plan)
{
	if (report->version != KB_ORACLE_VERSION)
		return NULL;
	if (!report->output_count)
		return take_why(report);
	return report->output_count == plan->output_count ?
		take_outputs(report, plan) : NULL;
}

int kb_oracle_ask(struct kb_oracle **out, struct kb_worker *reference,
		  const struct kb_plan *plan,
		  const uint8_t seed[KB_SEED_BYTES], bool remedied,
		  struct kb_fault *fault, struct kb_err *err)
{
	struct kb_request request = {
		.op = KB_OP_ORACLE,
		.slot_count = KB_ORACLE_DRAWS,
		.remedied = remedied,
	};
	struct kb_oracle_report report;
	kb_auto(fd) int fd = -1;
	int ret = make_report(&fd, err);

	if (ret < 0)
		return ret;
	memcpy(request.seed, seed, KB_SEED_BYTES);
	ret = kb_worker_ask(reference, &request, &fd, 1, fault, err);
	if (ret <= 0)
		return ret;
	if (pread(fd, &report, sizeof(report), 0) != sizeof(report))
		return kb_err_sys(err, "cannot read what the oracle says");
	*out = kb_oracle_of_report(&report, plan);
	if (*out)
		return 1;
	kb_fault_set(fault, reference->side, KB_STATUS_PROTOCOL_VIOLATION,
		     reference->phase, "a report without meaning");
	return 0;
}
