# Where the suite was audited there are two tables: of all problems, and of the
# sound ones.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags '{"sound": true, "device": "cpu", "tool_commit": null,
	"findings": []}'
first=$(kb-score $evaluation $baseline | tail -n 1)
other=$(kb-score $evaluation $baseline -p kernelbench | tail -n 1)
kb-report --text $first $other | sed "s/[0-9a-f]\{12\}/SHORT/"
