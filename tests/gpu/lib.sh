# What tests/gpu/run and tests/gpu/bench share; read by both with ".". They
# set `bin` and `steps`. Steps print TAP without numbers, and say everything
# else behind a "#".

# shellcheck shell=sh
gpu=$src/tests/gpu
device=${KB_GPU_DEVICE:-cuda:0}
KB_PYTHON=$("$src/tools/find-python")
export KB_PYTHON

# Where bundles are kept, and what is thrown away.
dir=$(mktemp -d) || exit 4
chmod 755 "$dir"
store=${KB_GPU_STORE:-$dir/store}
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT

results() {
	python3 "$gpu/results.py" "$@"
}

# report COMMAND...: the same, for TAP; a failure of its own is one of ours.
report() {
	results "$@" 2>"$dir/err" && return 0
	sed 's/^/# /' "$dir/err"
	echo "not ok - results.py $1 ends with status 0"
}

# say TEXT: behind a "#".
say() {
	echo "# $*"
}

# number: TAP on standard input gets its numbers and its plan. Each line goes
# on at once: a step may be killed, and some awks read ahead.
number() {
	n=0 bad=0
	while IFS= read -r line
	do
		case $line in
		"ok "*) word=ok line=${line#ok } ;;
		"not ok "*) word="not ok" line=${line#not ok } bad=1 ;;
		1..[0-9]*) continue ;;
		*)
			printf '%s\n' "$line"
			continue ;;
		esac
		n=$((n + 1))
		line=${line#"${line%%[!0-9]*}"}
		line=${line# }
		printf '%s %d - %s\n' "$word" "$n" "${line#- }"
	done
	echo "1..$n"
	return $bad
}

# run_steps ALL [STEP]...: those that are named, else all.
run_steps() {
	all=$1
	shift
	test $# -gt 0 || set -- $all
	for step in "$@"
	do
		case " $all " in
		*" $step "*) ;;
		*)
			echo "not ok - there is no step '$step', but: $all"
			continue ;;
		esac
		start=$(date +%s)
		say "--- $step"
		"step_$step"
		say "--- $step took $(($(date +%s) - start)) s"
	done
}

# made COMMAND...: the id that it prints last, in the variable `id`. If it
# fails, says so and why.
made() {
	id=
	if "$@" >"$dir/out" 2>"$dir/err"
	then
		id=$(tail -n 1 "$dir/out")
		say "$id"
		return 0
	fi
	tail -n 30 "$dir/err" | sed 's/^/# /'
	echo "not ok - ${1##*/} ends with status 0"
	return 1
}

# evaluate SUITE SUBMISSION KEYS [OPTION]...
evaluate() {
	suite=$1 submission=$2 problems=$3
	shift 3
	# shellcheck disable=SC2086 # options are words
	made "$bin/kb-eval" --device "$device" "$suite" \
		"$submission" --problems "$problems" \
		--store "$store" --build-timeout 300 \
		--timeout "${timeout:-20}" "$@" ${KB_GPU_OPTIONS:-}
}

# baseline SUITE [OPTION]...
baseline() {
	suite=$1
	shift
	# shellcheck disable=SC2086 # options are words
	made "$bin/kb-baseline" --device "$device" "$suite" \
		--store "$store" "$@" ${KB_GPU_OPTIONS:-}
}

# assemble SET SUITE KEYS DIR [PROBLEMS]: put a submission together from the
# table submissions/SET/expected, with KEYS "some" for the first keys of each
# row, with "all" for all of them. A file "reference" is the problem itself, from
# the folder PROBLEMS. Prints the keys as a list.
assemble() {
	from=$gpu/submissions/$1 want=$2 which=$3 to=$4 problems=${5:-}
	rm -rf "$to"
	mkdir -p "$to"
	while read -r suite sample file _ _ keys more
	do
		test "$suite" = "$want" || continue
		test "$which" = all || more=-
		for key in $(echo "$keys,$more" | tr ',' ' ')
		do
			is_wanted "$key" || continue
			take "$key" "$sample" "$file"
			echo "$key"
		done
	done <"$from/expected" | sort -u | paste -sd, -
}

# is_wanted KEY: one of KB_GPU_KEYS, if that is set.
is_wanted() {
	test "$1" != - || return
	case ",${KB_GPU_KEYS:-$1}," in
	*",$1,"*) ;;
	*) return 1 ;;
	esac
}

# define NAME=VALUE,... EXTENSION: the lines that do so.
define() {
	echo "$1" | tr ',' '\n' | while IFS== read -r name value
	do
		case $2 in
		py) echo "$name = $value" ;;
		*) echo "#define $name $value" ;;
		esac
	done
}

# take KEY SAMPLE FILE[@NAME=VALUE,...]: one candidate, of assemble(). A line
# that takes in what attacks share is replaced by it.
take() {
	stem=$to/level_${1%/*}_problem_${1#*/}_sample_${2}_kernel
	if test "$3" = reference
	then
		set -- "$problems/level${1%/*}/${1#*/}"_*
		sed 's/\bModel\b/ModelNew/g' "$1" >"$stem.${1##*.}"
		return
	fi
	file_name=${3%%@*}
	{
		test "$file_name" = "$3" || define "${3#*@}" "${file_name##*.}"
		sed -e "/^#include \"attack.h\"\$/{
r $from/attack.h
d
}
/^from attack import \*\$/{
r $from/attack.py
d
}" "$from/$file_name"
	} >"$stem.${file_name##*.}"
}

