/* The comparison in a line, against its status and the suite. */

#include "verify/line.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "device/tolerance.h"
#include "manifest/evaluation.h"
#include "manifest/problem_facts.h"
#include "verify/line_rules.h"
#include "worker/fp64_error.h"

/* Decimals in records have nine digits. */
#define DECIMAL_SLACK 1e-6

/* The largest output of all may be so many times the largest that was seen,
 * where a few are far larger than the rest. */
#define LARGEST_TIMES_MAX 1000

static int64_t elements_of(const struct kb_tensor_facts *t)
{
	int64_t n = 1;

	for (size_t i = 0; i < t->dim_count; i++)
		n *= t->shape[i];
	return n;
}

/* The counts of all calls in one run. */
static bool are_elements_of(const struct kb_line *l, int64_t elements,
			    const struct kb_tensor_facts *t)
{
	const int64_t one = elements_of(t), most = l->rules->batch_calls_max;

	if (!one)
		return !elements;
	return elements > 0 && elements % one == 0 &&
	       (most == KB_UNKNOWN || elements / one <= most);
}

static int check_elements(const struct kb_line *l,
			  const struct kb_output_error *outputs, size_t count,
			  const char *which)
{
	const struct kb_problem_facts *f = l->facts;
	const struct kb_suite *s = l->rules->suite;

	if (s && s->world > 1 && count % (size_t)s->world)
		return no(l, "%s has %zu outputs, and %d ranks have as many each",
			  which, count, s->world);
	if (!f || !count)
		return 0;
	if (count != f->output_count)
		return no(l, "%s has %zu outputs, and the suite's problem %zu",
			  which, count, f->output_count);
	for (size_t i = 0; i < count; i++)
		if (!are_elements_of(l, outputs[i].elements, &f->outputs[i]))
			return no(l, "%" PRId64 " elements of output %zu were "
				  "compared, and in the suite it has %" PRId64
				  " a call", outputs[i].elements, i,
				  elements_of(&f->outputs[i]));
	return 0;
}

/* The square of a larger error overflows. */
#define SQUARED_MAX 1e150

/* The root of a mean of squares is never above the largest of the magnitudes. A
 * record that says so was not computed from outputs. */
static int check_means(const struct kb_line *l,
		       const struct kb_output_error *outputs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (outputs[i].max_abs_error < SQUARED_MAX &&
		    outputs[i].rms_error >
			    outputs[i].max_abs_error * (1 + DECIMAL_SLACK))
			return no(l, "'rms_error' of output %zu is above its "
				  "'max_abs_error'", i);
	return 0;
}

static int64_t count_wrong(const struct kb_output_error *outputs, size_t count)
{
	int64_t wrong = 0;

	for (size_t i = 0; i < count; i++)
		wrong += outputs[i].mismatched || outputs[i].nan;
	return wrong;
}

static int64_t count_nan(const struct kb_output_error *outputs, size_t count)
{
	int64_t nan = 0;

	for (size_t i = 0; i < count; i++)
		nan += outputs[i].nan != 0;
	return nan;
}

/* Is the mean of an output beyond what the policy allows, where it has a
 * limit for that and the type is known? */
static bool is_mean_beyond(const struct kb_line *l,
			   const struct kb_output_error *outputs, size_t count,
			   const struct kb_fp64_error *own)
{
	for (size_t i = 0; l->facts && l->rules->tolerance && i < count; i++) {
		const enum kb_dtype dtype =
			kb_dtype_at(l->facts->outputs[i].dtype,
				    l->rules->precision);
		/* Elements' limits, for which inputs count, are not asked for. */
		const struct kb_limited of = {
			.dtype = dtype, .input = dtype,
			.own = kb_fp64_error_find(own, i),
		};
		const struct kb_error_limits limits =
			kb_error_limits_of(l->rules->tolerance, &of);

		if (outputs[i].rms_error > limits.rms * (1 + DECIMAL_SLACK))
			return true;
	}
	return false;
}

/* The limits of the policy for output `i`, if they are known. Returns false if
 * that is nothing: no facts, no such policy, or integers, which are exact. */
static bool limits_of(struct kb_error_limits *out, const struct kb_line *l,
		      size_t i, const struct kb_fp64_error_output *own)
{
	const struct kb_problem_facts *f = l->facts;
	const enum kb_precision precision = l->rules->precision;
	struct kb_limited of = { .input = KB_FLOAT32, .own = own };
	struct kb_tolerance stated;

	if (!f || !l->rules->tolerance || i >= f->output_count)
		return false;
	of.dtype = kb_dtype_at(f->outputs[i].dtype, precision);
	if (f->input_count)
		of.input = kb_dtype_at(f->inputs[0].tensor.dtype, precision);
	if (kb_tolerance_stated(&stated, f, precision))
		of.stated = &stated;
	*out = kb_error_limits_of(l->rules->tolerance, &of);
	return kb_dtype_class(of.dtype) == KB_CLASS_FLOAT;
}

