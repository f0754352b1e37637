. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
mv archives/$evaluation e.bag
sed -i '1s/"time_ns":50000/"time_ns":40000/' e.bag/data/results.jsonl
(cd e.bag && sha256sum data/* >manifest-sha256.txt)
kb-pack export kernelbench-eval e.bag -o out
status=$?
test ! -e out || echo out
exit $status
