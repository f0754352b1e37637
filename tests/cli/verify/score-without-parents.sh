. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
mv archives/$score score.bag
kb-verify --store nowhere score.bag >out
status=$?
sed '1s/[0-9a-f]\{64\}/the id/' out
exit $status
