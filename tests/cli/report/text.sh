. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
kb-report --text $score | sed "s/[0-9a-f]\{12,64\}/ID/"
