# Nodes of one kind differ by a MiB of memory. What nobody asked for makes no
# other run: a shard with a limit of its own does, one without does not.
. "$KB_SRC/tests/cli/eval/fixture/lib"
set -- kb-eval "$suite" "$submission" $quick
tell "$@" --shard 1/2 2>/dev/null || exit

# What makes it this run is the first line of its journal.
sed 1q archives/.journal-*-1-of-2 | grep -o '"[a-z_]*_bytes[a-z_]*"'
tell "$@" --shard 2/2 --memory-mib 3000 2>/dev/null || exit
tell "$@" --merge-only 2>&1 | sed 's/journal-the id/journal/'
sed 1q archives/.journal-*-2-of-2 | grep -o '"memory_bytes":[0-9]*'
