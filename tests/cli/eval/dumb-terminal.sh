# A terminal that cannot erase a line gets lines, as a pipe does.
. "$KB_SRC/tests/cli/eval/fixture/lib"
on_terminal() {	# COMMAND: the escape characters, and the lines of candidates
	script -qec "$*" /dev/null </dev/null >talk
	tr -cd '\033' <talk | wc -c
	grep -c '^\[' talk
}
run="kb-eval '$suite' '$submission' $quick --problems 1/2,2/1 2>&1 >/dev/null"
on_terminal "TERM=dumb $run --store dumb"
on_terminal "unset TERM; $run --store unset"
on_terminal "TERM=xterm $run --store xterm" | sed 's/^[1-9][0-9]*$/some/'
