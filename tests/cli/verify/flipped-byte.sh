. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
mv archives/$id e.bag
printf x | dd of=e.bag/data/results.jsonl conv=notrunc status=none
kb-verify e.bag
