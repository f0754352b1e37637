# slurm.sh: a job of Slurm whose control groups are of version 2, of root and of an
# ordinary user.
# shellcheck shell=sh disable=SC2086,SC2154 # lists of words; inside and place.sh

# One node, which is this one, and what a job asks for is all that it gets.
slurm_conf() {
	cat <<-END
	ClusterName=kb
	SlurmctldHost=kb-vm
	SlurmUser=root
	AuthType=auth/munge
	StateSaveLocation=/var/spool/slurmctld
	SlurmdSpoolDir=/var/spool/slurmd
	ProctrackType=proctrack/cgroup
	TaskPlugin=task/cgroup
	JobAcctGatherType=jobacct_gather/cgroup
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core_Memory
	NodeName=kb-vm CPUs=2 RealMemory=3000
	PartitionName=all Nodes=ALL Default=YES
	END
}

# An address that is not the loopback's, or names are not looked up.
network() {
	printf '[NetDev]\nName=dummy0\nKind=dummy\n' >/etc/systemd/network/kb.netdev
	printf '[Match]\nName=dummy0\n[Network]\nAddress=192.0.2.1/24\n' \
		>/etc/systemd/network/kb.network
	echo '192.0.2.1 kb-vm' >>/etc/hosts
	systemctl start systemd-networkd &&
		timeout 60 sh -c 'until getent ahostsv4 kb-vm; do sleep 1; done'
}

start_slurm() {
	slurm_conf >/etc/slurm/slurm.conf
	printf '%s\n' CgroupPlugin=cgroup/v2 ConstrainRAMSpace=yes \
		ConstrainSwapSpace=yes ConstrainCores=yes >/etc/slurm/cgroup.conf
	mkdir -p /var/spool/slurmctld /var/spool/slurmd
	network && systemctl start munge slurmctld slurmd &&
		timeout 120 sh -c 'until sinfo -h -t idle | grep -q .; do sleep 1; done'
}

start_slurm >"$dir/out" 2>&1
result $? "$(slurmd -V) has a node"
in_job=$PWD/tests/vm/in-job
# Slurm hands the controller of processes to no job.
place "root in a job of Slurm" cgroup_pids $in_job
place "user in a job of Slurm" "other_user $groups" $user $in_job
