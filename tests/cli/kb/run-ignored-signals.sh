# What a parent ignores: SIGHUP, by nohup, and SIGINT, by `command &` in a
# script, end nothing; SIGCHLD leaves the stages to be waited for.
. "$KB_SRC/tests/cli/eval/fixture/lib"
trap '' HUP INT
env --ignore-signal=CHLD \
	kb run "$submission" --suite "$suite" --problems 1/1 -- $quick \
	>said 2>talk &
pid=$!
# From the first moment on; the shell hears of the end by wait alone.
while kill -HUP $pid 2>/dev/null && kill -INT $pid 2>/dev/null
do
	for child in $(ps -o pid= --ppid $pid)
	do kill -HUP $child; kill -INT $child
	done 2>/dev/null
	sleep 0.05
done
wait $pid
echo "status $?"
tail -n 1 said | sed -E 's/^[0-9a-f]{64}$/ID/'
