#include "confine/other_user.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "confine/confine.h"
#include "confine/process.h"

/* The capabilities that user 0 needs for workers of another user: to become
 * that user, to hand it a directory, to stop and kill it, and to look into and
 * delete what it left. */
static const struct {
	int number;
	const char *why_not;
} needed[] = {
	{ CAP_SETUID, "user 0 lacks CAP_SETUID here" },
	{ CAP_SETGID, "user 0 lacks CAP_SETGID here" },
	{ CAP_CHOWN, "user 0 lacks CAP_CHOWN here" },
	{ CAP_KILL, "user 0 lacks CAP_KILL here" },
	{ CAP_DAC_OVERRIDE, "user 0 lacks CAP_DAC_OVERRIDE here" },
	{ CAP_FOWNER, "user 0 lacks CAP_FOWNER here" },
};

static uint64_t read_capabilities(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct has[2];

	memset(has, 0, sizeof(has));
	if (syscall(SYS_capget, &head, has) < 0)
		return 0;
	return has[0].effective | (uint64_t)has[1].effective << 32;
}

/* A user namespace has the ids that were mapped into it: often one. */
static bool is_mapped(void)
{
	int status = -1;
	const pid_t pid = fork();

	if (!pid)
		_exit(kb_confine_user(true) != 0);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

const char *kb_other_user_why_not(void)
{
	const uint64_t has = read_capabilities();

	if (geteuid() != 0)
		return "the supervisor is not root";
	for (size_t i = 0; i < KB_ARRAY_LEN(needed); i++)
		if (!(has & UINT64_C(1) << needed[i].number))
			return needed[i].why_not;
	if (kb_process_has_one_user())
		return "without CAP_SYS_ADMIN a namespace has one user";
	return is_mapped() ? NULL :
	       "this user namespace has no user but 0 to run them as";
}

bool kb_other_user_is_movable(void)
{
	return read_capabilities() & UINT64_C(1) << CAP_SYS_NICE;
}
