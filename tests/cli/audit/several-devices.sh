. "$KB_SRC/tests/cli/eval/fixture/lib"
for devices in cuda:all cuda:0,cuda:1
do kb-audit "$suite" --device $devices || status=$?
done
exit $status
