# One line for each, also of one that is not in order; notes are there, too.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_cuda_bags
mv archives/$baseline b.bag
cp -R archives/$evaluation e.bag
printf x | dd of=e.bag/data/results.jsonl conv=notrunc status=none
kb-verify --json b.bag e.bag
