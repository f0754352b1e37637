#include "device/granted.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "lib/scratch.h"
#include "lib/tap.h"

#define TEXT(s) s, sizeof(s) - 1

static void test_where_a_process_is(void)
{
	static const struct {
		const char *text, *controller, *path;
	} rows[] = {
		{ "0::/\n", NULL, "/" },
		{ "0::/user.slice/job_1\n", NULL, "/user.slice/job_1" },
		{ "0::/no/end", NULL, "/no/end" },
		{ "0::/a:b\n", NULL, "/a:b" },
		{ "12:memory:/slurm\n0::/x\n", NULL, "/x" },
		{ "12:memory:/slurm\n0::/x\n", "memory", "/slurm" },
		{ "4:cpu,cpuacct:/a\n3:memory:/b\n", "cpu", "/a" },
		{ "4:cpu,cpuacct:/a\n3:memory:/b\n", "cpuacct", "/a" },
		{ "4:cpu,cpuacct:/a\n3:memory:/b\n", "memory", "/b" },
		{ "4:cpuset:/a\n", "cpu", NULL },
		{ "4:cpuset:/a\n", "set", NULL },
		{ "4:cpuset:/a\n", NULL, NULL },
		{ "", NULL, NULL },
		{ "\n", NULL, NULL },
		{ "0", NULL, NULL },
		{ "0:", NULL, NULL },
		{ "0::", NULL, NULL },
		{ "0::a\n", NULL, NULL },
		{ ":memory", "memory", NULL },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		/* No byte behind it may be read. */
		const size_t len = strlen(rows[i].text);
		char *text = memcpy(malloc(len + !len), rows[i].text, len);
		char *path = kb_cgroup_path(text, len, rows[i].controller);

		check_str(path ? path : "-", rows[i].path ? rows[i].path : "-");
		free(path);
		free(text);
	}
}

static void test_what_limits_say(void)
{
	check_int(kb_cgroup_limit(TEXT("1048576\n")) == 1048576, 1);
	check(kb_cgroup_limit(TEXT("0")) == 0);
	check(kb_cgroup_limit(TEXT("18446744073709551614")) == UINT64_MAX - 1);
	check(kb_cgroup_limit(TEXT("18446744073709551616")) == KB_NOT_LIMITED);
	check(kb_cgroup_limit(TEXT("max\n")) == KB_NOT_LIMITED);
	check(kb_cgroup_limit(TEXT("-1\n")) == KB_NOT_LIMITED);
	check(kb_cgroup_limit(TEXT("")) == KB_NOT_LIMITED);
	check(kb_cgroup_limit(TEXT("5 6\n")) == KB_NOT_LIMITED);

	check(kb_cgroup_cpus(TEXT("200000 100000\n")) == 2);
	check(kb_cgroup_cpus(TEXT("150000 100000")) == 2);
	check(kb_cgroup_cpus(TEXT("1 100000")) == 1);
	check(kb_cgroup_cpus(TEXT("max 100000\n")) == KB_NOT_LIMITED);
	check(kb_cgroup_cpus(TEXT("100000\n")) == KB_NOT_LIMITED);
	check(kb_cgroup_cpus(TEXT("100000 0\n")) == KB_NOT_LIMITED);
	check(kb_cgroup_cpus(TEXT("0 100000\n")) == KB_NOT_LIMITED);
	check(kb_cgroup_cpus(TEXT("1 2 3\n")) == KB_NOT_LIMITED);
	check(kb_cgroup_cpus(TEXT("")) == KB_NOT_LIMITED);
}

/* A file below the scratch directory, with the directories before it. */
static void put(const char *path, const char *text)
{
	char *copy = kb_xstrdup(path);
	FILE *f;

	for (char *p = copy + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(copy, 0777);
		*p = '/';
	}
	free(copy);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		tap_fail("cannot write %s", path);
}

#define MIB (UINT64_C(1) << 20)

static uint64_t physical_bytes(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) *
	       (uint64_t)sysconf(_SC_PAGESIZE);
}

static int64_t allowed_cpus(void)
{
	cpu_set_t allowed;

	return sched_getaffinity(0, sizeof(allowed), &allowed) ?
		sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&allowed);
}

static void test_without_groups_the_machine_is_ours(void)
{
	scratch_enter();
	check(kb_granted_memory_bytes("nowhere") == physical_bytes());
	check_int(kb_granted_cpus("nowhere"), allowed_cpus());
	scratch_leave();
}

/* Each group that this one is in may be the tightest. */
static void test_the_tightest_group_counts(void)
{
	scratch_enter();
	put("r/proc/self/cgroup", "0::/slurm/job/step\n");
	put("r/sys/fs/cgroup/slurm/job/step/memory.max", "max\n");
	put("r/sys/fs/cgroup/slurm/job/memory.max", "67108864\n");
	put("r/sys/fs/cgroup/slurm/memory.max", "134217728\n");
	put("r/sys/fs/cgroup/slurm/job/step/cpu.max", "max 100000\n");
	put("r/sys/fs/cgroup/slurm/cpu.max", "50000 100000\n");
	check(kb_granted_memory_bytes("r") == 64 * MIB);
	check_int(kb_granted_cpus("r"), 1);
	put("r/sys/fs/cgroup/memory.max", "33554432\n");
	check(kb_granted_memory_bytes("r") == 32 * MIB);
	scratch_leave();
}

static void test_groups_of_version_1(void)
{
	scratch_enter();
	put("r/proc/self/cgroup", "3:memory:/job\n2:cpu,cpuacct:/job\n0::/\n");
	put("r/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1048576\n");
	put("r/sys/fs/cgroup/memory/memory.limit_in_bytes",
	    "9223372036854771712\n");
	check(kb_granted_memory_bytes("r") == MIB);
	check_int(kb_granted_cpus("r"), allowed_cpus());
	scratch_leave();
}

TAP_MAIN(
	TAP(test_where_a_process_is),
	TAP(test_what_limits_say),
	TAP(test_without_groups_the_machine_is_ours),
	TAP(test_the_tightest_group_counts),
	TAP(test_groups_of_version_1)
);
