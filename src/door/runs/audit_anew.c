#include "runs/audit_anew.h"

#include <stdio.h>

#include "audit/judge.h"
#include "audit/verdicts.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/terminal.h"
#include "json/json.h"
#include "manifest/audit.h"
#include "manifest/suite.h"
#include "store/store.h"
#include "tables/audit_table.h"

/* The verdicts from one audit. */
struct anew {
	struct kb_audit audit;
	struct kb_suite suite;
	struct kb_digest id;
};

static void kb_cleanup_anew(struct anew *a)
{
	kb_audit_release(&a->audit);
	kb_suite_release(&a->suite);
}

static int load_audit(struct anew *a, const char *name, const char *store,
		      struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_store_open(&b, store, name, err);

	if (ret < 0)
		return ret;
	a->id = b.id;
	ret = kb_audit_load(&a->audit, &b, err);
	return ret < 0 ? ret : kb_audit_judge_anew(&a->audit, err);
}

static int load_suite(struct anew *a, const char *store, struct kb_err *err)
{
	int ret = kb_suite_load_id(&a->suite, store, &a->audit.suite, err);

	return ret < 0 ? kb_err_wrap(err, "its suite") : 0;
}

static int check_verdicts(const struct anew *a, const struct kb_digest *suite,
			  struct kb_err *err)
{
	if (!kb_digest_equal(&a->audit.suite, suite))
		return kb_err(err, KB_ERR_INPUT,
			      "it is of another suite than the first");
	for (size_t i = 0; i < a->audit.line_count; i++)
		if (a->audit.lines[i].reduced)
			return kb_err(err, KB_ERR_INPUT,
				      "it has problems in reduced form, which "
				      "have no verdicts");
	return 0;
}

static void add_verdicts(struct kb_json **all, const struct kb_audit *a)
{
	kb_auto(json) struct kb_json *mine = kb_audit_verdicts(a);
	struct kb_json *both = kb_json_object();

	for (const struct kb_json *v = kb_json_first(*all); v;
	     v = kb_json_next(v))
		if (!kb_json_find(mine, kb_json_key(v)))
			kb_json_set(both, kb_json_key(v), kb_json_copy(v));
	for (const struct kb_json *v = kb_json_first(mine); v;
	     v = kb_json_next(v))
		kb_json_set(both, kb_json_key(v), kb_json_copy(v));
	kb_json_free(*all);
	*all = both;
}

static void print_audit(const struct anew *a, bool with_evidence)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&a->id, hex);
	if (with_evidence) {
		kb_audit_table_print_evidence(&text, &a->audit);
		kb_buf_addch(&text, '\n');
	}
	kb_audit_table_print(&text, &a->audit, &a->suite, kb_stdout_look());
	kb_stdout_print(text.data);
	printf("\n%s\n", hex);
}

int kb_audit_anew(int count, char *const names[], const char *store,
		  bool with_evidence, struct kb_json **verdicts,
		  struct kb_err *err)
{
	kb_auto(json) struct kb_json *all = kb_json_object();
	struct kb_digest suite;

	for (int i = 0; i < count; i++) {
		kb_auto(anew) struct anew a = { KB_AUDIT_INIT, KB_SUITE_INIT,
						{ { 0 } } };
		int ret = load_audit(&a, names[i], store, err);

		if (i == 0)
			suite = a.audit.suite;
		if (ret >= 0)
			ret = load_suite(&a, store, err);
		if (ret >= 0 && verdicts)
			ret = check_verdicts(&a, &suite, err);
		if (ret < 0)
			return kb_err_wrap(err, "'%s'", names[i]);
		if (verdicts)
			add_verdicts(&all, &a.audit);
		print_audit(&a, with_evidence);
	}
	if (verdicts)
		*verdicts = kb_steal(all);
	return 0;
}
