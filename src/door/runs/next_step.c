#include "runs/next_step.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/shell_word.h"
#include "manifest/evaluation.h"
#include "store/store.h"

void kb_next_step_print(struct kb_buf *out, const char *store,
			const char *purpose, const char *fmt, ...)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	kb_auto(mem) char *command = NULL;
	va_list ap;

	va_start(ap, fmt);
	command = kb_xvasprintf(fmt, ap);
	va_end(ap);
	kb_buf_addf(&line, "  kb %s", command);
	if (strcmp(store, KB_STORE_DEFAULT)) {
		kb_buf_addstr(&line, " --store ");
		kb_shell_word_print(&line, store);
	}
	kb_buf_addf(out, "%-38s  %s\n", line.data, purpose);
}

struct first {
	struct kb_key key;
	int sample_id;
	bool is_found;
};

static void take_result(void *into, struct kb_result *r)
{
	struct first *f = into;

	if (f->is_found || r->outcome.status == KB_STATUS_CORRECT ||
	    r->outcome.status == KB_STATUS_MISSING)
		return;
	*f = (struct first){ r->key, r->sample_id, true };
}

int kb_first_failure(struct kb_key *key, int *sample_id,
		     const struct kb_evaluation *e, const struct kb_bundle *b,
		     struct kb_err *err)
{
	struct first first = { .is_found = false };
	const int ret = kb_evaluation_each(e, b, take_result, &first, err);

	if (ret < 0)
		return ret;
	*key = first.key;
	*sample_id = first.sample_id;
	return first.is_found;
}
