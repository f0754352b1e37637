. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
kb-pack export csv $score | sed "s/$(echo $score | cut -c 1-16)[0-9a-f]*/the score/"
