#include "worker/fp64_error.h"

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
#include "worker/slots.h"

static int make_report(int *fd, struct kb_err *err)
{
	*fd = memfd_create("kb-fp64-error", MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, sizeof(struct kb_fp64_error_report)) < 0)
		return kb_err_sys(err, "cannot make a memory file");
	return 0;
}

static bool is_size(double x)
{
	return isfinite(x) && x >= 0;
}

/* A mean may be above the largest by what is lost in summing up. */
static bool take_output(struct kb_fp64_error_output *o,
			const struct kb_fp64_error_entry *e)
{
	*o = (struct kb_fp64_error_output){
		.is_float = true,
		.max_abs_error = e->max_abs_error,
		.rms_error = fmin(e->rms_error, e->max_abs_error),
		.max_abs = e->max_abs,
		.rms = fmin(e->rms, e->max_abs),
	};
	return is_size(e->max_abs_error) && is_size(e->rms_error) &&
	       is_size(e->max_abs) && is_size(e->rms);
}

static struct kb_fp64_error *without_output(uint32_t output, const char *why)
{
	kb_auto(mem) char *text = kb_xasprintf("output %u: %s", output, why);

	return kb_fp64_error_new_unavailable(text);
}

static struct kb_fp64_error *
take_outputs(const struct kb_fp64_error_entry outputs[], const struct kb_plan *plan)
{
	kb_auto(fp64_error) struct kb_fp64_error *o =
		kb_fp64_error_new(KB_FP64_ERROR_DRAWS, plan->output_count);

	for (uint32_t i = 0; i < plan->output_count; i++) {
		struct kb_fp64_error_output *output = &o->outputs[i];

		if (kb_dtype_class(plan->outputs[i].dtype) != KB_CLASS_FLOAT)
			continue;
		if (!take_output(output, &outputs[i]))
			return without_output(i, "its error is not finite");
		if (output->rms_error > 0 &&
		    KB_PRECISE_MULTIPLE * output->rms_error >= output->rms)
			return without_output(i,
					      "it is another one in float64");
	}
	return kb_steal(o);
}

/* Printable ASCII, whatever it was. */
static struct kb_fp64_error *take_why(const struct kb_fp64_error_report *report)
{
	char why[KB_FP64_ERROR_WHY_BYTES];

	/* With a precision, because the text need not end with a NUL: the
	 * reference wrote it. */
	snprintf(why, sizeof(why), "%.*s", (int)sizeof(why) - 1, report->why);
	for (char *p = why; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return kb_fp64_error_new_unavailable(*why ? why : "no reason given");
}

struct kb_fp64_error *
kb_fp64_error_of_reports(const struct kb_fp64_error_report of_ranks[],
			 const struct kb_plan *plan)
{
	const uint32_t ranks = kb_plan_ranks(plan);
	const uint32_t each = plan->output_count / ranks;
	struct kb_fp64_error_entry outputs[KB_GROUP_OUTPUTS_MAX];

	for (uint32_t i = 0; i < ranks; i++) {
		const struct kb_fp64_error_report *r = &of_ranks[i];

		if (r->version != KB_FP64_ERROR_VERSION)
			return NULL;
		if (!r->output_count)
			return take_why(r);
		if (r->output_count != each)
			return NULL;
		memcpy(outputs + i * each, r->outputs, each * sizeof(*outputs));
	}
	return take_outputs(outputs, plan);
}

static int ask_ranks(struct kb_fp64_error_report of_ranks[],
		     struct kb_worker *reference, struct kb_request *request,
		     const int fds[], struct kb_fault *fault,
		     struct kb_err *err)
{
	int ret = kb_worker_ask(reference, request, fds, reference->ranks,
				fault, err);

	for (uint32_t i = 0; i < reference->ranks && ret > 0; i++)
		if (pread(fds[i], &of_ranks[i], sizeof(of_ranks[i]), 0) !=
		    sizeof(of_ranks[i]))
			return kb_err_sys(err, "cannot read the fp64 "
					  "reference error");
	return ret;
}

int kb_fp64_error_ask(struct kb_fp64_error **out, struct kb_worker *reference,
		      const struct kb_plan *plan,
		      const uint8_t seed[KB_SEED_BYTES], bool alternate,
		      struct kb_fault *fault, struct kb_err *err)
{
	struct kb_request request = {
		.op = KB_OP_FP64_ERROR,
		.slot_count = KB_FP64_ERROR_DRAWS,
		.alternate = alternate,
	};
	struct kb_fp64_error_report of_ranks[KB_RANKS_MAX];
	int fds[KB_RANKS_MAX], ret = 0;
	uint32_t made = 0;

	memcpy(request.seed, seed, KB_SEED_BYTES);
	while (ret >= 0 && made < reference->ranks) {
		ret = make_report(&fds[made], err);
		made += fds[made] >= 0;
	}
	if (ret >= 0)
		ret = ask_ranks(of_ranks, reference, &request, fds, fault, err);
	while (made)
		close(fds[--made]);
	if (ret <= 0)
		return ret;
	*out = kb_fp64_error_of_reports(of_ranks, plan);
	if (*out)
		return 1;
	kb_fault_set(fault, reference->side, KB_STATUS_PROTOCOL_VIOLATION,
		     reference->phase, "a report without meaning");
	return 0;
}
