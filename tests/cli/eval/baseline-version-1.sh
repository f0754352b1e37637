. "$KB_SRC/tests/cli/eval/fixture/lib"
baseline=$(kb-baseline "$suite" $quick --problems 1/1 2>/dev/null |
	tail -n 1)
forge $baseline b.bag 's/"schema_version":2/"schema_version":1/'
tell kb-eval "$suite" "$submission" $quick --baseline b.bag
status=$?
ls -A archives | grep journal
exit $status
