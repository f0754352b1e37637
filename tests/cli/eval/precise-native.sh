# Native code has no float64 form: then precise is kernelbench's tolerance, and
# the records say so. Integers have no errors.
. "$KB_SRC/tests/cli/eval/fixture/lib"
tell kb-eval "$suite" "$submission" $quick \
	--levels 1 --tolerance precise || exit
statuses $id
grep -o '"policy":{[^}]*}' archives/$id/data/manifest.json |
grep -o '"error_multiple":[0-9]*\|"tolerance":"[a-z]*"'
grep -o '"key":"[^"]*"\|"fp64_reference_error":\({[^}]*}\|null\)' \
	archives/$id/data/results.jsonl
