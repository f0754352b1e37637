#include "runtime/native/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "random/random.h"
#include "runtime/lib/kbrt.h"
#include "runtime/native/kb_native.h"

/* kb_native.h repeats numbers of ours, so that it needs no other header;
 * this is the comparison that makes them one fact. */
_Static_assert((int)KB_NATIVE_FLOAT64 == (int)KB_FLOAT64 &&
	       (int)KB_NATIVE_FLOAT32 == (int)KB_FLOAT32 &&
	       (int)KB_NATIVE_FLOAT16 == (int)KB_FLOAT16 &&
	       (int)KB_NATIVE_BFLOAT16 == (int)KB_BFLOAT16 &&
	       (int)KB_NATIVE_INT64 == (int)KB_INT64 &&
	       (int)KB_NATIVE_INT32 == (int)KB_INT32 &&
	       (int)KB_NATIVE_INT16 == (int)KB_INT16 &&
	       (int)KB_NATIVE_INT8 == (int)KB_INT8 &&
	       (int)KB_NATIVE_UINT8 == (int)KB_UINT8 &&
	       (int)KB_NATIVE_BOOL == (int)KB_BOOL &&
	       (int)KB_NATIVE_FLOAT8_E4M3FN == (int)KB_FLOAT8_E4M3FN &&
	       (int)KB_NATIVE_FLOAT8_E5M2 == (int)KB_FLOAT8_E5M2 &&
	       (int)KB_NATIVE_FLOAT8_E5M2 + 1 == (int)KB_DTYPE_COUNT,
	       "kb_native.h and base/dtype.h disagree");
_Static_assert((int)KB_NATIVE_ZEROS == (int)KB_DRAW_ZEROS &&
	       (int)KB_NATIVE_UNIFORM == (int)KB_DRAW_UNIFORM &&
	       (int)KB_NATIVE_NORMAL == (int)KB_DRAW_NORMAL &&
	       (int)KB_NATIVE_INTEGERS == (int)KB_DRAW_INTEGERS &&
	       (int)KB_NATIVE_INTEGERS + 1 == (int)KB_DRAW_KIND_COUNT,
	       "kb_native.h and random/random.h disagree");
_Static_assert(sizeof(((struct kb_native_spec *)0)->dims) ==
	       sizeof(((struct kb_tensor_spec *)0)->dims),
	       "kb_native.h and worker/protocol.h disagree about dimensions");

/* Names are compared each with each. */
#define PARAMS_MAX 4096

static struct kb_tensor_spec tensor_of(const struct kb_native_spec *s)
{
	struct kb_tensor_spec t = { .dtype = s->dtype, .ndim = s->ndim };

	if (s->ndim <= KB_DIMS_MAX)
		memcpy(t.dims, s->dims, s->ndim * sizeof(s->dims[0]));
	return t;
}

static struct kb_draw draw_of(const struct kb_native_spec *s)
{
	return (struct kb_draw){
		.kind = (enum kb_draw_kind)s->draw,
		.low = s->low,
		.high = s->high,
	};
}

static int check_tensor(const struct kb_native_spec *s, struct kb_err *err)
{
	const struct kb_tensor_spec t = tensor_of(s);

	if (!kb_dtype_is_valid(s->dtype))
		return kb_err(err, KB_ERR_INPUT, "dtype %u is not a type",
			      s->dtype);
	if (s->ndim > KB_DIMS_MAX)
		return kb_err(err, KB_ERR_INPUT, "%u dimensions, more than %d",
			      s->ndim, KB_DIMS_MAX);
	if (kb_tensor_bytes(&t) == UINT64_MAX)
		return kb_err(err, KB_ERR_INPUT, "it is too large");
	return 0;
}

static int check_drawn(const struct kb_native_spec *s, struct kb_err *err)
{
	const struct kb_draw draw = draw_of(s);
	int ret = check_tensor(s, err);

	return ret ? ret : kb_draw_check(&draw, (enum kb_dtype)s->dtype, err);
}

