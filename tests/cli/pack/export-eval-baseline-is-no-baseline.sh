. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
mv archives/$evaluation e.bag
kb-pack export kernelbench-eval e.bag --baseline e.bag -o out
