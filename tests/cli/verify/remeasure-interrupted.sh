# SIGTERM when the first of four candidates has been measured: the table has what
# was, and there is no answer to the whole.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
make_four
quick='--trials 40 --threads 1'
evaluate --problems 1/1
kb-verify --remeasure $id >table 2>events &
until grep -q '^\[1/' events 2>/dev/null
do
	sleep 0.01
done
kill -TERM $!
wait $!
echo "status $?"
sed -E -e '/^ok  /d' -e 's/^([1-9]\/[0-9]+ +[0-9]) .*/a candidate/' table |
	tr -s ' ' | uniq
sed -E -e '/^\[/d' -e 's/[0-9a-f]{64}/the id/g' events >&2
grep -c '^\[' events | sed 's/^[123]$/not all/' >&2
