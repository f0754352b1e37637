. "$KB_SRC/tests/cli/eval/fixture/lib"
for shard in 0/2 3/2 2 2/ /2 1/2/3 -1/2 1/10001 99999999999999999999/2 ''
do kb-eval "$suite" "$submission" --shard "$shard" || status=$?
done
exit $status
