. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
mv archives/$submission gone
kb-pack export kernelbench-runs $evaluation -o kb --run-name ours
status=$?
test ! -e kb || echo kb
exit $status
