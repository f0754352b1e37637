# --problems sound is what the audit in the suite says, which kb-verify asks.
. "$KB_SRC/tests/cli/eval/fixture/lib"
facts() {			# dtype, shape of the output, verdict
	cat <<-END
	{ "inputs": [{"name": "x", "dtype": "$1", "shape": [64]}],
	  "outputs": [{"dtype": "$1", "shape": $2}],
	  "parameters": {"count": 0, "bytes": {"fp32": 0, "fp16": 0, "bf16": 0}},
	  "flops": 64,
	  "bytes_min": {"fp32": 512, "fp16": 256, "bf16": 256},
	  "requires": {"device_bytes": 512, "compute_capability": null,
	               "packages": []},
	  "tags": [], "note": null, "tolerance": null, "remedy": null,
	  "audit": {"device": "cpu", "tool_commit": null, $3}}
	END
}
fine='"sound": true, "findings": []'
zeros='"sound": false,
	"findings": [{"finding": "zeros_pass", "evidence": "all"}]'
cp -R "$suite" s && chmod -R u+w s
cat >s/suite.json <<END
{"problems": {"1/1": $(facts float32 '[64]' "$fine"),
	      "1/2": $(facts int32 '[]' "$zeros")}}
END
selected() {			# PROGRAM SUITE [SUBMISSION]
	tell "$@" -p sound $quick || exit
	statuses $id
	grep -o '"problems":[^],]*' archives/$id/data/manifest.json
	kb-verify -v $id | grep -o 'chain: problems: .*'
	forge $id forged 's/"problems":"sound"/"problems":"1\/1,1\/2"/'
	kb-verify forged | sed 's/^forged: //; /[0-9a-f]\{64\}/d'
	rm -r forged
}
selected kb-eval s "$submission"
selected kb-baseline s
tell kb-eval "$suite" "$submission" -p sound $quick
