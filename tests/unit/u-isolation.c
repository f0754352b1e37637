/* What is said at the start of what does not confine workers. */

#include "session/isolation.h"

#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
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

static char said[4096];			/* the lines that were */

static void take_line(const char *line)
{
	strncat(said, line, sizeof(said) - strlen(said) - 1);
	strncat(said, "\n", sizeof(said) - strlen(said) - 1);
}

/* Noted for a machine that has all but these. */
static void note(uint32_t missing, const char *sandbox)
{
	struct kb_session s = KB_SESSION_INIT;
	struct kb_err err = KB_ERR_INIT;

	said[0] = '\0';
	s.say = take_line;
	s.asked.sandbox = sandbox;
	s.run.conditions.environment = kb_json_object();
	s.machine.launcher.features = ALL & ~missing;
	check_int(kb_session_note_isolation(&s, &err), 0);
	kb_json_free(s.run.conditions.environment);
}

static void test_what_is_missing_is_said(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		note(cases[i].missing, cases[i].sandbox);
		check(*cases[i].said ? strstr(said, cases[i].said) == said
				     : !*said);
		check(!*said || strchr(said, '\n') == said + strlen(said) - 1);
	}
}

TAP_MAIN(
	TAP(test_what_is_missing_is_said),
);
