# A suite whose facts are not its problems' is refused when it shows, and
# nothing comes of it; with its own it is not.
. "$KB_SRC/tests/cli/eval/fixture/lib"
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
