# Every block of README, typed as it stands there and in its order, in a folder that
# is like a checkout. Other than there:
#
# - The device is the CPU, torch.compile() is not asked, and what measures measures
#   two of the demo's problems in C, once or, for a score, until a time is found.
# - Nothing is built: tests/demo types `make demo`.
# - Upstream's checkout is our own problems, and a stand-in answers for a model.
#
# Prints what is not typed, and why, and what fails.
. "$KB_SRC/tests/cli/eval/fixture/lib"
. "$KB_SRC/tests/cli/kb/fixture/typing"
mkdir -p problems runs/my_run my_kernels KernelBench tests/submissions bin || exit
native_demo 9 10 12 && mv demo problems || exit
ln -s "$KB_SRC/kernels" .
ln -s "$KB_SRC/problems/kernelbench" "$KB_SRC/problems/sizes" \
	"$KB_SRC/problems/backward" problems
ln -s "$KB_SRC/problems/kernelbench" KernelBench/KernelBench
for problem in 9 10
do
	kernel=level_1_problem_${problem}_sample_0_kernel.c
	cp "$KB_SRC/tests/submissions/demo/$kernel" runs/my_run
done
cp -r runs/my_run tests/submissions/demo
cp runs/my_run/*.c my_kernels
echo 'run_name: my_run' >runs/my_run/generation_config.yaml
printf '{"metadata":{"display_name":"us"},"kernels":{"%s":"%s"}}' \
	level_1_problem_12_sample_0 'class ModelNew: pass' >submission.json
cat >bin/vllm <<'EOF'
#!/bin/sh
# vllm run-batch -i REQUESTS -o ANSWERS --model MODEL
sed 's/^{\("custom_id":"[^"]*"\).*/{\1,"error":null,"response":{"status_code":200,"body":{"choices":[{"message":{"content":"```python\\nclass ModelNew: pass\\n```"}}]}}}/' "$3" >"$5"
EOF
chmod +x bin/vllm
PATH=$PWD/bin:$PATH

not_typed() {
	case $1 in
	make*install*) echo "tests/install does" ;;
	*'nix build'* | *'nix copy'*) echo "tests/air-gapped does" ;;
	'problem  sample'* | 'ok  score'*) echo "it is output" ;;
	esac
}

substitute() {
	sed -e 's/--device cuda:0/--device cpu/; s/--levels 1 //; s/compile:default/eager/' \
	    -e 's/eager,eager/eager/; /^make demo$/d' \
	    -e '/^kb.baseline/{s,problems/kernelbench,problems/demo,; s/$/ -p 1\/9,1\/10 '"$sure"'/}' \
	    -e '/^kb eval/s/$/ '"$sure"'/' \
	    -e '/^kb-eval/s/$/ -p 1\/19,1\/20 --trials 1 --threads 1/' \
	    -e '/^kb-audit/s/$/ -p 1\/9/' \
	    -e '/^kb-generate ask/s/$/ --problems 1\/19/' \
	    -e '/^kb run/s,$, --suite problems/demo --problems 1/9\,1/10 -- '"$sure,"
}

# The rest is typed by somebody who has a publication and no more.
type_blocks README.md '' id=
echo "not typed: $(head -n 1 block): tests/stranger does"
for kind in suite submission baseline evaluation score generation audit
do kb-verify "@last:$kind" >said || { echo "$kind:"; cat said; }
done
kb name | sed 's/.* //' | grep -v @
ls -d report/index.html pages speedups.svg kernelbench table.tex
ls kb-*.tar.gz | wc -l
