# Several samples of a problem: their pass@k, a KernelBench run folder of them,
# and back: the folder packs to the same candidates, those without code, too.
. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
rm s/level1/2_Two.c
cat >s/level1/1_One.c <<'EOF'
#include "kb_native.h"
static const struct kb_native_spec x[] = { {
	.dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { 8 },
	.draw = KB_NATIVE_UNIFORM, .low = 0, .high = 1 } };
const struct kb_native_problem kb_problem = {
	KB_NATIVE_VERSION, 1, 1, 0, x, x, 0 };
int kb_forward(const struct kb_native_call *c)
{
	for (int i = 0; i < 8; i++)
		((float *)c->outputs[0].data)[i] =
			2 * ((const float *)c->inputs[0].data)[i];
	return KB_NATIVE_OK;
}
EOF
# doubles FACTOR: an answer with code that multiplies by it.
doubles() {
	printf '"```c\\n#include <kb_native.h>\\nint kb_forward(const struct kb_native_call *c)\\n{\\n\\tfor (int i = 0; i < 8; i++)\\n\\t\\t((float *)c->outputs[0].data)[i] = %s * ((float *)c->inputs[0].data)[i];\\n\\treturn 0;\\n}\\n```\\n"' "$1"
}
ask --samples 5 >/dev/null 2>talk
{
	answer 1-0 "$(doubles 3)"
	answer 1-1 "$(doubles 2)"
	answer 1-2 '"I cannot."'
	answer 1-3 "$(doubles 2.0f)"
	answer 1-4 '"```c\nint y"' length
} >a.jsonl
submission=$(kb-generate take a.jsonl --run-name many 2>talk | tail -n 1)
# So many that there is a time, also on a busy machine.
evaluation=$(kb-eval s $submission --trials 15 --threads 1 2>talk | tail -n 1)
sed -n 's/correct .*/correct/; /^\[/p' talk
kb-pack export kernelbench-runs $evaluation -o kb 2>talk || exit
(cd kb/runs && find . -type f | LC_ALL=C sort)
cat kb/runs/many_level1/pass_at_k_results.json
again=$(kb-pack submission kb/runs/many_level1) || exit
cd archives
for member in $again/data/candidates/level1/*/*
do cmp $member $submission/${member#*/} && echo same
done
