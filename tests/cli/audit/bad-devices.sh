. "$KB_SRC/tests/cli/eval/fixture/lib"
for devices in cuda:0,cuda:0 cuda:0,cpu
do kb-audit "$suite" --device $devices || status=$?
done
exit $status
