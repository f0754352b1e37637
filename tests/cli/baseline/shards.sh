# Two problems in two shards; then the bundle, without doing anything again.
. "$KB_SRC/tests/cli/eval/fixture/lib"
set -- kb-baseline "$suite" $quick --levels 1
for shard in 2/2 1/2
do
	tell "$@" --shard $shard 2>&1 || exit
	cat said
	ls -A archives | grep journal | sed 's/[0-9a-f]\{64\}/identity/'
done
tell "$@" --events events 2>&1 || exit
statuses "$id"
ls -A archives | grep journal | wc -l
test ! -s events && echo 'nothing was done again'
