# What is sound is the suite's to say, and some have no part of it to judge.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
refused() {
	kb-score $evaluation $baseline --problems "$@"
	echo "exit status $?" >&2
}
zeros='{"sound": false, "device": "cpu", "tool_commit": null,
	"findings": [{"finding": "zeros_pass", "evidence": "all of them"}]}'
make_audited_bags '{"sound": true, "device": "cpu", "tool_commit": null,
	"findings": []}' || exit
refused sound -p leaderboard
refused unsound
refused ''
rm -r archives problems
make_audited_bags "$zeros" && refused sound
rm -r archives problems
make_audited_bags '' && refused sound
rm -r archives/$suite
refused sound
ls archives | wc -l
