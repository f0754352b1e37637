# A suite whose facts are not its problems' is refused when it shows, and
# nothing comes of it; with its own it is not.
. "$KB_SRC/tests/cli/eval/fixture/lib"
facts() {
	cat <<-END
	{"problems": {"1/1": {
	  "inputs": [{"name": "x", "dtype": "float32", "shape": [64]}],
	  "outputs": [{"dtype": "float32", "shape": [$1]}],
	  "parameters": {"count": 0, "bytes": {"fp32": 0, "fp16": 0, "bf16": 0}},
	  "flops": 64,
	  "bytes_min": {"fp32": 512, "fp16": 256, "bf16": 256},
	  "requires": {"device_bytes": 512, "compute_capability": null,
	               "packages": []},
	  "tags": [], "note": null, "tolerance": null, "remedy": null,
	  "audit": null}}}
	END
}
cp -R "$suite" s && chmod -R u+w s
for n in 32 64
do
	facts $n >s/suite.json
	tell kb-eval s "$submission" -p 1/1 $quick
	echo "evaluation: $?"
	tell kb-baseline s -p 1/1 $quick
	echo "baseline: $?"
done
grep -lE '"kind":"(baseline|evaluation)"' archives/*/data/manifest.json | wc -l
