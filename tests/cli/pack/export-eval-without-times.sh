# A CPU has no clock of its own.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
mv archives/$evaluation e.bag
kb-pack export kernelbench-eval e.bag --clock device -o out
status=$?
test ! -e out || echo out
exit $status
