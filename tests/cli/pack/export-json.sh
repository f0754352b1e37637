. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cuda
for preset in kb leaderboard
do
	score=$(kb-score $evaluation $baseline -p $preset --clock device | tail -n 1)
	kb-pack export json $score | sed "s/$score/the score/"
done
