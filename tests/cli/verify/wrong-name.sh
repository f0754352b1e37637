. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
mv archives/$id archives/0000000000000000000000000000000000000000000000000000000000000000
kb-verify --store archives 00000000
