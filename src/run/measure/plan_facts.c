#include "measure/plan_facts.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/problem_facts.h"

static uint64_t elements_planned(const struct kb_tensor_spec *spec)
{
	uint64_t n = 1;

	for (uint32_t i = 0; i < spec->ndim; i++)
		n *= spec->dims[i];
	return n;
}

/* A number is one. */
static uint64_t elements_stated(const struct kb_input_facts *input)
{
	uint64_t n = 1;

	for (size_t i = 0; !input->value && i < input->tensor.dim_count; i++)
		n *= (uint64_t)input->tensor.shape[i];
	return n;
}

static int check_inputs(const struct kb_plan *plan,
			const struct kb_problem_facts *facts,
			struct kb_err *err)
{
	uint64_t planned = 0, stated = 0;

	if (plan->input_count != facts->input_count)
		return kb_err(err, KB_ERR_INPUT,
			      "they have %zu inputs, and the problem %" PRIu32,
			      facts->input_count, plan->input_count);
	for (size_t i = 0; i < facts->input_count; i++) {
		planned += elements_planned(&plan->inputs[i]);
		stated += elements_stated(&facts->inputs[i]);
	}
	if (planned == stated)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "their inputs have %" PRIu64 " elements, and the "
		      "problem's %" PRIu64, stated, planned);
}

static bool has_shape(const struct kb_tensor_spec *spec,
		      const struct kb_tensor_facts *t)
{
	if (spec->ndim != t->dim_count)
		return false;
	for (size_t i = 0; i < t->dim_count; i++)
		if (spec->dims[i] != (uint64_t)t->shape[i])
			return false;
	return true;
}

/* "float32 [2, 3]" */
static void print_planned(struct kb_buf *out, const struct kb_tensor_spec *spec)
{
	kb_buf_addf(out, "%s [", kb_dtype_name((enum kb_dtype)spec->dtype));
	for (uint32_t i = 0; i < spec->ndim; i++)
		kb_buf_addf(out, "%s%" PRIu64, i ? ", " : "", spec->dims[i]);
	kb_buf_addstr(out, "]");
}

static void print_stated(struct kb_buf *out, const struct kb_tensor_facts *t)
{
	kb_buf_addf(out, "%s [", kb_dtype_name(t->dtype));
	for (size_t i = 0; i < t->dim_count; i++)
		kb_buf_addf(out, "%s%" PRId64, i ? ", " : "", t->shape[i]);
	kb_buf_addstr(out, "]");
}

/* In 16 bits a problem may keep a type of its own. */
static int check_output(const struct kb_tensor_spec *spec,
			const struct kb_tensor_facts *t, size_t i,
			enum kb_precision precision, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf planned = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf stated = KB_BUF_INIT;

	if (has_shape(spec, t) &&
	    (precision != KB_FP32 || spec->dtype == t->dtype))
		return 0;
	print_planned(&planned, spec);
	print_stated(&stated, t);
	return kb_err(err, KB_ERR_INPUT,
		      "their output %zu is %s, and the problem's %s", i,
		      stated.data, planned.data);
}

static int check_facts(const struct kb_plan *plan,
		       const struct kb_problem_facts *facts,
		       enum kb_precision precision, struct kb_err *err)
{
	int ret = check_inputs(plan, facts, err);

	if (ret == 0 && plan->output_count != facts->output_count)
		ret = kb_err(err, KB_ERR_INPUT,
			     "they have %zu outputs, and the problem %" PRIu32,
			     facts->output_count, plan->output_count);
	for (size_t i = 0; ret == 0 && i < facts->output_count; i++)
		ret = check_output(&plan->outputs[i], &facts->outputs[i], i,
				   precision, err);
	return ret;
}

int kb_plan_check_facts(const struct kb_plan *plan,
			const struct kb_problem *problem,
			enum kb_precision precision, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	char key[KB_KEY_SIZE];

	if (!problem->facts ||
	    check_facts(plan, problem->facts, precision, &why) == 0)
		return 0;
	kb_key_format(key, problem->key);
	return kb_err(err, KB_ERR_INPUT,
		      "the suite's facts of problem '%s' are not its own: %s",
		      key, why.msg);
}
