# place.sh: what is in force wherever kb can be run on a machine with control
# groups of version 2, against SECURITY.md's table, which has the same rows; and
# whether three candidates that take twice their memory there end as they have to
# where that is in force.
# shellcheck shell=sh disable=SC2086,SC2154 # lists of words; inside sets them

spaces="pid_namespace net_namespace ipc_namespace"
files="own_root private_proc read_only_files private_shm private_tmp"
groups="cgroup_memory cgroup_pids"
features="$spaces $files landlock other_user syscall_filter $groups"

# place NAME NOT-IN-FORCE COMMAND...: all that is not named is in force.
place() {
	name=$1 lacking=$2 has=
	shift 2
	for feature in $features
	do
		case " $lacking " in
		*" $feature "*) ;;
		*) has="$has $feature" ;;
		esac
	done
	row "$name" "$has" "$lacking" "$@"
	"$@" $PWD/tests/attacks/cpu/check "$B/bin" balloon >"$dir/out" 2>&1
	result $? "$name: candidates that take twice their memory"
	"$@" "$B/tests/unit/u-cgroups" >"$dir/out" 2>&1
	result $? "$name: u-cgroups, $(grep -c '^ok.*# SKIP' "$dir/out") skipped"
}
