. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
make_bag baseline-other-suite
mv archives/$evaluation e.bag && mv archives/$id b.bag
kb-pack export kernelbench-eval e.bag --baseline b.bag -o out
