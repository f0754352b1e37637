# Their numbers only by their definitions.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
refused() {
	kb-pack export "$@" -o out 2>&1 | sed "s/'[0-9a-f]\{64\}'/the score/"
}
for preset in kb kernelbench leaderboard v3
do
	score=$(kb-score $evaluation $baseline -p $preset | tail -n 1)
	test $preset = kernelbench || refused kernelbench-analysis $score
	test $preset = leaderboard || refused leaderboard $score
done
test ! -e out || echo out
