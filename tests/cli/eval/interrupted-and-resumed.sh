# SIGTERM while the second candidate, which is slow, is being run.
. "$KB_SRC/tests/cli/eval/fixture/lib"
make_sleepy
set -- kb-eval "$suite" "$submission" $quick \
	--problems 1/1 --events events

"$@" >said 2>talk &
until grep -q '"done":1' events 2>/dev/null
do
	sleep 0.01
done
kill -TERM $!
wait $!
echo "status $?"
cat said
steady talk
ls -A archives | sed -n 's/^\.journal-[0-9a-f]\{64\}$/one journal/p'

echo 'and again'
tell "$@" 2>&1 || exit
statuses $id
ls -A archives | grep journal
sed -n 's/.*"done":\([0-9]*\).*"status":"\([a-z_]*\)".*/\1 \2/p' events
