. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
mv archives/$baseline b.bag && chmod -R u+w b.bag
printf x | dd of=b.bag/data/results.jsonl conv=notrunc status=none
kb-pack export kernelbench-baseline b.bag -o out
status=$?
test ! -e out || echo out
exit $status