/* Whose outputs are nowhere beyond the tolerance is off by no more than that
 * allows of the largest of them: the reference's, of which draws that were not
 * compared with float64 may have had larger ones. */
static int check_largest(const struct kb_line *l,
			 const struct kb_output_error *outputs, size_t count,
			 const struct kb_fp64_error *fp64)
{
	for (size_t i = 0; i < count; i++) {
		const struct kb_fp64_error_output *own =
			kb_fp64_error_find(fp64, i);
		const struct kb_output_error *o = &outputs[i];
		struct kb_error_limits limits;
		double most;

		if (o->max_rel_error > 0 && o->max_abs_error <= 0)
			return no(l, "output %zu is off by nothing, and by "
				  "more than that of its size", i);
		if (!own || !limits_of(&limits, l, i, own) ||
		    (limits.of_tensor && !l->rules->of_tensor))
			continue;
		most = limits.element.atol + limits.element.rtol *
			LARGEST_TIMES_MAX * own->max_abs;
		if (o->max_abs_error > most * (1 + DECIMAL_SLACK))
			return no(l, "it is called correct, and output %zu is "
				  "off by %.9g, where the tolerance allows "
				  "%.9g at most", i, o->max_abs_error, most);
	}
	return 0;
}

/* A mean's limit, and that two runs are the same, are no element's. */
static bool has_other_limit(const struct kb_line_rules *rules)
{
	return rules->tolerance && (rules->of_tensor ||
	       kb_tolerance_policy_multiple(rules->tolerance));
}

/* Inputs of one kind: its own, or the alternate ones. */
struct compared {
	const struct kb_output_error *outputs;
	size_t count;
	const struct kb_fp64_error *own;
};

static struct compared compared_of(const struct kb_result *r, bool alternate)
{
	const struct kb_alternate_trials *a = r->alternates;

	if (!alternate)
		return (struct compared){ r->outputs, r->output_count,
					  r->fp64_error };
	return a ? (struct compared){ a->outputs, a->output_count,
				      a->fp64_error }
		 : (struct compared){ .outputs = NULL };
}

static int check_agreed(const struct kb_line *l)
{
	for (int alternate = 0; alternate < 2; alternate++) {
		const struct compared x = compared_of(l->r, alternate);

		if (check_largest(l, x.outputs, x.count, x.own) < 0)
			return -KB_ERR_INPUT;
		if (count_wrong(x.outputs, x.count))
			return no(l, "it is called correct, and was compared "
				  "with elements beyond the tolerance%s",
				  alternate ? ", on alternate inputs" : "");
		if (is_mean_beyond(l, x.outputs, x.count, x.own))
			return no(l, "it is called correct, and an "
				  "'rms_error' is beyond what the tolerance "
				  "allows");
	}
	return 0;
}

/* Only the detail tells what the reference has there, of the first wrong element. An
 * error from infinity or NaN is no number, and not in the record. */
static bool wants_number(const char *detail)
{
	static const char *const others[] = { "inf", "-inf", "nan" };
	static const char before[] = ", expected ";
	const char *at = detail ? strstr(detail, before) : NULL;

	for (size_t i = 0; at && i < KB_ARRAY_LEN(others); i++)
		if (!strncmp(at + strlen(before), others[i], strlen(others[i])))
			return false;
	return true;
}

/* Elements are beyond the tolerance, and off by less than its absolute part. Types
 * that are exact, and rules of whole tensors, are left out. */
static bool is_off_too_little(double *allowed, const struct kb_line *l,
			      const struct compared *x, size_t i)
{
	const struct kb_output_error *o = &x->outputs[i];
	const struct kb_fp64_error_output *own = kb_fp64_error_find(x->own, i);
	struct kb_error_limits limits;

	if (o->nan || !own || !limits_of(&limits, l, i, own) || limits.of_tensor)
		return false;
	*allowed = limits.element.atol;
	return o->max_abs_error < *allowed * (1 - DECIMAL_SLACK);
}

/* One output at least is off by more than that. Others may be wrong only where the
 * reference is infinite or NaN. */
static int check_smallest(const struct kb_line *l, const struct compared *x)
{
	double allowed, first_allowed = 0;
	size_t first = x->count;

	for (size_t i = x->count; i-- > 0;) {
		if (!x->outputs[i].mismatched)
			continue;
		if (!is_off_too_little(&allowed, l, x, i))
			return 0;
		first = i;
		first_allowed = allowed;
	}
	if (first == x->count || !wants_number(l->r->outcome.detail))
		return 0;
	return no(l, "elements of output %zu are beyond the tolerance, and off "
		  "by %.9g at most, where %.9g is allowed", first,
		  x->outputs[first].max_abs_error, first_allowed);
}

