. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
mv archives/$id e.bag
kb-verify -v e.bag
