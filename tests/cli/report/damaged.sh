. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline && mv archives/$id b.bag
printf x | dd of=b.bag/data/results.jsonl conv=notrunc status=none
kb-report b.bag
