#include "audit/answer.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/audit.h"
#include "manifest/fields.h"

static const char where[] = "the answer";

struct failure {
	enum kb_status status;
	enum kb_phase phase;
	char *detail;
};

/* Statuses that the program can report. The supervisor sees how its process
 * ends. */
static bool may_say(enum kb_status status)
{
	return status == KB_STATUS_LOAD_FAILED ||
	       status == KB_STATUS_RUN_FAILED ||
	       status == KB_STATUS_OUT_OF_MEMORY;
}

static void read_failure(struct failure *x, struct kb_fields *f)
{
	struct kb_fields inner;
	const char *phase;

	if (!kb_fields_enter(&inner, f, "failure"))
		return;
	x->status = kb_fields_status(&inner, "status");
	phase = kb_fields_text(&inner, "phase");
	x->detail = kb_fields_string(&inner, "detail");
	if (phase && kb_phase_parse(&x->phase, phase, NULL) < 0)
		kb_fields_fail(&inner, "'phase' is '%s', which is not known",
			       phase);
	else if (phase && (!may_say(x->status) ||
			   !kb_status_fits_phase(x->status, x->phase)))
		kb_fields_fail(&inner, "a problem does not fail as '%s' in phase '%s'",
			       kb_status_name(x->status), phase);
	f->ret = kb_fields_end(&inner);
}

static void read_evidence(struct kb_evidence **out, struct kb_fields *f)
{
	const struct kb_json *v = kb_fields_object(f, "evidence");
	kb_auto(mem) struct kb_evidence *e = kb_xcalloc(1, sizeof(*e));

	if (!v)
		return;
	f->ret = kb_evidence_from_json(e, v, f->where, f->err);
	if (f->ret >= 0)
		*out = kb_steal(e);
}

static void read_answer(struct kb_audit_line *l, struct failure *failure,
			struct kb_fields *f)
{
	const bool failed = !kb_fields_null(f, "failure");

	if (failed)
		read_failure(failure, f);
	if (failed != kb_fields_null(f, "evidence"))
		kb_fields_fail(f, "there must be a failure or evidence");
	if (!failed)
		read_evidence(&l->evidence, f);
	if (!kb_fields_null(f, "reduced"))
		l->reduced = kb_fields_strings(f, "reduced");
}

static void take_failure(struct kb_audit_line *l, struct kb_audit_line *from,
			 struct failure *failure)
{
	free(l->outcome.detail);
	l->outcome.detail = kb_steal(failure->detail);
	l->outcome.status = failure->status;
	l->outcome.phase = failure->phase;
	if (l->evidence)
		kb_evidence_release(l->evidence);
	free(l->evidence);
	l->evidence = kb_steal(from->evidence);
	kb_json_free(l->reduced);
	l->reduced = kb_steal(from->reduced);
}

int kb_audit_answer_parse(struct kb_audit_line *l, const void *data,
			  size_t len, struct kb_err *err)
{
	/* Read apart, so that an answer that is refused leaves the line as it
	 * was. */
	kb_auto(audit_line) struct kb_audit_line new = KB_AUDIT_LINE_INIT;
	kb_auto(json) struct kb_json *v = NULL;
	struct failure failure = { .status = KB_STATUS_AUDITED };
	struct kb_fields f;
	int ret = kb_json_parse(&v, data, len, KB_JSON_OURS, where, err);

	if (ret < 0)
		return ret;
	kb_fields_begin(&f, v, where, err);
	read_answer(&new, &failure, &f);
	ret = kb_fields_end(&f);
	if (ret >= 0)
		take_failure(l, &new, &failure);
	free(failure.detail);
	return ret;
}
