# Of the problems that the suite's audit found sound alone, by every preset
# that can be; the whole stays in sight, and kb-verify asks the suite.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags '{"sound": true, "device": "cpu", "tool_commit": null,
	"findings": []}' || exit
kb-score $evaluation $baseline --problems sound -c |
	sed '/^evaluation/d; /^baseline/d; $s/^[0-9a-f]\{64\}$/the id/'
for preset in kb kernelbench v3
do
	score=$(kb-score $evaluation $baseline --problems sound -p $preset |
		tail -n 1)
	kb-score $evaluation $baseline --problems sound -p $preset --json |
		grep -o '"problems":"sound"\|"sound":{' | sort | uniq -c
	kb-verify -v $score | grep ": score: " | sed "s/$score/$preset/"
done
# It is not believed without the suite.
rm -rf archives/$suite
kb-verify $score | sed "s/$score/without the suite/; /not_checked/d"
