# SIGHUP while the second reference, which is slow, is being timed.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p other/level1
cp "$suite/level1/2_Largest.c" other/level1/1_Largest.c
sed 's/20 \* 1000/200 * 1000/' "$fixture/slow/suite/level1/1_Slow.c" \
	>other/level1/2_Slow.c
set -- kb-baseline other $quick --events events

"$@" >said 2>talk &
until grep -q '"done":1.*"event":"reference"' events 2>/dev/null
do
	sleep 0.01
done
kill -HUP $!
wait $!
echo "status $?"
cat said
steady talk

echo 'and again'
tell "$@" 2>&1 || exit
statuses $id
ls -A archives | grep journal
sed -n 's/.*"done":\([0-9]*\).*"status":"\([a-z_]*\)".*/\1 \2/p' events
