# Not in Python: a result, that is recorded and verifies.
. "$KB_SRC/tests/cli/eval/fixture/lib"
tell kb-audit "$suite" --levels 1 --verdicts v.json || exit
sed '$d' said
grep -o '"kind":"audit"' archives/$id/data/manifest.json
cat v.json
kb-verify -v $id | sed '1d; s/[0-9a-f]\{64\}/the id/g; s/^[^:]*/it/'
