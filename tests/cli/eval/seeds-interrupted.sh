# SIGUSR1 while a candidate is under its second seed, where it is slow: nothing
# is recorded of the problem before all its seeds are done.
. "$KB_SRC/tests/cli/eval/fixture/lib"
set -- kb-eval "$fixture/seeds/suite" \
	"$fixture/seeds/sleepy" $quick --problems 1/1 \
	--seeds 42,123

"$@" >said 2>talk &
until test "$(cat archives/.journal-* 2>/dev/null | wc -l)" = 2
do
	sleep 0.01
done
sleep 1
kill -USR1 $!
wait $!
echo "status $?"
cat said
steady talk
echo "$(grep -c . archives/.journal-*) lines: which run it is, and where"

echo 'and again'
tell "$@" 2>&1 || exit
ls -A archives | grep journal
sed -n 's/.*"sample_id":\([0-9]*\),"seeds":\([^]]*]\).*"status":"\([a-z_]*\)".*/\1 \3 \2/p' \
	"archives/$id/data/results.jsonl"
