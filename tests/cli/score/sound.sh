# Beside all problems, those that the suite's audit found sound.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags '{"sound": true, "device": "cpu", "tool_commit": null,
	"findings": []}' || exit
kb-score $evaluation $baseline |
sed '/^evaluation/d; /^baseline/d; $s/^[0-9a-f]\{64\}$/the id/'
score=$(kb-score $evaluation $baseline | tail -n 1)
kb-verify -v $score | grep ": score: " | sed 's/[0-9a-f]\{64\}/the id/g'
