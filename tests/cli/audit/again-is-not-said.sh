. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag audit
mv "archives/$id" a.bag
kb-audit a.bag
