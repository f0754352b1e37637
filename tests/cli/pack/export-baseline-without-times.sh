. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
mv archives/$baseline b.bag
kb-pack export kernelbench-baseline b.bag --clock device -o out
status=$?
test ! -e out || echo out
exit $status
