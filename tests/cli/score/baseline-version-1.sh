# Its times are of another kind: nothing is divided by them.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags baseline-v1
kb-score $evaluation $baseline
