#include "measure/output_errors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/float8.h"
#include "base/half.h"
#include "worker/slots.h"

void kb_output_error_add(struct kb_output_error *e,
			 const struct kb_compare_result *c)
{
	e->elements += (int64_t)c->elements;
	e->mismatched += (int64_t)c->mismatched;
	e->nan += (int64_t)c->not_finite;
	e->max_abs_error = fmax(e->max_abs_error, c->max_abs_error);
	e->max_rel_error = fmax(e->max_rel_error, c->max_rel_error);
	e->rms_error = fmax(e->rms_error, c->rms_error);
}

/* Anything is worse than nothing. */
static bool is_worse(const struct kb_output_error *a,
		     const struct kb_output_error *b)
{
	if (a->mismatched != b->mismatched)
		return a->mismatched > b->mismatched;
	if (a->nan != b->nan)
		return a->nan > b->nan;
	return a->max_abs_error > b->max_abs_error || !b->elements;
}

static bool is_same(const struct kb_output_error *a,
		    const struct kb_output_error *b)
{
	return a->mismatched == b->mismatched && a->nan == b->nan &&
	       a->max_abs_error == b->max_abs_error &&
	       a->max_rel_error == b->max_rel_error &&
	       a->rms_error == b->rms_error;
}

int kb_output_errors_judge_repeat(const struct kb_output_error *first,
				  const struct kb_output_error *again,
				  uint32_t count, struct kb_fault *fault)
{
	for (uint32_t i = 0; i < count; i++) {
		if (is_same(&first[i], &again[i]))
			continue;
		kb_fault_set(fault, KB_SIDE_CANDIDATE, KB_STATUS_MISMATCH,
			     KB_PHASE_RUN,
			     "output %u differs between two runs on the same "
			     "inputs", i);
		return 0;
	}
	return 1;
}

bool kb_wrong_add(struct kb_wrong *w, const struct kb_compare_result *c,
		  const struct kb_error_limits *limits, uint64_t output)
{
	const bool is_first = c->mismatched && !w->element;

	if (is_first) {
		w->element = true;
		w->element_output = output;
		w->element_index = c->first_mismatch;
	}
	if (c->rms_error > limits->rms && !w->rms) {
		w->rms = true;
		w->rms_output = output;
		w->rms_error = c->rms_error;
		w->rms_limit = limits->rms;
	}
	w->not_finite |= c->not_finite > 0;
	return is_first;
}

/* --- what is wrong, in words ------------------------------------------- */

#define VALUE_SIZE 32

static double float_of(const uint8_t *data, enum kb_dtype dtype)
{
	uint16_t half;
	double wide;
	float f;

	memcpy(&half, data, sizeof(half));
	memcpy(&f, data, sizeof(f));
	memcpy(&wide, data, sizeof(wide));
	switch (dtype) {
	case KB_FLOAT64:
		return wide;
	case KB_FLOAT16:
		return (double)kb_float_from_float16(half);
	case KB_BFLOAT16:
		return (double)kb_float_from_bfloat16(half);
	case KB_FLOAT8_E4M3FN:
		return (double)kb_float_from_float8_e4m3fn(data[0]);
	case KB_FLOAT8_E5M2:
		return (double)kb_float_from_float8_e5m2(data[0]);
	default:
		return (double)f;
	}
}

/* Little-endian, as all machines that we know are. */
static int64_t integer_of(const uint8_t *data, enum kb_dtype dtype)
{
	const size_t bytes = kb_dtype_size_bytes(dtype);
	const bool is_signed = dtype != KB_UINT8 && dtype != KB_BOOL;
	int64_t x = is_signed && data[bytes - 1] & 0x80 ? -1 : 0;

	memcpy(&x, data, bytes);
	return x;
}

static void print_value(char out[VALUE_SIZE], const uint8_t *data,
			enum kb_dtype dtype, int digits)
{
	double x;

	if (kb_dtype_class(dtype) != KB_CLASS_FLOAT) {
		snprintf(out, VALUE_SIZE, "%" PRId64, integer_of(data, dtype));
		return;
	}
	x = float_of(data, dtype);
	if (isnan(x))
		snprintf(out, VALUE_SIZE, "nan");
	else
		snprintf(out, VALUE_SIZE, "%.*g", digits, x);
}

/* With as many digits as it takes to tell one from the other. */
static void print_values(struct kb_buf *out, const struct kb_wrong *w,
			 enum kb_dtype dtype)
{
	char got[VALUE_SIZE], expected[VALUE_SIZE];

