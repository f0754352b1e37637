# Shards that are taken together have the environment of the first of them,
# whatever the machine is that takes them, or its load: the same bundle each
# time.
. "$KB_SRC/tests/cli/eval/fixture/lib"
set -- kb-eval "$suite" "$submission" $quick
for shard in 1/2 2/2
do tell "$@" --shard $shard 2>/dev/null || exit
done

# Its second line, with another load, and the first digits of its SHA-256.
journal=$(ls -d archives/.journal-*-1-of-2)
line=$(sed -n '2s/^.\{17\}//p' "$journal" |
	sed 's/\("load_average_1min_milli":\)[0-9]*/\1123456789/')
{
	sed -n 1p "$journal"
	printf '%.16s %s\n' "$(printf '%s' "$line" | sha256sum)" "$line"
	sed 1,2d "$journal"
} >other
cp other "$journal"

cp -R archives copy
tell "$@" --merge-only 2>/dev/null || exit
first=$id
grep -o '"load_average_1min_milli":[0-9]*' "archives/$id/data/manifest.json"
tell "$@" --merge-only --store copy 2>/dev/null
test "$id" = "$first" && echo the same
