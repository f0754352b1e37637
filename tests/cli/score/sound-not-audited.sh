# A suite without an audit does not tell which problems are sound.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags '' || exit
kb-score $evaluation $baseline >said
grep '^sound' said
head -n 2 said
kb-verify -v $(tail -n 1 said) | grep ": score: " | sed 's/[0-9a-f]\{64\}/the id/g'