	for (int digits = 6; digits <= 18; digits += 3) {
		print_value(got, w->got, dtype, digits);
		print_value(expected, w->expected, dtype, digits);
		if (strcmp(got, expected) != 0)
			break;
	}
	kb_buf_addf(out, "%s, expected %s", got, expected);
}

/* " [3, 17]"; nothing of a single number. */
static void print_place(struct kb_buf *out, const struct kb_tensor_spec *spec,
			uint64_t index)
{
	uint64_t at[KB_DIMS_MAX];

	for (uint32_t d = spec->ndim; d > 0; d--) {
		at[d - 1] = index % spec->dims[d - 1];
		index /= spec->dims[d - 1];
	}
	for (uint32_t d = 0; d < spec->ndim; d++)
		kb_buf_addf(out, "%s%" PRIu64, d ? ", " : " [", at[d]);
	if (spec->ndim)
		kb_buf_addch(out, ']');
}

/* Not 100 % unless it is all. */
static void print_percent(struct kb_buf *out, int64_t part, int64_t whole)
{
	const double percent = 100 * (double)part / (double)whole;

	if (percent >= 10)
		kb_buf_addf(out, "%d %%", (int)percent);
	else
		kb_buf_addf(out, "%.2g %%", percent);
}

static void print_output(struct kb_buf *out, const struct kb_plan *plan,
			 uint64_t i)
{
	char name[KB_TENSOR_NAME_SIZE];

	kb_buf_addstr(out, kb_plan_name_tensor(
		name, plan, plan->input_count + (uint32_t)i));
}

static void print_element(struct kb_buf *out, const struct kb_wrong *w,
			  const struct kb_plan *plan,
			  const struct kb_output_error *errors)
{
	const uint64_t i = w->element_output % plan->output_count;
	const struct kb_tensor_spec *spec = &plan->outputs[i];
	const struct kb_output_error *e = &errors[i];

	print_output(out, plan, i);
	print_place(out, spec, w->element_index);
	kb_buf_addstr(out, ": ");
	print_values(out, w, spec->dtype);
	kb_buf_addstr(out, "; ");
	print_percent(out, e->mismatched, e->elements);
	kb_buf_addstr(out, " differ");
	if (!e->nan)
		return;
	kb_buf_addstr(out, ", ");
	print_percent(out, e->nan, e->elements);
	kb_buf_addstr(out, " NaN or Inf");
}

int kb_wrong_judge(const struct kb_wrong *w, const struct kb_plan *plan,
		   const struct kb_output_error *errors, enum kb_side side,
		   struct kb_fault *fault)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (!w->element && !w->rms)
		return 1;
	if (w->element) {
		print_element(&text, w, plan, errors);
	} else {
		print_output(&text, plan, w->rms_output % plan->output_count);
		kb_buf_addf(&text, ": root mean square error %.2e, %.2e at "
			    "most", w->rms_error, w->rms_limit);
	}
	kb_fault_set(fault, side, w->not_finite ? KB_STATUS_NOT_FINITE
						: KB_STATUS_MISMATCH,
		     KB_PHASE_RUN, "%s", text.data);
	return 0;
}

void kb_output_errors_blame(struct kb_fault *fault, const struct kb_plan *plan,
			    const struct kb_output_error *errors)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_buf_addstr(&text, fault->detail);
	for (uint32_t i = 0; errors && i < plan->output_count; i++) {
		const struct kb_output_error *e = &errors[i];

		if (!e->mismatched)
			continue;
		kb_buf_addstr(&text, "; ");
		print_output(&text, plan, i);
		kb_buf_addf(&text, ": %" PRId64 " of %" PRId64 " elements, by "
			    "up to %.2e", e->mismatched, e->elements,
			    e->max_abs_error);
	}
	snprintf(fault->detail, sizeof(fault->detail), "%s", text.data);
}

void kb_output_errors_keep(struct kb_output_error *worst,
			   const struct kb_output_error *errors,
			   uint32_t count, const struct kb_wrong *wrong)
{
	for (uint32_t i = 0; i < count; i++)
		if (wrong->rms || is_worse(&errors[i], &worst[i]))
			worst[i] = errors[i];
}

void kb_output_errors_keep_trial(struct kb_output_error **worst,
				 struct kb_alternate_trials *alternates,
				 const struct kb_output_error *errors,
				 uint32_t count, const struct kb_wrong *wrong)
{
	struct kb_output_error **kept = alternates ? &alternates->outputs : worst;

	if (!*kept)
		*kept = kb_xcalloc(count, sizeof(**kept));
	kb_output_errors_keep(*kept, errors, count, wrong);
	if (!alternates)
		return;
	alternates->output_count = count;
	alternates->trials++;
}
