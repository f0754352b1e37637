# Of problems in Python it is told whether a trivial answer passes, or that nobody
# knows, once; of those with alternate inputs, and under "precise", it is not.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p prob/level1 run
for i in 1 2 3 4
do
	echo 'class Model: pass' >prob/level1/${i}_X.py
	echo 'class ModelNew: pass' >run/level_1_problem_${i}_sample_0_kernel.py
done
facts() {	# REMEDY AUDIT
	cat <<END
{"inputs": [{"name": "x", "dtype": "float32", "shape": [2]}],
"outputs": [{"dtype": "float32", "shape": [2]}],
"parameters": {"count": 0, "bytes": {"fp32": 0, "fp16": 0, "bf16": 0}},
"flops": 2, "bytes_min": {"fp32": 16, "fp16": 8, "bf16": 8},
"requires": {"device_bytes": 16, "compute_capability": null, "packages": []},
"tags": [], "note": null, "tolerance": null, "remedy": $1, "audit": $2}
END
}
found='{"findings": [{"finding": "zeros_pass", "evidence": "all of it"}], "device": "d", "sound": false, "tool_commit": null}'
sound='{"findings": [], "device": "d", "sound": true, "tool_commit": null}'
cat >prob/suite.json <<END
{"problems": {"1/1": $(facts null "$found"), "1/2": $(facts null "$sound"),
"1/3": $(facts '[{"input": "x", "scale": "2", "shift": "-1"}]' "$found")}}
END
cat >python <<'END'
#!/bin/sh
echo '{"torch_version": "2.6.0", "torch_address_bytes": 825229312}'
END
chmod +x python
KB_PYTHON=./python
export KB_PYTHON
judge() {
	kb-eval prob run $quick "$@" >said 2>talk
	echo "$*"
	grep -e 'an answer that' -e 'whether zeros' talk
}
judge
judge --alternate-trials 0 --problems 1/3
judge --tolerance precise
exit 0
