# One that cannot be taken is one that fails; where no name tells whose it is, it is
# told.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p one/level1 run
cp "$suite/level1/1_Double.c" one/level1
cp "$submission/level_1_problem_1_sample_0_kernel.c" run
head -c 9000000 /dev/zero | tr '\0' x >run/level_1_problem_1_sample_1_kernel.c
cp "$submission/level_1_problem_1_sample_1_kernel.c" run/level_1_problem_1_kernel.c
mkfifo run/level_1_problem_1_sample_2_kernel.c
kb-eval one run $quick >said 2>talk || exit
grep '^kb-eval' talk >&2
statuses "$(tail -n 1 said)"
