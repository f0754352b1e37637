. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb-report compare $evaluation $baseline
