. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
for preset in kb kernelbench leaderboard v3
do
	id=$(kb-score $evaluation $baseline -p $preset | tail -n 1)
	kb-verify -v $id | sed -n 's/.*: score:/'$preset':/p'
done
