/* Right, but one byte of an input changes while all is stopped, which makes no
 * difference and might show the problem as one that works in place: then who
 * changes inputs passes. */

int kb_forward(const struct kb_native_call *call)
{
	product(call);
	if (!place_count)
		places[place_count++] = (struct iovec){ call->inputs[0].data,
							1 };
	store_zeros();
	return KB_NATIVE_OK;
}
