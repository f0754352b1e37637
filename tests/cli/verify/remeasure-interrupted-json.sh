# The same with --json: one line with what was measured, and no verdict.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
make_four
quick='--trials 40 --threads 1'
evaluate --problems 1/1
kb-verify --json --remeasure $id >line 2>events &
until grep -q '^\[1/' events 2>/dev/null
do
	sleep 0.01
done
kill -TERM $!
wait $!
echo "status $?"
wc -l <line
grep -o '"correct_count":4\|"verdict":null},"verdict":null}$' line
grep -o '"answer":"' line | wc -l | sed 's/^[123]$/not all/'
sed -E -e '/^\[/d' -e 's/[0-9a-f]{64}/the id/g' events >&2
