# Other people's definitions know no such thing.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags '{"sound": true, "device": "cpu", "tool_commit": null,
	"findings": []}' || exit
for preset in kernelbench leaderboard v3
do
	kb-score $evaluation $baseline -p $preset --json | grep -c '"sound"' || :
done
