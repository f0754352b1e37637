. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
mv archives/$id e.bag
rm e.bag/data/results.jsonl
kb-verify e.bag
