. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
kb-report figure roofline $id
