#include "tables/audit_table.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/audit.h"
#include "manifest/suite.h"
#include "sheet/format.h"
#include "tables/table.h"

static void add_findings(struct kb_buf *cell, const struct kb_findings *f)
{
	for (int i = 0; i < KB_FINDING_COUNT; i++)
		if (f->evidence[i])
			kb_buf_addf(cell, "%s%s", cell->len ? ", " : "",
				    kb_finding_name((enum kb_finding)i));
}

static void add_reason(struct kb_buf *cell, const struct kb_outcome *o)
{
	kb_buf_addf(cell, "not audited: %s", kb_status_name(o->status));
	if (!o->detail)
		return;
	kb_buf_addstr(cell, ": ");
	kb_format_text(cell, o->detail);
}

static const char *verdict_of(const struct kb_audit_line *l)
{
	if (!l->evidence)
		return "-";
	return kb_findings_sound(&l->findings) ? "yes" : "no";
}

static void add_line(struct kb_table *t, const struct kb_audit_line *l,
		     const struct kb_suite *suite)
{
	const struct kb_problem *p = kb_suite_find(suite, l->key);
	kb_auto(buf) struct kb_buf cell = KB_BUF_INIT;
	char key[KB_KEY_SIZE];

	kb_key_format(key, l->key);
	kb_table_add(t, key);
	kb_table_add(t, p ? p->name : "-");
	kb_table_add(t, verdict_of(l));
	if (l->evidence)
		add_findings(&cell, &l->findings);
	else
		add_reason(&cell, &l->outcome);
	kb_table_add(t, cell.data);
}

static void print_counts(struct kb_buf *out, const struct kb_audit *a)
{
	size_t sound = 0, audited = 0, reduced = 0;

	for (size_t i = 0; i < a->line_count; i++) {
		const struct kb_audit_line *l = &a->lines[i];

		audited += l->evidence != NULL;
		sound += l->evidence && kb_findings_sound(&l->findings);
		reduced += l->reduced != NULL;
	}
	kb_buf_addf(out, "%zu problems: %zu sound, %zu not sound, "
		    "%zu not audited", a->line_count, sound, audited - sound,
		    a->line_count - audited);
	if (reduced)
		kb_buf_addf(out, "; %zu in reduced form", reduced);
	kb_buf_addch(out, '\n');
}

void kb_audit_table_print(struct kb_buf *out, const struct kb_audit *a,
			  const struct kb_suite *suite, struct kb_look look)
{
	static const struct kb_column columns[] = {
		{ "problem", KB_ALIGN_LEFT },
		{ "name", KB_ALIGN_LEFT },
		{ "sound", KB_ALIGN_LEFT },
		{ "findings", KB_ALIGN_LEFT },
	};
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));

	for (size_t i = 0; i < a->line_count; i++)
		add_line(t, &a->lines[i], suite);
	kb_table_print(out, t, look);
	kb_buf_addch(out, '\n');
	print_counts(out, a);
}

/* Said aloud, because without it the lack of a finding would read as if the
 * problem had been tried for it. */
static void print_unknown(struct kb_buf *out, const char *key,
			  const char *what, const char *why)
{
	if (!why)
		return;
	kb_buf_addf(out, "%s %s: not known: ", key, what);
	kb_format_text(out, why);
	kb_buf_addch(out, '\n');
}

static void print_evidence(struct kb_buf *out, const struct kb_audit_line *l)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, l->key);
	for (int i = 0; i < KB_FINDING_COUNT; i++) {
		if (!l->findings.evidence[i])
			continue;
		kb_buf_addf(out, "%s %s: ", key,
			    kb_finding_name((enum kb_finding)i));
		kb_format_text(out, l->findings.evidence[i]);
		kb_buf_addch(out, '\n');
	}
	if (!l->evidence)
		return;
	print_unknown(out, key, "float64", l->evidence->stated.no_float64);
	print_unknown(out, key, "noise", l->evidence->stated.no_noise);
	print_unknown(out, key, "removal", l->evidence->stated.no_removal);
	print_unknown(out, key, "signs", l->evidence->no_signs);
}

void kb_audit_table_print_evidence(struct kb_buf *out,
				   const struct kb_audit *a)
{
	for (size_t i = 0; i < a->line_count; i++)
		print_evidence(out, &a->lines[i]);
}
