. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
mv archives/$evaluation e.bag
kb-score archives/$baseline e.bag
