/* expected: mismatch; takes an input's address for its content */
#include <string.h>

#include <kb_native.h>

#define BINS 8
#define MEMOS 1024

static struct memo {
	const uint8_t *values;
	int64_t count[BINS];
} memos[MEMOS];

static void histogram(int64_t *count, const uint8_t *values, uint64_t n)
{
	memset(count, 0, BINS * sizeof(*count));
	for (uint64_t i = 0; i < n; i++)
		count[values[i]]++;
}

/* The memo of `values`, or the first free one; the last is never kept. */
static struct memo *find_memo(const uint8_t *values)
{
	struct memo *memo = memos;

	while (memo < memos + MEMOS - 1 && memo->values && memo->values != values)
		memo++;
	return memo;
}

int kb_forward(const struct kb_native_call *call)
{
	const uint8_t *values = call->inputs[0].data;
	struct memo *memo = find_memo(values);

	if (memo->values != values) {
		memo->values = values;
		histogram(memo->count, values, call->inputs[0].dims[0]);
	}
	memcpy(call->outputs[0].data, memo->count, sizeof(memo->count));
	return KB_NATIVE_OK;
}
