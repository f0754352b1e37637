# From loose files to a verified score, and once more with what is there.
. "$KB_SRC/tests/cli/eval/fixture/lib"
run() {
	kb run "$@" -- $quick >said 2>talk
	status=$?
	sed -E -e "s,$KB_SRC,SRC," -e "s,'(SRC[^']*)',\\1," -e 's/\b[0-9a-f]{12}\b/ID/g' talk | steady |
		sed 's/, [0-9.]*x the .*//'
	sed -nE '/^ok  |^no  /{s/  .*//;p;}; /^[a-z]+ [0-9a-f]{64}/{s/[0-9a-f]{64}/ID/;p;}' said
	tail -n 1 said | sed -E 's/^[0-9a-f]{64}$/ID/'
	echo "status $status"
}
run "$submission" --suite "$suite" --problems 1/1 --name mine
test "$(tail -n 1 said)" = "$(kb name | sed -n 's/ mine$//p')" && echo named
run @last:submission --suite @last:suite --problems 1/1
# More problems than the baseline has: another one is made.
run @last:submission --suite @last:suite --problems 1/1,1/2 | grep baseline
# One that is named is taken, or refused before anything is measured.
run @last:submission --suite @last:suite --problems 1/1 --baseline @last:baseline |
	grep baseline
run @last:submission --suite @last:suite --problems 1/1 --baseline @last:suite
