# A score that was made without the suite is made again without it; what the
# suite says all the same is a note.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags '{"sound": true, "device": "cpu", "tool_commit": null,
	"findings": []}' || exit
mv archives/$suite .
score=$(kb-score $evaluation $baseline | tail -n 1)
mv $suite archives
kb-verify -v $score | grep -E ": (score|sound): " | sed 's/[0-9a-f]\{64\}/the id/g'
