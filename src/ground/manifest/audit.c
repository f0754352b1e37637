#include "manifest/audit.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/lines.h"
#include "manifest/load.h"
#include "manifest/problem_lines.h"
#include "store/bundle.h"

void kb_audit_line_release(struct kb_audit_line *l)
{
	kb_outcome_release(&l->outcome);
	kb_findings_release(&l->findings);
	kb_json_free(l->reduced);
	if (l->evidence)
		kb_evidence_release(l->evidence);
	free(l->evidence);
	*l = (struct kb_audit_line)KB_AUDIT_LINE_INIT;
}

struct kb_json *kb_audit_line_to_json(const struct kb_audit_line *l)
{
	struct kb_json *line = kb_json_object();

	kb_put_key(line, l->key);
	kb_outcome_to_json(line, &l->outcome);
	kb_json_set(line, "reduced",
		    l->reduced ? kb_json_copy(l->reduced) : kb_json_null());
	kb_json_set(line, "sound", l->evidence ?
		    kb_json_bool(kb_findings_sound(&l->findings)) :
		    kb_json_null());
	kb_json_set(line, "findings", kb_findings_to_json(&l->findings));
	kb_json_set(line, "evidence", l->evidence ?
		    kb_evidence_to_json(l->evidence) : kb_json_null());
	return line;
}

static void read_evidence(struct kb_audit_line *l, struct kb_fields *f)
{
	kb_auto(mem) struct kb_evidence *e = NULL;
	const struct kb_json *v;

	if (kb_fields_null(f, "evidence"))
		return;
	v = kb_fields_object(f, "evidence");
	if (!v)
		return;
	e = kb_xcalloc(1, sizeof(*e));
	f->ret = kb_evidence_from_json(e, v, f->where, f->err);
	if (f->ret >= 0)
		l->evidence = kb_steal(e);
}

/* An audit has statuses of its own, since no candidate is judged. Evidence and
 * findings come from the same run of the audit program: a line that has one
 * without the other was made by hand. */
static void check_line(struct kb_fields *f, const struct kb_audit_line *l)
{
	const char *status;

	if (f->ret < 0)
		return;
	status = kb_status_name(l->outcome.status);
	if (!kb_status_of_audit(l->outcome.status))
		kb_fields_fail(f, "no audit ends as '%s'", status);
	if (!l->evidence != (l->outcome.status != KB_STATUS_AUDITED))
		kb_fields_fail(f, "'evidence' does not go with status '%s'",
			       status);
	for (int i = 0; i < KB_FINDING_COUNT; i++)
		if (l->findings.evidence[i] && !l->evidence)
			kb_fields_fail(f, "there are findings without evidence");
}

/* It follows from the findings, but is there for people. */
static void read_sound(const struct kb_audit_line *l, struct kb_fields *f)
{
	const bool is_null = kb_fields_null(f, "sound");
	const bool sound = is_null ? false : kb_fields_bool(f, "sound");

	if (f->ret < 0)
		return;
	if (is_null != !l->evidence ||
	    (!is_null && sound != kb_findings_sound(&l->findings)))
		kb_fields_fail(f, "'sound' does not go with the findings");
}

int kb_audit_line_from_json(struct kb_audit_line *l,
			    const struct kb_json *line, const char *where,
			    struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*l = (struct kb_audit_line)KB_AUDIT_LINE_INIT;
	kb_fields_begin(&f, line, where, err);
	l->key = kb_fields_key(&f);
	kb_outcome_read(&l->outcome, &f);
	if (!kb_fields_null(&f, "reduced"))
		l->reduced = kb_fields_strings(&f, "reduced");
	kb_findings_read(&l->findings, &f, "findings");
	read_evidence(l, &f);
	read_sound(l, &f);
	check_line(&f, l);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_audit_line_release(l);
	return ret;
}

void kb_audit_release(struct kb_audit *a)
{
	for (size_t i = 0; i < a->line_count; i++)
		kb_audit_line_release(&a->lines[i]);
	free(a->lines);
	free(a->problems);
	kb_conditions_release(&a->conditions);
	*a = (struct kb_audit)KB_AUDIT_INIT;
}

struct kb_json *kb_audit_to_json(const struct kb_audit *a)
{
	struct kb_json *record = kb_record_new(KB_KIND_AUDIT, &a->suite);

	kb_conditions_to_json(record, &a->conditions);
	kb_put_keys(record, "problems", a->problems, a->problem_count);
	return record;
}

int kb_audit_from_json(struct kb_audit *out, const struct kb_json *record,
		       const char *where, struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*out = (struct kb_audit)KB_AUDIT_INIT;
	kb_record_begin(&f, record, KB_KIND_AUDIT, &out->suite, where, err);
	kb_conditions_read(&out->conditions, &f);
	out->problems = kb_fields_keys(&f, "problems", &out->problem_count);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_audit_release(out);
	return ret;
}

/* The record lists its problems, and the lines are in that order. A line for
 * another problem would be found by its own key, and the listed one would
 * silently have none. */
static int take_line(void *into, struct kb_key key,
		     const struct kb_json *line, const char *where,
		     struct kb_err *err)
{
	struct kb_audit *a = into;
	struct kb_audit_line *l = &a->lines[a->line_count];
	int ret = kb_audit_line_from_json(l, line, where, err);

	if (ret < 0)
		return ret;
	if (kb_key_compare(l->key, key)) {
		kb_audit_line_release(l);
		return kb_err(err, KB_ERR_INPUT,
			      "%s: is not for the problem that the record lists",
			      where);
	}
	a->line_count++;
	return 0;
}

static int load_lines(struct kb_audit *out, const struct kb_bundle *b,
		      struct kb_err *err)
{
	const struct kb_problem_lines lines = {
		.problems = out->problems, .problem_count = out->problem_count,
		.take = take_line, .into = out,
	};

	out->lines = kb_xcalloc(out->problem_count, sizeof(*out->lines));
	return kb_problem_lines_load(&lines, b, err);
}

KB_DEFINE_LOAD(audit, load_lines)

static int compare_lines(const void *pa, const void *pb)
{
	const struct kb_audit_line *a = pa, *b = pb;

	return kb_key_compare(a->key, b->key);
}

static void sort_problems(struct kb_audit *a)
{
	kb_keys_sort(a->problems, a->problem_count);
	if (a->line_count)
		qsort(a->lines, a->line_count, sizeof(*a->lines),
		      compare_lines);
}

int kb_audit_write(struct kb_bundle_writer *w, struct kb_audit *a,
		   struct kb_err *err)
{
	kb_auto(buf) struct kb_buf lines = KB_BUF_INIT;
	int ret;

	sort_problems(a);
	for (size_t i = 0; i < a->line_count; i++)
		kb_lines_add(&lines, kb_audit_line_to_json(&a->lines[i]));

	ret = kb_bundle_writer_add(w, KB_RESULTS_MEMBER, lines.data,
				   lines.len, err);
	if (ret < 0)
		return ret;
	return kb_record_write(w, kb_audit_to_json(a), err);
}
