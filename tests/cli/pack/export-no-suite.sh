. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
mv archives/$baseline b.bag && mv archives/$suite away
kb-pack export kernelbench-baseline b.bag -o out 2>why
status=$?
sed "s/$suite/the id/" why
test ! -e out || echo out
exit $status
