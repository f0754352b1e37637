# Of another suite no candidate is. Of a larger one some are, and the others are told
# once, but not to who selects.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p other/level1
cp "$suite/level1/1_Double.c" other/level1
kb-eval other "$submission" $quick >said 2>talk || exit
grep 'not judged' talk >&2
tail -n 1 said >id
statuses "$(cat id)"
kb-verify "$(cat id)" | sed 's/[0-9a-f]\{64\}/the id/'
kb-eval other "$submission" $quick --problems 1/1 >said 2>talk || exit
grep 'not judged' talk >&2
mkdir foreign
cp "$submission/level_2_problem_1_sample_0_kernel.c" foreign
kb-eval other foreign $quick
