. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_cuda_bags
score=$(kb-score $evaluation $baseline --clock device | tail -n 1)
mv archives/$score score.bag
kb-verify -v score.bag >out
status=$?
sed '1,2s/[0-9a-f]\{64\}/the id/' out
exit $status
