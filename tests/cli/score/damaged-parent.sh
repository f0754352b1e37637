. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
mv archives/$evaluation e.bag
printf x | dd of=e.bag/data/results.jsonl conv=notrunc status=none
kb-score e.bag $baseline
