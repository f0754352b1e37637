static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { 1000 },
	  .draw = KB_NATIVE_UNIFORM, .low = -1, .high = 1 },
};
static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { 1000 } },
};
static const struct kb_native_spec params[] = {
	{ .name = "bias", .dtype = KB_NATIVE_FLOAT32, .ndim = 1,
	  .dims = { 1000 }, .draw = KB_NATIVE_NORMAL, .low = 0, .high = 1 },
};

const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 1, .output_count = 1, .param_count = 1,
	.inputs = inputs, .outputs = outputs, .params = params,
};

int kb_forward(const struct kb_native_call *call)
{
	struct test_scale a = gpu_scale(call);

	a.busy_ns = 3000 * MICROSECONDS;
	gpu_launch("test_scale", &a, call->stream);
	return KB_NATIVE_OK;
}