static int check_no_name(const struct kb_native_spec *s, struct kb_err *err)
{
	return s->name ? kb_err(err, KB_ERR_INPUT,
				"only parameters have a name") : 0;
}

static int check_inputs(const struct kb_native_problem *p, struct kb_err *err)
{
	for (uint32_t i = 0; i < p->input_count; i++)
		if (check_drawn(&p->inputs[i], err) < 0 ||
		    check_no_name(&p->inputs[i], err) < 0)
			return kb_err_wrap(err, "kb_problem: input %u", i);
	return 0;
}

static int check_outputs(const struct kb_native_problem *p, struct kb_err *err)
{
	for (uint32_t i = 0; i < p->output_count; i++)
		if (check_tensor(&p->outputs[i], err) < 0 ||
		    check_no_name(&p->outputs[i], err) < 0)
			return kb_err_wrap(err, "kb_problem: output %u", i);
	return 0;
}

static int check_name(const struct kb_native_spec *params, uint32_t i,
		      struct kb_err *err)
{
	const char *name = params[i].name;
	size_t len = name ? strnlen(name, KB_STATE_NAME_BYTES) : 0;

	if (!len)
		return kb_err(err, KB_ERR_INPUT, "it has no name");
	if (len == KB_STATE_NAME_BYTES)
		return kb_err(err, KB_ERR_INPUT,
			      "its name has more than %d bytes",
			      KB_STATE_NAME_BYTES - 1);
	if (name[0] == KB_STATE_NOTE)
		return kb_err(err, KB_ERR_INPUT, "its name starts with '%c'",
			      KB_STATE_NOTE);
	for (uint32_t k = 0; k < i; k++)
		if (!strcmp(params[k].name, name))
			return kb_err(err, KB_ERR_INPUT,
				      "its name '%s' is taken", name);
	return 0;
}

static int check_params(const struct kb_native_problem *p, struct kb_err *err)
{
	for (uint32_t i = 0; i < p->param_count; i++)
		if (check_drawn(&p->params[i], err) < 0 ||
		    check_name(p->params, i, err) < 0)
			return kb_err_wrap(err, "kb_problem: parameter %u", i);
	return 0;
}

static int check_counts(const struct kb_native_problem *p, struct kb_err *err)
{
	if (p->input_count > KB_INPUTS_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "kb_problem: %u inputs, more than %d",
			      p->input_count, KB_INPUTS_MAX);
	if (!p->output_count || p->output_count > KB_OUTPUTS_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "kb_problem: %u outputs, not 1 to %d",
			      p->output_count, KB_OUTPUTS_MAX);
	if (p->param_count > PARAMS_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "kb_problem: %u parameters, more than %d",
			      p->param_count, PARAMS_MAX);
	if ((p->input_count && !p->inputs) || !p->outputs ||
	    (p->param_count && !p->params))
		return kb_err(err, KB_ERR_INPUT,
			      "kb_problem: a list is not there");
	return 0;
}

int kb_problem_check(const struct kb_native_problem *p, struct kb_err *err)
{
	int ret;

	if (p->version != KB_NATIVE_VERSION)
		return kb_err(err, KB_ERR_INPUT,
			      "kb_problem: version %u, not %d", p->version,
			      KB_NATIVE_VERSION);
	ret = check_counts(p, err);
	if (!ret)
		ret = check_inputs(p, err);
	if (!ret)
		ret = check_outputs(p, err);
	if (!ret)
		ret = check_params(p, err);
	return ret;
}

static int add_all(struct kbrt *rt, const struct kb_native_problem *p,
		   struct kb_err *err)
{
	struct kb_tensor_spec t;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < p->input_count; i++) {
		t = tensor_of(&p->inputs[i]);
		ret = kbrt_input_add(rt, &t, err);
	}
	for (uint32_t i = 0; !ret && i < p->output_count; i++) {
		t = tensor_of(&p->outputs[i]);
		ret = kbrt_output_add(rt, &t, err);
	}
	for (uint32_t i = 0; !ret && i < p->param_count; i++) {
		t = tensor_of(&p->params[i]);
		ret = kbrt_state_add(rt, p->params[i].name, &t, err);
	}
	return ret;
}

