. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
mv archives/$evaluation e.bag
kb-pack export kernelbench-eval e.bag --baseline nosuch -o out
status=$?
test ! -e out || echo out
exit $status
