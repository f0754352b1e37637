. "$KB_SRC/tests/cli/eval/fixture/lib"
baseline=$(kb-baseline "$suite" $quick --problems 1/1 2>/dev/null |
	tail -n 1)
forge $baseline b.bag 's/"schema_version":2/"schema_version":1/'
: >b.bag/data/results.jsonl
(cd b.bag && sed -i 's/"problems":\[[^]]*\]/"problems":[]/' data/manifest.json &&
	sha256sum data/* >manifest-sha256.txt)
tell kb-eval "$suite" "$submission" $quick \
	--baseline b.bag 2>all
status=$?
sed 's/[0-9a-f]\{64\}/ID/' all >&2
ls -A archives | grep journal
exit $status
