# lib.sh: what scripts of this folder share, which read it with a build as $1: $dir for
# the stand-in for a GPU, a store, kb's programs on it, and questions about the bundles
# that they made. A script ends with over().
# shellcheck shell=sh disable=SC2034,SC2154 # that the script sets and reads
cd "$(dirname "$0")/../.." || exit 4
. tests/lib/result.sh
B=$(cd "$1" && pwd) || exit 4
src=$PWD/tests/fake-cuda fake=$B/tests/fake-cuda
python=$(tools/find-python jsonschema)
dir=$(mktemp -d) || exit 4
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
# Where workers, who are another user, can read it.
chmod 755 "$dir"
cp "$fake/lib/libcuda.so.1" "$src/nvcc" "$src/gpu.h" "$src/more.h" \
	"$src/test_kernels.h" "$dir"
store=$dir/store out=$dir/out device=cuda:0

on_gpu() {
	"$fake/device" "$dir" "$@"
}

# run PROGRAM [OPTION...]: kb-eval with the words of $of_eval, too. Alternate inputs
# take half of a run's time, and are tried in check.
of_eval="--alternate-trials 0"
run() {
	program=$1
	shift
	# shellcheck disable=SC2086 # options are words
	test "$program" != kb-eval || set -- "$@" $of_eval
	on_gpu "$fake/bin/$program" --device "$device" --nvcc "$dir/nvcc" \
		"${suite:-$src/suite}" --store "$store" --threads 1 --trials "${trials:-2}" \
		--trials-max "${trials:-2}" --timeout 10 --build-timeout "${build_s:-60}" "$@" \
		>"$dir/said" 2>"$dir/out"
}

# The lines of results of the bundle that was named last.
lines() {
	cat "$store/$(tail -n 1 "$dir/said")/data/results.jsonl" 2>"$dir/out"
}

# Of the results of the bundle that was named last.
statuses() {
	tools/statuses "$store/$(tail -n 1 "$dir/said")"
}

# judged EXPECTED: has each line of results the status that it is to have?
judged() {
	statuses 2>&1 | diff "$1" - >"$dir/out"
}

# members TIMING MEMBER...: of each line's timing of that name, by the device if
# its name says so: the sample, and of each member its value or how many it has.
members() {
	lines | "$python" -c '
import json, sys
for line in map(json.loads, sys.stdin):
    t = line.get(sys.argv[1])
    if t and "telemetry" in t:
        t = t["timing"]
    if t:
        values = [t[m] for m in sys.argv[2:]]
        print(line.get("sample_id", "-"), *[len(v) if type(v) is list else v
                                            for v in values])' "$@"
}

# same LINES: are these what `members` said?
same() {
	echo "$1" | diff - "$dir/members" >"$dir/out"
}

# check_bundles: do all bundles of the store hold?
check_bundles() {
	set -- "$store"/????????????????????????????????????????????????????????????????
	"$python" tests/schema-check "$@" >"$dir/out" 2>&1
	result $? "records of all $# bundles fit their schemas"
	"$python" tests/check-members "$@" >"$dir/out" 2>&1
	result $? "and have no members but those of the table"
	for bundle
	do
		"$B/bin/kb-verify" --store "$store" "$bundle" >"$dir/out" 2>&1
		result $? "kb-verify says yes to ${bundle##*/}"
	done
}

if on_gpu "$fake/selftest-processes" 2>&1 | grep -q '# SKIP'
then
	echo "1..0 # SKIP no process may look into another here"
	exit 0
fi
