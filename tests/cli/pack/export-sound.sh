# What sound problems come to has a row or a column beside all, as far as it is
# known; KernelBench's own files know no such thing.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags '{"sound": true, "device": "cpu", "tool_commit": null,
	"findings": []}' || exit
score=$(kb-score $evaluation $baseline | tail -n 1)
other=$(kb-score $evaluation $baseline --sample-id 1 | tail -n 1)
kb-pack export csv $score | cut -d , -f 1-13
kb-pack export markdown $score | sed '/^-/d'
kb-pack export latex $score | sed -n '/begin{tabular}/,/end{tabular}/p'
kb-pack export json $score | grep -o '"level": *"[a-z0-9]*"'
kb-pack export markdown $score $other | sed '/^-/d'

echo 'One of two was made without the suite:'
mv archives/$suite .
other=$(kb-score $evaluation $baseline --sample-id 1 | tail -n 1)
mv $suite archives
kb-pack export markdown $score $other | sed '/^-/d'
kb-pack export latex $score $other | grep -c '^sound'

score=$(kb-score $evaluation $baseline -p kernelbench --problems sound |
	tail -n 1)
kb-pack export markdown $score | grep '^| overall\|^- sound'
kb-pack export kernelbench-analysis $score 2>said
status=$?
sed "s/$score/the score/" said >&2
exit $status