# judge SET SUITE KEYS: assemble, evaluate, and hold against the table.
judge() {
	judge_by "$gpu/suites/$2" "$@"
}

# judge_by FOLDER SET SUITE KEYS: the same with the suite in that folder.
judge_by() {
	keys=$(assemble "$2" "$3" "$4" "$dir/submission")
	test -n "$keys" || return 0
	evaluate "$1" "$dir/submission" "$keys" &&
		report verdicts "$gpu/submissions/$2/expected" "$3" \
			"$store/$id"
}

# attack KEYS: every suite that attacks are for.
attack() {
	for suite in ${KB_GPU_SUITES:-clock attacks small}
	do judge adversarial "$suite" "$1"
	done
}

# agree LIMIT_PPM KEYS: the suite `clock`, timed by kb and by CUDA events,
# beside it and in a process of its own.
agree() {
	keys=$(assemble agreement clock "$2" "$dir/submission")
	evaluate "$gpu/suites/clock" "$dir/submission" "$keys" || return
	if build_events
	then
		time_alone "$store/$id" >"$dir/alone"
		report agreement "$store/$id" "$1" "$dir/alone"
	else
		report agreement "$store/$id" "$1"
	fi
}

# The program that times alone, once; not without nvcc.
build_events() {
	test ! -x "$dir/events" || return 0
	nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
	if ! test -x "$nvcc"
	then
		say "no nvcc: no events in a process of their own"
		return 1
	fi
	"$nvcc" -arch=native -O3 -std=c++17 -o "$dir/events" "$gpu/events.cu" \
		>"$dir/out" 2>&1 && return 0
	sed 's/^/# /' "$dir/out"
	echo "not ok - tests/gpu/events.cu is compiled"
	return 1
}

# time_alone BUNDLE: with the batches that the bundle has; a problem is
# called after how many elements it has.
time_alone() {
	results batches "$1" |
	while read -r key small large
	do
		set -- "$gpu/suites/clock/level${key%/*}/${key#*/}"_*
		elements=${1##*_}
		if "$dir/events" "${elements%.cu}" "$small" "$large" 31 \
			>"$dir/ns" 2>&1
		then echo "$key $(cut -d' ' -f1 "$dir/ns")"
		else say "$key: $(cat "$dir/ns")" >&2
		fi
	done
}

# A list of the problems of a suite folder, or of one level: "1/1,1/2".
keys_of() {
	for file in "$1"/level${2:-*}/[0-9]*_*
	do
		level=${file%/*}
		number=${file##*/}
		echo "${level##*level}/${number%%_*}"
	done | paste -sd, -
}

# break_things KEYS: with candidates that do. What is on the device must be gone
# a while after the last of them.
break_things() {
	before=$(results census "${device#cuda:}")
	timeout=5
	judge faults clock "$1"
	timeout=
	check_left
}

# hog_memory KEYS: with candidates that take all of it. The run goes on, and all of
# it is there again a while after the last of them.
hog_memory() {
	before=$(results census "${device#cuda:}")
	judge memory attacks "$1"
	check_left
}

# grow_pools KEYS: problems and candidates of which a call does not fit the pool
# that is asked for. Of 1/2 the reference's does not.
grow_pools() {
	small="--output-pool-mib 64"
	# shellcheck disable=SC2086 # they are words
	baseline "$gpu/suites/pools" $small && report timed "$store/$id" &&
		report pools "$store/$id" 64 1/2
	keys=$(assemble pools pools "$1" "$dir/submission")
	# shellcheck disable=SC2086
	evaluate "$gpu/suites/pools" "$dir/submission" "$keys" $small &&
		report verdicts "$gpu/submissions/pools/expected" pools \
			"$store/$id" &&
		report pools "$store/$id" 64 1/1:1 1/1:2 1/2:0 1/2:1 \
			1/2:0:reference 1/2:1:reference
}

# What is on the device now is what was there `before`, or will be soon.
check_left() {
	if test "$before" = unknown
	then
		echo "ok - nothing is left on the device # SKIP no NVML"
		return
	fi
	tries=0 verdict="not ok"
	while test "$verdict" != ok && test $tries -lt 10
	do
		after=$(results census "${device#cuda:}")
		if is_back "$before" "$after"
		then verdict=ok
		else sleep 1
		fi
		tries=$((tries + 1))
	done
	say "processes, MiB in use: before $before, after $after"
	echo "$verdict - nothing is left on the device"
}

# is_back BEFORE AFTER: no more processes, nor more than 64 MiB more in use.
is_back() {
	echo "$1 $2" | awk '{ exit !($3 <= $1 && $4 <= $2 + 64) }'
}

# check_self FOLDER PROBLEMS: a suite against itself.
check_self() {
	# shellcheck disable=SC2086 # options are words
	"$gpu/self-gpu" "$bin" "$1" "$store" "$2" ${KB_GPU_OPTIONS:-}
}
