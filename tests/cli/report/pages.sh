# One page for the score and one for each problem; the same bytes every time.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
kb-report $score &&
kb-report --output again $score &&
diff -r report again &&
ls report | sed "s/$(echo $score | cut -c -12)/SHORT/"
