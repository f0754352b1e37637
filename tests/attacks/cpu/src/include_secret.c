/* A file of the machine, in a message of the compiler. */
#include "/etc/shadow"

int kb_forward(const struct kb_native_call *call)
{
	product(call);
	return KB_NATIVE_OK;
}
