. "$KB_SRC/tests/cli/eval/fixture/lib"
make_sleepy
set -- kb-eval "$suite" "$submission" $quick \
	--problems 1/1

"$@" --events events >/dev/null 2>&1 &
until test -s events
do
	sleep 0.01
done
tell "$@"
status=$?
kill $!
wait $!
exit $status
