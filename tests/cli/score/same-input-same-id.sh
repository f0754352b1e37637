. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb-score -e $evaluation -b $baseline | tail -n 1 >one
kb-score -b archives/$baseline -e archives/$evaluation -o other --json |
tail -n 1 >two
cmp one two
