# What was done under other conditions is not taken over.
. "$KB_SRC/tests/cli/eval/fixture/lib"
set -- kb-eval "$suite" "$submission" $quick \
	--problems 1/1

"$@" --events events >/dev/null 2>&1 &
until test -s events
do
	sleep 0.01
done
kill $!
wait $!
tell "$@" --seeds 43
