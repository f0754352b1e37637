#include "confine/calls.h"

#include <stddef.h>
#include <sys/syscall.h>

#include "base/alloc.h"

/*
 * The calls of programs that compute, compile and import: files, memory,
 * threads, processes of their own, time, signals, pipes and local sockets; and
 * what the CUDA driver needs beyond that, which is ioctl(2), placement of
 * memory and scheduling. What is in neither table is newer than this one:
 * programs are told that there is no such call, as by an older kernel.
 */
static const uint16_t allowed[] = {
	SYS_accept, SYS_accept4, SYS_bind, SYS_brk, SYS_capget, SYS_capset,
	SYS_chdir, SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep,
	SYS_clone, SYS_close, SYS_connect, SYS_copy_file_range, SYS_dup,
	SYS_dup3, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
	SYS_eventfd2, SYS_execve, SYS_execveat, SYS_exit, SYS_exit_group,
	SYS_faccessat, SYS_fadvise64, SYS_fallocate, SYS_fchdir, SYS_fchmod,
	SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_fcntl, SYS_fdatasync,
	SYS_fgetxattr, SYS_flistxattr, SYS_flock, SYS_fstat, SYS_fstatfs,
	SYS_fsync, SYS_ftruncate, SYS_futex, SYS_get_mempolicy,
	SYS_get_robust_list, SYS_getcpu, SYS_getcwd, SYS_getdents64,
	SYS_getegid, SYS_geteuid, SYS_getgid, SYS_getgroups, SYS_getitimer,
	SYS_getpeername, SYS_getpgid, SYS_getpid, SYS_getppid, SYS_getpriority,
	SYS_getrandom, SYS_getresgid, SYS_getresuid, SYS_getrlimit,
	SYS_getrusage, SYS_getsid, SYS_getsockname, SYS_getsockopt, SYS_gettid,
	SYS_gettimeofday, SYS_getuid, SYS_getxattr, SYS_ioctl, SYS_ioprio_get,
	SYS_ioprio_set, SYS_kill, SYS_lgetxattr, SYS_linkat, SYS_listen,
	SYS_listxattr, SYS_llistxattr, SYS_lseek, SYS_madvise,
	SYS_mbind, SYS_membarrier, SYS_memfd_create, SYS_migrate_pages,
	SYS_mincore, SYS_mkdirat, SYS_mknodat, SYS_mlock, SYS_mlock2,
	SYS_mlockall, SYS_mmap, SYS_move_pages, SYS_mprotect, SYS_mremap,
	SYS_msync, SYS_munlock, SYS_munlockall, SYS_munmap, SYS_nanosleep,
	SYS_newfstatat, SYS_openat, SYS_personality, SYS_pipe2, SYS_pkey_alloc,
	SYS_pkey_free, SYS_pkey_mprotect, SYS_ppoll, SYS_prctl, SYS_pread64,
	SYS_preadv, SYS_preadv2, SYS_prlimit64, SYS_pselect6, SYS_pwrite64,
	SYS_pwritev, SYS_pwritev2, SYS_read, SYS_readahead, SYS_readlinkat,
	SYS_readv, SYS_recvfrom, SYS_recvmmsg, SYS_recvmsg,
	SYS_remap_file_pages, SYS_renameat, SYS_renameat2, SYS_restart_syscall,
	SYS_rseq, SYS_rt_sigaction, SYS_rt_sigpending, SYS_rt_sigprocmask,
	SYS_rt_sigqueueinfo, SYS_rt_sigreturn, SYS_rt_sigsuspend,
	SYS_rt_sigtimedwait, SYS_rt_tgsigqueueinfo, SYS_sched_get_priority_max,
	SYS_sched_get_priority_min, SYS_sched_getaffinity, SYS_sched_getattr,
	SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_rr_get_interval,
	SYS_sched_setaffinity, SYS_sched_setattr, SYS_sched_setparam,
	SYS_sched_setscheduler, SYS_sched_yield, SYS_sendfile, SYS_sendmmsg,
	SYS_sendmsg, SYS_sendto, SYS_set_mempolicy, SYS_set_robust_list,
	SYS_set_tid_address, SYS_setfsgid, SYS_setfsuid, SYS_setgid,
	SYS_setgroups, SYS_setitimer, SYS_setpgid, SYS_setpriority,
	SYS_setregid, SYS_setresgid, SYS_setresuid, SYS_setreuid, SYS_setrlimit,
	SYS_setsid, SYS_setsockopt, SYS_setuid, SYS_shutdown, SYS_sigaltstack,
	SYS_signalfd4, SYS_socketpair, SYS_splice, SYS_statfs,
	SYS_statx, SYS_symlinkat, SYS_sync, SYS_sync_file_range, SYS_syncfs,
	SYS_sysinfo, SYS_tee, SYS_tgkill, SYS_times, SYS_tkill, SYS_truncate,
	SYS_umask, SYS_uname, SYS_unlinkat, SYS_utimensat, SYS_vmsplice,
	SYS_wait4, SYS_waitid, SYS_write, SYS_writev,
#ifdef __x86_64__
	SYS_access, SYS_alarm, SYS_arch_prctl, SYS_chmod, SYS_chown, SYS_creat,
	SYS_dup2, SYS_epoll_create, SYS_epoll_wait, SYS_eventfd, SYS_fork,
	SYS_futimesat, SYS_get_thread_area, SYS_getdents, SYS_getpgrp,
	SYS_lchown, SYS_link, SYS_lstat, SYS_mkdir, SYS_mknod, SYS_open,
	SYS_pause, SYS_pipe, SYS_poll, SYS_readlink, SYS_rename, SYS_rmdir,
	SYS_select, SYS_set_thread_area, SYS_signalfd, SYS_stat, SYS_symlink,
	SYS_time, SYS_unlink, SYS_utime, SYS_utimes, SYS_vfork,
#endif
	/* From Linux 5.1 on numbers are the same everywhere, and headers may
	 * not have them: pidfd_send_signal, pidfd_open, close_range, openat2,
	 * faccessat2, epoll_pwait2, landlock_*, futex_waitv,
	 * set_mempolicy_home_node, cachestat, fchmodat2, map_shadow_stack,
	 * futex_wake, futex_wait, futex_requeue, mseal, getxattrat, listxattrat. */
	424, 434, 436, 437, 439, 441, 444, 445, 446, 449, 450, 451, 452,
	453, 454, 455, 456, 462, 464, 465,
};

