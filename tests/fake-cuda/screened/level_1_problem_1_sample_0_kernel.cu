/* Does not compile. */
int kb_forward(const struct kb_native_call *call)
{
	return there_is_no_such_thing;
}
