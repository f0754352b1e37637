. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag audit && mv archives/$id audit.bag
kb-report audit.bag