/* The last trial went wrong, on inputs of one kind, and none before it. */
static int check_disagreed(const struct kb_line *l)
{
	const bool is_nan = l->r->outcome.status == KB_STATUS_NOT_FINITE;
	const char *status = kb_status_name(l->r->outcome.status);
	int64_t wrong = 0, nan = 0;
	bool any = false;

	for (int alternate = 0; alternate < 2; alternate++) {
		const struct compared x = compared_of(l->r, alternate);

		wrong += count_wrong(x.outputs, x.count);
		nan += count_nan(x.outputs, x.count);
		any |= x.count > 0;
		if (check_smallest(l, &x) < 0)
			return -KB_ERR_INPUT;
	}
	if (!any)
		return no(l, "it is called '%s', and nothing was compared",
			  status);
	if (is_nan && !nan)
		return no(l, "it is called '%s', and no element is NaN or "
			  "infinite", status);
	if (is_nan)
		return 0;
	if (nan)
		return no(l, "it is called '%s', and elements are NaN or "
			  "infinite", status);
	if (!wrong && !has_other_limit(l->rules))
		return no(l, "it is called '%s', and no element is beyond the "
			  "tolerance", status);
	return 0;
}

static bool has_float_output(const struct kb_problem_facts *f)
{
	for (size_t i = 0; i < f->output_count; i++)
		if (kb_dtype_class(f->outputs[i].dtype) == KB_CLASS_FLOAT)
			return true;
	return false;
}

/* A reference that was there was asked, but in a screen of one process, which compares
 * nothing that is final. */
int kb_line_check_fp64_error(const struct kb_problem_facts *facts,
			    const struct kb_fp64_error *own, bool was_compared,
			    struct kb_err *err)
{
	if (!facts || (!own && !was_compared))
		return 0;
	if (!own != !has_float_output(facts))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is %s, and the suite's problem has %s "
			      "outputs of floats", KB_FP64_ERROR_MEMBER,
			      own ? "there" : "null", own ? "no" : "some");
	if (own && own->draws && own->draws != KB_FP64_ERROR_DRAWS)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is of %" PRId64 " draws, and every stage "
			      "makes %d", KB_FP64_ERROR_MEMBER, own->draws,
			      KB_FP64_ERROR_DRAWS);
	if (own && own->outputs && own->output_count != facts->output_count)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has %zu outputs, and the suite's problem "
			      "%zu", KB_FP64_ERROR_MEMBER, own->output_count,
			      facts->output_count);
	return 0;
}

/* Also where the sizes of outputs are not known: without elements there is no error,
 * and one that is not finite is a mismatch. */
static int check_counts(const struct kb_line *l, const struct compared *x)
{
	for (size_t i = 0; i < x->count; i++) {
		const struct kb_output_error *o = &x->outputs[i];
		const struct kb_fp64_error_output *own =
			kb_fp64_error_find(x->own, i);
		const bool has_some = o->max_abs_error > 0 ||
				      o->rms_error > 0 ||
				      (own && own->max_abs > 0);

		if (!o->elements && has_some)
			return no(l, "no elements of output %zu were compared, "
				  "and it has some", i);
		if (o->nan > o->mismatched)
			return no(l, "'nan' of output %zu is above its "
				  "'mismatched'", i);
	}
	return 0;
}

static int check_status(const struct kb_line *l)
{
	const struct kb_result *r = l->r;

	if (r->outcome.status == KB_STATUS_MISMATCH ||
	    r->outcome.status == KB_STATUS_NOT_FINITE)
		return check_disagreed(l);
	if (r->outcome.status != KB_STATUS_CORRECT)
		return 0;
	if (!r->outputs)
		return no(l, "it is called correct, and nothing was compared");
	return check_agreed(l);
}

int kb_line_check_compared(const struct kb_line *l)
{
	const struct kb_result *r = l->r;
	int ret = 0;

	for (int alternate = 0; alternate < 2 && ret == 0; alternate++) {
		const struct compared x = compared_of(r, alternate);

		ret = check_elements(l, x.outputs, x.count, alternate ?
				     KB_ALTERNATE_MEMBER : "'outputs'");
		if (ret == 0)
			ret = check_means(l, x.outputs, x.count);
	}
	if (ret == 0)
		ret = check_status(l);
	for (int alternate = 0; alternate < 2 && ret == 0; alternate++) {
		const struct compared x = compared_of(r, alternate);

		ret = check_counts(l, &x);
	}
	return ret;
}
