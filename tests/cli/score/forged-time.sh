. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags baseline-forged-time
kb-score $evaluation $baseline