int kb_problem_publish(struct kbrt *rt, const struct kb_native_problem *p,
		       struct kb_err *err)
{
	int ret = add_all(rt, p, err);

	if (!ret)
		ret = kbrt_state_map(rt, err);
	for (uint32_t i = 0; !ret && i < p->param_count; i++) {
		const struct kb_native_spec *s = &p->params[i];
		const struct kbrt_drawing how = {
			.kind = s->draw, .low = s->low, .high = s->high,
			.draw = i,
		};

		ret = kbrt_draw(rt, kbrt_state_data(rt, i),
				kbrt_state_spec(rt, i), &how, err);
	}
	return ret ? ret : kbrt_publish(rt, err);
}

bool kb_native_change_parse(struct kb_native_change *out, const char *text)
{
	char *end;

	*out = (struct kb_native_change){ .inputs[0].is_changed = false };
	do {
		const unsigned long i = strtoul(text, &end, 10);

		if (end == text || i >= KB_INPUTS_MAX || *end != ':' ||
		    out->inputs[i].is_changed)
			return false;
		out->inputs[i].is_changed = true;
		text = end + 1;
		out->inputs[i].scale = strtod(text, &end);
		if (end == text || *end != ':')
			return false;
		text = end + 1;
		out->inputs[i].shift = strtod(text, &end);
		if (end == text)
			return false;
		text = end + 1;
	} while (*end == ',');
	return !*end;
}

/* Input `i` of the problem, as it is drawn. */
static struct kb_draw draw_of_input(const struct kb_native_problem *p,
				    const struct kb_native_change *r,
				    uint32_t i)
{
	struct kb_draw d = draw_of(&p->inputs[i]);
	double scale, shift;

	if (!r || !r->inputs[i].is_changed)
		return d;
	scale = r->inputs[i].scale;
	shift = r->inputs[i].shift;
	if (d.kind == KB_DRAW_NORMAL) {
		d.low = scale * d.low + shift;
		d.high *= fabs(scale);
	} else {
		const double a = scale * d.low + shift;
		const double b = scale * d.high + shift;

		d.low = fmin(a, b);
		d.high = fmax(a, b);
	}
	return d;
}

static int check_change_of(const struct kb_native_problem *p,
			   const struct kb_native_change *r, uint32_t i,
			   struct kb_err *err)
{
	const struct kb_native_spec *s = i < p->input_count ? &p->inputs[i]
							    : NULL;
	struct kb_draw d;

	if (!s || (s->draw != KB_NATIVE_UNIFORM &&
		   s->draw != KB_NATIVE_NORMAL))
		return kb_err(err, KB_ERR_INPUT,
			      "alternate input %u is no tensor that can be "
			      "scaled", i);
	d = draw_of_input(p, r, i);
	if (kb_draw_check(&d, s->dtype, err) < 0)
		return kb_err_wrap(err, "alternate input %u", i);
	return 0;
}

int kb_native_change_check(const struct kb_native_change *r,
			   const struct kb_native_problem *p,
			   struct kb_err *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < KB_INPUTS_MAX; i++)
		if (r->inputs[i].is_changed)
			ret = check_change_of(p, r, i, err);
	return ret;
}

int kb_problem_generate(struct kbrt *rt, const struct kb_native_problem *p,
			const struct kb_native_change *change, uint32_t slot,
			uint32_t stream, struct kb_err *err)
{
	__typeof__(kbrt_draw) *draw = kbrt_has_device(rt) ? kbrt_draw_on_device
							  : kbrt_draw;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < p->input_count; i++) {
		const struct kb_draw d = draw_of_input(p, change, i);
		const struct kbrt_drawing how = {
			.kind = d.kind, .low = d.low, .high = d.high,
			.slot = stream, .draw = i,
		};

		ret = draw(rt, kbrt_input_data(rt, slot, i),
			   kbrt_input_spec(rt, i), &how, err);
	}
	return ret;
}
