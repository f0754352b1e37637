/* What is said at the start of what does not confine workers. */

#include "session/isolation.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "confine/confine.h"
#include "json/json.h"
#include "lib/tap.h"
#include "session/session.h"

#define BIT(feature) (1u << KB_FEATURE_##feature)
#define ALL (~0u >> (32 - KB_FEATURE_COUNT))

static const struct {
	uint32_t missing;
	const char *sandbox;
	const char *said;		/* part of it; "" is nothing at all */
} cases[] = {
	{ 0, "standard", "" },
	{ BIT(CGROUP_PIDS), "standard",
	  "note: without a control group that counts processes (pids) " },
	{ BIT(CGROUP_MEMORY), "standard",
	  "note: memory is limited for each process of a candidate, not for "
	  "all together: " },
	{ BIT(OWN_ROOT), "standard",
	  "warning: candidates see this machine's files: " },
	{ ALL, "off", "warning: '--sandbox off': " },
};

/* Noted for a machine that has all but these; what was said, on one line or
 * none. */
static void note(struct kb_buf *said, uint32_t missing, const char *sandbox)
{
	const int stderr_fd = dup(STDERR_FILENO);
	const int fd = memfd_create("stderr", MFD_CLOEXEC);
	struct kb_session s = KB_SESSION_INIT;
	struct kb_err err = KB_ERR_INIT;

	s.asked.sandbox = sandbox;
	s.run.conditions.environment = kb_json_object();
	s.machine.launcher.features = ALL & ~missing;
	check_int(dup2(fd, STDERR_FILENO), STDERR_FILENO);
	check_int(kb_session_note_isolation(&s, &err), 0);
	fflush(stderr);
	check_int(dup2(stderr_fd, STDERR_FILENO), STDERR_FILENO);
	check_int(lseek(fd, 0, SEEK_SET), 0);
	check_int(kb_file_read_fd(said, fd, "stderr", 4096, &err), 0);
	close(fd);
	close(stderr_fd);
	kb_json_free(s.run.conditions.environment);
}

static void test_what_is_missing_is_said(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf said = KB_BUF_INIT;
		const char *text;

		note(&said, cases[i].missing, cases[i].sandbox);
		text = said.len ? said.data : "";
		check(*cases[i].said ? strstr(text, cases[i].said) == text
				     : !*text);
		check(!*text || strchr(text, '\n') == text + said.len - 1);
	}
}

TAP_MAIN(
	TAP(test_what_is_missing_is_said),
);
