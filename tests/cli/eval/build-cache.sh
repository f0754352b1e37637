# What builds have made is kept in the store, unless it is not to be; what was not
# used for longest goes first.
. "$KB_SRC/tests/cli/eval/fixture/lib"
set -- kb-eval "$suite" "$submission" $quick --problems 1/1

# How many there are, and how many of those that were used since this made them
# old.
make_old() { touch -d @0 archives/.builds/*; }
kept() {
	ls archives/.builds 2>/dev/null | wc -l
	find archives -path '*/.builds/*' -newermt @1 | wc -l
}

echo 'with --no-build-cache'
tell "$@" --no-build-cache 2>/dev/null || exit
kept
echo 'without'
tell "$@" 2>/dev/null || exit
kept
echo 'used again, or not'
make_old
tell "$@" --no-build-cache 2>/dev/null || exit
kept
tell "$@" 2>/dev/null || exit
kept
echo 'with 2 MiB that were used before these, and 1 MiB of room'
large=archives/.builds/$(printf '%064d' 0)
head -c 2097152 /dev/zero >"$large"
make_old
touch -d @-1 "$large"
tell "$@" --build-cache-mib 1 2>/dev/null || exit
kept
