# The reader of events goes away: said once, and the run goes on.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkfifo events
head -n 1 events >first &
kb-eval "$suite" "$submission" $quick --problems 1/1,2/1 --events events \
	>said 2>talk || exit
wait
grep -c '"event":' first
grep warning talk
