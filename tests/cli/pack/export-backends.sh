# One evaluation's backends beside each other; other people's files cannot say
# that they are of one alone.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline && baseline=$id || exit
cp -R "$KB_SRC/tests/cli/score/fixture/evaluation" archives/new
sed -i '1,2s/^{/{"backend":"triton",/; 3,5s/^{/{"backend":"cuda",/' \
	archives/new/data/results.jsonl
seal_bag && evaluation=$id || exit
scores=
for backend in '' '--backend triton' '--backend cuda'
do
	scores="$scores $(kb-score $evaluation $baseline $backend | tail -n 1)"
done
kb-pack export markdown $scores | sed 's/[0-9a-f]\{64\}/an id/g'
kb-pack export json ${scores##* } | grep -o '"problem_id": *[0-9]*\|"backend": *"[a-z]*"'
kb-pack export csv $scores | sed -n 's/^\(overall,[0-9]*,[0-9]*\),.*,/\1 /p'
for preset in kernelbench leaderboard
do
	score=$(kb-score $evaluation $baseline --backend cuda -p $preset |
		tail -n 1)
	format=$preset
	test $preset = leaderboard || format=kernelbench-analysis
	kb-pack export $format $score 2>&1 | sed "s/$score/the score/"
done
