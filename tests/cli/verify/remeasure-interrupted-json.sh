# One line with what was measured, and no verdict.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
interrupt --json
wc -l <said
grep -o '"correct_count":4\|"verdict":null},"verdict":null}$' said
grep -o '"answer":"' said | wc -l | sed 's/^[123]$/not all/'
