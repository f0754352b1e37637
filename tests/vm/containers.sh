# containers.sh: Docker's own rules, and podman's for an ordinary user. Containers
# have this machine's /usr.
# shellcheck shell=sh disable=SC2086,SC2154 # lists of words; inside and place.sh

# An image has what lies beside /usr, and gets that as a volume.
root_of_image() {
	mkdir -p "$dir/root/usr" "$dir/root/kb" "$dir/root/proc" "$dir/root/sys" \
		"$dir/root/dev" "$dir/root/root" "$dir/root/run" "$dir/root/var/tmp" \
		"$dir/root/tmp"
	chmod 1777 "$dir/root/tmp" "$dir/root/var/tmp"
	cp -a /etc /bin /sbin /lib /lib64 "$dir/root"
	tar -C "$dir/root" -cf "$dir/root.tar" .
	chmod 644 "$dir/root.tar"
}

as_docker() {
	mkdir -p /etc/docker
	echo '{ "bridge": "none", "iptables": false }' >/etc/docker/daemon.json
	systemctl start docker && docker import "$dir/root.tar" kb >"$dir/out" 2>&1
	result $? "Docker $(docker --version | sed 's/.*version \([^,]*\).*/\1/') has an image"
	in="docker run --rm --network none --volume /usr:/usr:ro --volume /kb:/kb:ro
		--env KB_PYTHON"
	place "root in Docker" "$spaces $files $groups" $in kb
	place "user in Docker" "$spaces $files other_user $groups" $in --user 1000 kb
	systemctl stop docker docker.socket containerd
}

as_podman() {
	$user podman import "$dir/root.tar" kb >"$dir/out" 2>&1
	result $? "$(podman --version) has an image"
	in="$user podman run --rm --network none --volume /usr:/usr:ro
		--volume /kb:/kb:ro --env KB_PYTHON"
	place "root in a user's podman" "private_proc other_user $groups" $in kb
	place "user in a user's podman" "private_proc other_user $groups" $in --user 1000 kb
}

root_of_image
as_podman
as_docker
