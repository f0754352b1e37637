# The table has what was measured, and there is no answer to the whole.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
interrupt
sed -E -e '/^ok  /d' -e 's/^([1-9]\/[0-9]+ +[0-9]) .*/a candidate/' said |
	tr -s ' ' | uniq
grep -c '^\[' events | sed 's/^[123]$/not all/' >&2
