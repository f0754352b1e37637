# An audit that finds no problem sound is an answer as well.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags '{"sound": false, "device": "cpu", "tool_commit": null,
	"findings": [{"finding": "zeros_pass", "evidence": "all of them"}]}' ||
	exit
kb-score $evaluation $baseline >said
grep '^sound' said
sed -n '1,/^pass/p' said
kb-verify -v $(tail -n 1 said) | grep ": score: " | sed 's/[0-9a-f]\{64\}/the id/g'
