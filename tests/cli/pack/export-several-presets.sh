# Shares as the preset has them, and levels that nobody was judged on.
. "$KB_SRC/tests/cli/pack/fixture/several-scores"
make_pair cpu
for preset in kernelbench leaderboard v3
do
	(by_model gpt-4 && score a -p $preset
	by_model llama-3.1 && score b -p $preset
	export_of latex a b | sed -n '/midrule/,/bottomrule/p; /preset/p')
done
