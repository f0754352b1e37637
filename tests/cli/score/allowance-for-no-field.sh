. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb-score $evaluation $baseline --allow-mismatch cpu_modle
