. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
mv archives/$evaluation e.bag && mv archives/$submission away
kb-pack export kernelbench-eval e.bag -o out 2>why
status=$?
sed "s/$submission/the id/" why
test ! -e out || echo out
exit $status
