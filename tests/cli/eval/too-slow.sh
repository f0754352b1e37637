# A candidate at a thousandth of its reference's speed has two trials, of which
# kb-verify says that they are enough; with --slow-factor 0 it has all.
. "$KB_SRC/tests/cli/eval/fixture/lib"
native_demo 11 || exit
mkdir slow && sed -e 's|#include <kb_native.h>|&\n#include <time.h>|' \
	-e 's|^\treturn KB_NATIVE_OK;|\tnanosleep(\&(struct timespec){ 0, 130000000 }, NULL);\n&|' \
	"$KB_SRC/tests/submissions/demo/level_1_problem_11_sample_0_kernel.c" \
	>slow/level_1_problem_11_sample_0_kernel.c || exit
timings() {
	grep -o '"small_ns":\[[^]]*\],"stop_reason":"[a-z]*"' \
		"archives/$1/data/results.jsonl" | sed 's/[0-9][0-9]*/N/g'
}
for factor in 10 0
do
	echo "--slow-factor $factor"
	tell kb-eval demo slow --trials 3 --threads 1 --slow-factor $factor 2>&-
	statuses $id
	timings $id
	kb-verify $id | cut -d ' ' -f 1
done
