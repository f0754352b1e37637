. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags baseline-other-suite
kb-score $evaluation $baseline
