# What fails in one of several runs in a row, the second of those of one call:
# each is told of as ever, and the next candidate has a reference that works.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p suite/level1 submission
cat >suite/level1/1_Copy.c <<'EOF'
#include "kb_native.h"
static const struct kb_native_spec x[] = { {
	.dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { 64 },
	.draw = KB_NATIVE_UNIFORM, .low = 0, .high = 1 } };
const struct kb_native_problem kb_problem = {
	KB_NATIVE_VERSION, 1, 1, 0, x, x, 0 };
int kb_forward(const struct kb_native_call *c)
{
	for (int i = 0; i < 64; i++)
		((float *)c->outputs[0].data)[i] =
			((const float *)c->inputs[0].data)[i];
	return KB_NATIVE_OK;
}
EOF

# The second slot is used in each batch of a trial, and then in a run of one
# call.
candidate() {	# SAMPLE WHAT-IT-DOES-THERE
	cat >submission/level_1_problem_1_sample_$1_kernel.c <<EOF
#include <string.h>
#include <unistd.h>
#include "kb_native.h"
static float *first, *second;
static int times;
int kb_forward(const struct kb_native_call *c)
{
	float *y = c->outputs[0].data, *x = c->inputs[0].data;
	memcpy(y, x, 64 * sizeof(*y));
	if (!first)
		first = y;
	if (y != first && !second)
		second = y;
	if (y == second && ++times == 3)
		{ $2 }
	return x ? KB_NATIVE_OK : 1;
}
EOF
}
candidate 0 'return 1;'
candidate 1 '_exit(3);'
candidate 2 'y[64] = 1;'
candidate 3 'y[3] += 1;'
candidate 4 'x[3] += 1;'
candidate 5 '*(volatile int *)0 = 1;'
candidate 6 ''
kb-eval suite submission $quick >said 2>talk
steady talk | sed -n 's/.*\(sample [0-6]: [^0-9]*\).*/\1/; s/ *$//; /^sample/p'
