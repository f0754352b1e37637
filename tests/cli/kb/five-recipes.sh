# README's five recipes, typed as they are there, but on the CPU, with two of the
# demo's problems in C in place of KernelBench's, and not thoroughly. The submission
# has candidates for neither of them, and so needs no Python.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir problems && native_demo 9 10 12 && mv demo problems || exit
mkdir -p runs/my_run
for problem in 9 10
do
	kernel=level_1_problem_${problem}_sample_0_kernel.c
	cp "$KB_SRC/tests/submissions/demo/$kernel" runs/my_run
done
echo 'run_name: my_run' >runs/my_run/generation_config.yaml
printf '{"metadata":{"display_name":"us"},"kernels":{"%s":"%s"}}' \
	level_1_problem_12_sample_0 'class ModelNew: pass' >submission.json
sed -n '/^## Five recipes/,/^## Install/{s/^    \(kb\|tar\) /\1 /p;}' \
	"$KB_SRC/README.md" |
	sed -e 's/--device cuda:0/--device cpu/; s/ --levels 1//' \
	    -e 's/compile:default/eager/; s,problems/kernelbench,problems/demo,' \
	    -e '/^kb baseline/s/$/ --problems 1\/9,1\/10 --trials 1 --threads 1/' \
	    -e '/^kb run/s,$, --suite problems/demo --problems 1/9\,1/10 -- --trials 1 --threads 1,' \
	    >lines
grep -c . lines
here=$PWD
# The one that verifies, in its folder, when there is something to unpack.
grep -vE '^(tar|kb verify) ' lines >before
grep -E '^(tar|kb verify) ' lines >after
while read -r line
do
	eval "$line" </dev/null >said 2>talk || { echo "$line: $?"; cat said talk; }
	sed -nE 's/^(ok|no)  ([a-z]+) .*/\1 \2/p' said
done <before
kb name | sed 's/.* //' | grep -v @
ls report/index.html table.tex
while read -r line
do
	eval "$line" </dev/null >"$here/said" || echo "$line: $?"
	sed -nE 's/^(ok|no)  ([a-z]+) .*/\1 \2/p' "$here/said" | sort
done <after
