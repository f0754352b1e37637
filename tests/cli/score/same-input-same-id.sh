. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb-score $evaluation $baseline | tail -n 1 >one
kb-score archives/$evaluation archives/$baseline --store other --json |
tail -n 1 >two
cmp one two
