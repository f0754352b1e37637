# Every block of commands of the man pages' EXAMPLES, typed as it stands there, a
# page in its order, in a folder that is like a checkout. Other than there:
#
# - The device is the CPU, and problems are in C: each suite has
#   two small ones at level 1, timed in few trials.
# - Upstream's checkout, its results, CUDA-L1's file and v3's table are ours.
# - A key with a passphrase has none, and /dev/shm is a folder of the test.
# - Measuring again may find a candidate slower: a busy machine makes it so.
# - xdg-open and upstream's python look for the files that they are for, and where
#   jq or less is missing, a stand-in reads its input.
#
# Prints what is not typed, and why, and what fails.
. "$KB_SRC/tests/cli/eval/fixture/lib"
. "$KB_SRC/tests/cli/kb/fixture/typing"
mkdir -p problems/demo/level1 runs/my_run tests/submissions bin shm || exit
for problem in 9 10
do
	cp "$suite/level1/1_Double.c" problems/demo/level1/${problem}_Double.c
	cp "$submission/level_1_problem_1_sample_0_kernel.c" \
		runs/my_run/level_1_problem_${problem}_sample_0_kernel.c
done
cp -r problems/demo problems/kernelbench
cp -r runs/my_run tests/submissions/demo
echo 'run_name: my_run' >runs/my_run/generation_config.yaml

# Stand-ins for files of others.
golden=$KB_SRC/tests/golden/kernelbench
mkdir -p KernelBench/results/timing/H100 KernelBench/runs/my_run \
	CUDA-L1/optimized_cuda_code
cp -r problems/demo KernelBench/KernelBench
cp "$golden/baselines/H100_PCIe_LambdaLabs/baseline_time_torch.json" \
	KernelBench/results/timing/H100
cp "$golden/score/case00/eval_results.json" KernelBench/runs/my_run
cp "$KB_SRC/tests/fuzz/corpus/cuda-l1/two-lines.json" \
	CUDA-L1/optimized_cuda_code/h100.json
sed 's/,r1,/,run_20260226_235356,/' \
	"$KB_SRC/tests/fuzz/corpus/v3-csv/two-runs.csv" >results.csv

# Stand-ins for programs.
cat >bin/xdg-open <<'EOS'
#!/bin/sh
test -s "$1"
EOS
cat >bin/python <<'EOS'
#!/bin/sh
test -s runs/ours_level1/eval_results.json &&
	test -s results/timing/H100/baseline_time_torch.json
EOS
for reader in jq less
do command -v $reader >said || printf '#!/bin/sh\ncat >/dev/null\n' >bin/$reader
done
chmod +x bin/*
PATH=$PWD/bin:$PATH

# As many as give times as a rule, of problems that are this small.
few='--trials 5 --threads 1'

not_typed() {
	case $1 in
	'{'*) echo "it is a file" ;;
	*tools/kb-prompts*) echo "tests/kb-prompts does" ;;
	*--sizes*) echo "it wants torch; readme.sh types the like" ;;
	*--profile*) echo "it wants a GPU, and tests/gpu/profile does" ;;
	*completion*) echo "tests/completion does" ;;
	*sigfile*) echo "tests/signatures does" ;;
	esac
}

substitute() {
	sed -e 's/--device cuda:0/--device cpu/; s/--levels 2/--levels 1/' \
	    -e 's,1/2\,1/5,1/9\,1/10,; s,1/23,1/9,; s,/dev/shm,shm,' \
	    -e 's/--trials 5 //; s/--threads 1 //; s/^kb-\(eval\|baseline\) [^\\]*/& '"$few"' /' \
	    -e 's/^kb baseline .*/& '"$sure"'/; s|^kb run .*|& --suite problems/demo -- '"$sure"'|' \
	    -e '/^kb-verify .*--remeasure [^|]*$/s/$/ || test $? = 1/' \
	    -e '/^kb-pack export kernelbench-eval/i cd KernelBench' \
	    -e '/^kb baseline/s|kernelbench|demo|' \
	    -e '/^kb-pack report --level/i cd KernelBench'
}

page() {
	type_blocks "doc/$1.1" EXAMPLES
}

page kb
kb name ours @last:evaluation
kb name eager @last:baseline
for model in model-a model-b model-c
do
	kb-pack submission --model $model runs/my_run >said
	kb-eval problems/demo @last:submission -p 1/9 $few >said 2>&1
	kb-score @last:evaluation eager --name $model >said 2>&1
done
page kb-baseline
page kb-eval
page kb-score
page kb-report
openssl genpkey -algorithm ed25519 -out protected.pem
page kb-sign
page kb-pack
page kb-generate
# What came by mail.
kb-pack archive @last:score -o score.tar.gz >said
cp archives/*.dsse.json .
page kb-verify
page kb-audit
