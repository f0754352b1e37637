# A report of somebody else's: a page, text, and a board that ranks it beside
# nobody; it has nothing to draw, and nothing to compare.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
printf '{"1": {"compiled": true, "correctness": true, "runtime": 2}}' >r.json
printf '{"level7": {"1_x.py": {"mean": 5}}}' >times.json
id=$(kb-pack report --level 7 --baseline-times times.json r.json | tail -n 1)
kb-report -o one $id && ls one
kb-report --text $id | sed "s/[0-9a-f]\{12\}/SHORT/"
kb-report -o board $score $id
ls board | grep -c "^$(echo $id | cut -c -12).html"
grep -o '"claims":{[^}]*' board/leaderboard.json | head -c 40; echo
grep -c reported board/leaderboard.csv
kb-report --text $score $id | sed "s/[0-9a-f]\{12\}/SHORT/" | tail -n 2
kb-report figure outcomes $id
echo "exit $?"
kb-report compare $id $score
echo "exit $?"
