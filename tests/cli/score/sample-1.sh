. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb-score $evaluation $baseline --sample-id 1 -c | sed '$d'
