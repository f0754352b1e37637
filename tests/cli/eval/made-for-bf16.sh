# A run that was made for another type is not judged by the default without a word.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p one/level1 run
cp "$suite/level1/1_Double.c" one/level1
cp "$submission/level_1_problem_1_sample_0_kernel.c" run
printf '\357\273\277{precision: bf16, backend: tilelang, run_name: "\\U0001F680"}\n' \
	>run/generation_config.yaml
kb-eval one run $quick
echo $?
kb-eval one run $quick --precision bf16
echo $?
kb-eval one run $quick --precision fp32 >said 2>talk || exit
statuses "$(tail -n 1 said)"
grep -o '"\(backend\|precision\|run_name\)":"[^"]*"' archives/*/data/manifest.json |
	sed 's/.*manifest.json://' | sort -u
