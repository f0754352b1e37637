# result.sh: what scripts read that print TAP: result() for each test, over() at the end.
# `out` names the file with what a test printed.
# shellcheck shell=sh disable=SC2154 # that the script sets
n=0 bad=0

result() {	# STATUS NAME
	n=$((n + 1))
	if test "$1" = 0
	then echo "ok $n - $2"
	else
		sed 's/^/# /' "$out"
		echo "not ok $n - $2"
		bad=1
	fi
}

over() {
	echo "1..$n"
	exit $bad
}