/* System V's memory and semaphores: only where they go with the worker. */
static const uint16_t of_namespace[] = {
	SYS_shmget, SYS_shmat, SYS_shmctl, SYS_shmdt, SYS_semget, SYS_semop,
	SYS_semctl, SYS_semtimedop,
};

#define REFUSED(name) { SYS_##name, #name }

static const struct {
	uint16_t number;
	const char *name;
} refused[] = {
	REFUSED(ptrace), REFUSED(process_vm_readv), REFUSED(process_vm_writev),
	REFUSED(bpf), REFUSED(perf_event_open), REFUSED(userfaultfd),
	REFUSED(keyctl), REFUSED(add_key), REFUSED(request_key),
	REFUSED(open_by_handle_at), REFUSED(mount), REFUSED(umount2),
	REFUSED(pivot_root), REFUSED(chroot), REFUSED(unshare), REFUSED(setns),
	REFUSED(reboot), REFUSED(kexec_load), REFUSED(kexec_file_load),
	REFUSED(init_module), REFUSED(finit_module), REFUSED(delete_module),
	REFUSED(swapon), REFUSED(swapoff), REFUSED(settimeofday),
	REFUSED(clock_settime), REFUSED(clock_adjtime), REFUSED(adjtimex),
	REFUSED(io_setup), REFUSED(io_submit), REFUSED(io_destroy),
	REFUSED(io_getevents), REFUSED(io_cancel), REFUSED(io_pgetevents),
	REFUSED(timer_create), REFUSED(timer_settime), REFUSED(timer_gettime),
	REFUSED(timer_getoverrun), REFUSED(timer_delete), REFUSED(mq_open),
	REFUSED(mq_unlink), REFUSED(mq_timedsend), REFUSED(mq_timedreceive),
	REFUSED(mq_notify), REFUSED(mq_getsetattr), REFUSED(msgget),
	REFUSED(msgsnd), REFUSED(msgrcv), REFUSED(msgctl), REFUSED(acct),
	REFUSED(quotactl), REFUSED(nfsservctl), REFUSED(lookup_dcookie),
	REFUSED(syslog), REFUSED(vhangup), REFUSED(sethostname),
	REFUSED(setdomainname), REFUSED(kcmp), REFUSED(fanotify_init),
	REFUSED(fanotify_mark), REFUSED(inotify_init1),
	REFUSED(inotify_add_watch), REFUSED(inotify_rm_watch),
	REFUSED(timerfd_create), REFUSED(timerfd_settime),
	REFUSED(timerfd_gettime), REFUSED(setxattr), REFUSED(lsetxattr),
	REFUSED(fsetxattr), REFUSED(removexattr), REFUSED(lremovexattr),
	REFUSED(fremovexattr), REFUSED(name_to_handle_at), REFUSED(seccomp),
	REFUSED(shmget), REFUSED(shmat), REFUSED(shmctl), REFUSED(shmdt),
	REFUSED(semget), REFUSED(semop), REFUSED(semctl), REFUSED(semtimedop),
#ifdef __x86_64__
	REFUSED(create_module), REFUSED(get_kernel_syms), REFUSED(query_module),
	REFUSED(iopl), REFUSED(ioperm), REFUSED(modify_ldt), REFUSED(uselib),
	REFUSED(ustat), REFUSED(sysfs), REFUSED(_sysctl), REFUSED(afs_syscall),
	REFUSED(tuxcall), REFUSED(vserver), REFUSED(security), REFUSED(putpmsg),
	REFUSED(getpmsg), REFUSED(epoll_ctl_old), REFUSED(epoll_wait_old),
	REFUSED(inotify_init),
#endif
	{ 425, "io_uring_setup" }, { 426, "io_uring_enter" },
	{ 427, "io_uring_register" }, { 428, "open_tree" },
	{ 429, "move_mount" }, { 430, "fsopen" }, { 431, "fsconfig" },
	{ 432, "fsmount" }, { 433, "fspick" }, { 438, "pidfd_getfd" },
	{ 440, "process_madvise" },
	{ 442, "mount_setattr" }, { 443, "quotactl_fd" },
	{ 447, "memfd_secret" }, { 448, "process_mrelease" },
	{ 463, "setxattrat" }, { 466, "removexattrat" },
};

static void add_all(struct kb_calls *c, const uint16_t numbers[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		kb_calls_add(c, numbers[i]);
}

struct kb_calls kb_calls_allowed(bool ipc)
{
	struct kb_calls c = { .bits = { 0 } };

	add_all(&c, allowed, KB_ARRAY_LEN(allowed));
	if (ipc)
		add_all(&c, of_namespace, KB_ARRAY_LEN(of_namespace));
	return c;
}

const char *kb_call_name(uint32_t number)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(refused); i++)
		if (refused[i].number == number)
			return refused[i].name;
	return NULL;
}
