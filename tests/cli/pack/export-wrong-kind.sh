# Each format, of a bundle of every other kind.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
for kind in suite submission evaluation baseline score
do eval "cp -R archives/\$$kind a-$kind"
done
refused() {
	format=$1
	shift
	for kind
	do
		kb-pack export $format a-$kind -o out 2>&1
		echo $?
	done
}
refused kernelbench-baseline suite submission evaluation score
for format in kernelbench-eval kernelbench-runs kernelbench-pass-at-k
do refused $format suite submission baseline score
done
kb-pack export unseen-sizes a-evaluation a-baseline -o out 2>&1
echo $?
for format in kernelbench-analysis leaderboard json csv markdown latex
do refused $format suite submission evaluation baseline
done
test ! -e out || echo out
