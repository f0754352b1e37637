# What shards have not done, or have done of another run, is said, and refused
# with --merge-only, until all of it is there.
. "$KB_SRC/tests/cli/eval/fixture/lib"
set -- kb-eval "$suite" "$submission" $quick

# merge: and what it says, without the names of journals.
merge() {
	tell "$@" --merge-only 2>&1 | sed 's/journal-the id/journal/'
	ls archives | wc -l
}

for shard in 1/3 3/3
do tell "$@" --shard $shard 2>/dev/null || exit
done
merge "$@"

echo 'of another run'
tell "$@" --shard 2/3 --timeout 61 2>/dev/null || exit
merge "$@"
rm "$(grep -l '"run_timeout_ns":61' archives/.journal-*)"

echo 'cut off'
tell "$@" --shard 2/3 2>/dev/null || exit
cp archives/.journal-*-1-of-3 whole
sed '$d' whole >cut
cp cut archives/.journal-*-1-of-3
rm archives/.journal-????????????????????????????????????????????????????????????????
merge "$@"
cp whole archives/.journal-*-1-of-3

echo 'all of it'
rm archives/.journal-????????????????????????????????????????????????????????????????
tell "$@" --merge-only 2>&1 || exit
statuses "$id"
ls -A archives | grep -c journal
grep -c merge "archives/$id/data/manifest.json"
tell "$@" --merge-only --shard 1/2 2>&1
echo "status $?"

echo 'beside shards of another run'
for shard in 1/2 2/2
do tell "$@" --shard $shard 2>/dev/null || exit
done
tell "$@" --shard 1/2 --timeout 61 2>/dev/null || exit
tell "$@" --merge-only 2>&1 || exit
ls -A archives | grep -c journal
