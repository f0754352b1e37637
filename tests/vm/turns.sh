# turns.sh: the twenty attacks on resources one after the other, an honest
# candidate after each, and the three on memory: as root, and as a user with
# control groups and without; then whether anything of them is there that was not
# before.
# shellcheck shell=sh disable=SC2086,SC2154 # lists of words; inside sets them

# What somebody who may do little could leave, but for systemd's own processes.
traces() {
	find /tmp /var/tmp /dev/shm /dev/mqueue -mindepth 1 ! -path "$dir*" \
		! -name 'systemd-private-*' 2>/dev/null
	find /sys/fs/cgroup -type d \( -name 'kb-run-*' -o -name kb-self \)
	pgrep -a -u nobody,user | grep -v -e systemd -e '(sd-pam)' -e dbus-daemon
	cat /proc/mounts
	tail -n +2 -q /proc/sysvipc/msg /proc/sysvipc/sem /proc/sysvipc/shm
}

# attacks NAME GROUP COMMAND...: a group of tests/attacks/cpu/table.
attacks() {
	name=$1 group=$2
	shift 2
	traces | sort >"$dir/before"
	begun_s=$(date +%s)
	"$@" tests/attacks/cpu/check "$B/bin" "$group" >"$dir/out" 2>&1
	status=$?
	grep '^# |' "$dir/out"
	result $status "$name: $group, $(($(date +%s) - begun_s)) seconds"
	# What is killed is gone when the kernel has had time.
	for _ in 1 2 3 4 5 6 7 8 9 10
	do
		traces | sort | diff "$dir/before" - >"$dir/out" && break
		sleep 1
	done
	test ! -s "$dir/out"
	result $? "$name: $group has left nothing"
}

$delegated true
for group in turns balloon
do
	attacks "root" $group env
	attacks "user, delegated" $group $delegated
	attacks "user" $group $user
done
