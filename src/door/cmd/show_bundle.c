#include "cmd/show_bundle.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cmd/about.h"
#include "cmd/list_store.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "runs/find_baseline.h"
#include "runs/fits_suite.h"
#include "runs/next_step.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
#include "store/refs.h"
#include "store/store.h"
#include "tables/facts.h"

#define TYPED_DIGITS 8		/* the fewest that a store takes for an id */

/* A bundle that is shown, and what its record says in any kind. */
struct shown {
	const struct kb_bundle *bundle;
	const char *store;
	enum kb_kind kind;
	struct kb_json *record;
	struct kb_parent parents[KB_PARENTS_MAX];
	size_t parent_count;
	char id[TYPED_DIGITS + 1];
};

static void short_id(char out[TYPED_DIGITS + 1], const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	memcpy(out, hex, TYPED_DIGITS);
	out[TYPED_DIGITS] = '\0';
}

/* --- what it is ------------------------------------------------------- */

static int add_names(struct kb_buf *out, const struct shown *s,
		     struct kb_err *err)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;
	const int ret = kb_names_print(&names, s->store, &s->bundle->id, err);

	if (ret >= 0 && names.len)
		kb_fact_print(out, "names", "%s", names.data);
	return ret;
}

static void add_parent(struct kb_buf *out, const struct shown *s,
		       const struct kb_parent *p)
{
	kb_auto(buf) struct kb_buf about = KB_BUF_INIT;
	char id[TYPED_DIGITS + 1];
	enum kb_kind kind;

	short_id(id, &p->id);
	if (kb_about_id_print(&about, &kind, &p->id, s->store, NULL) < 0) {
		kb_buf_clear(&about);
		kb_buf_addstr(&about, "not in this store");
	}
	kb_fact_print(out, kb_kind_name(p->kind), "%s  %s", id, about.data);
}

static void add_counts(struct kb_buf *out, const int64_t counts[])
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	for (int s = 0; s < KB_STATUS_COUNT; s++)
		if (counts[s])
			kb_buf_addf(&text, "%s%s %" PRId64,
				    text.len ? ", " : "",
				    kb_status_name((enum kb_status)s),
				    counts[s]);
	kb_fact_print(out, "statuses", "%s", text.data);
}

static void add_machine(struct kb_buf *out, const struct kb_conditions *c)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_format_text(&text, kb_device_name(c));
	kb_buf_addstr(&text, ", ");
	kb_format_text(&text, kb_hardware_name(c->environment));
	kb_fact_print(out, "device", "%s", text.data);
	kb_buf_clear(&text);
	kb_stack_print(&text, c->environment);
	kb_fact_print(out, "software", "%s", text.data);
}

/* --- what to do next -------------------------------------------------- */

static bool is_for(const struct kb_bundle *submission,
		   const struct kb_bundle *suite)
{
	kb_auto(submission) struct kb_submission a = KB_SUBMISSION_INIT;
	kb_auto(suite) struct kb_suite b = KB_SUITE_INIT;

	return kb_submission_load(&a, submission, NULL) == 0 &&
	       kb_suite_load(&b, suite, NULL) == 0 &&
	       kb_fits_suite(&a, &b, NULL) == 0;
}

static bool is_of_one_suite(const struct kb_bundle *evaluation,
			    const struct kb_bundle *baseline)
{
	kb_auto(evaluation) struct kb_evaluation a = KB_EVALUATION_INIT;
	kb_auto(baseline) struct kb_baseline b = KB_BASELINE_INIT;

	return kb_evaluation_load_record(&a, evaluation, NULL) == 0 &&
	       kb_baseline_load(&b, baseline, NULL) == 0 &&
	       kb_digest_equal(&a.suite, &b.suite);
}

/* Has the store a last bundle of this kind, and do both go together? */
static bool fits_last(const struct shown *s, const char *name,
		      bool (*fits)(const struct kb_bundle *,
				   const struct kb_bundle *), bool last_is_first)
{
	kb_auto(bundle) struct kb_bundle last = KB_BUNDLE_INIT;

	if (kb_store_open(&last, s->store, name, NULL) < 0)
		return false;
	return last_is_first ? fits(&last, s->bundle) : fits(s->bundle, &last);
}

static int add_first_failure(struct kb_buf *out, const struct shown *s,
			     const struct kb_evaluation *e, struct kb_err *err)
{
	char text[KB_KEY_SIZE];
	struct kb_key key;
	int sample_id;
	const int ret = kb_first_failure(&key, &sample_id, e, s->bundle, err);

	if (ret <= 0)
		return ret;
	kb_key_format(text, key);
	kb_next_step_print(out, s->store, "why the first failed",
			   "show %s %s %d", s->id, text, sample_id);
	return 0;
}

/* Score it with a matching baseline. Without one, make one first. */
static int add_scoring(struct kb_buf *out, const struct shown *s,
		       const struct kb_evaluation *e, struct kb_err *err)
{
	char id[TYPED_DIGITS + 1];
	struct kb_digest baseline;
	const int ret = kb_find_baseline(&baseline, s->store, e, err);

	if (ret < 0)
		return ret;
	short_id(id, ret ? &baseline : &e->suite);
	if (ret)
		kb_next_step_print(out, s->store, "judge it by a baseline that matches",
				   "score %s %s", s->id, id);
	else
		kb_next_step_print(out, s->store, "time the references, to divide by",
				   "baseline %s", id);
	return 0;
}

static int show_evaluation(struct kb_buf *out, const struct shown *s,
			   struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	int ret = kb_evaluation_load_record(&e, s->bundle, err);

	if (ret < 0)
		return ret;
	add_machine(out, &e.conditions);
	add_counts(out, e.status_counts);
	kb_buf_addstr(out, "\nNext:\n");
	ret = add_first_failure(out, s, &e, err);
	if (ret >= 0)
		ret = add_scoring(out, s, &e, err);
	kb_next_step_print(out, s->store, "look at it in a browser",
			   "report %s", s->id);
	return ret;
}

static int show_baseline(struct kb_buf *out, const struct shown *s,
			 struct kb_err *err)
{
	kb_auto(baseline) struct kb_baseline b = KB_BASELINE_INIT;
	int64_t counts[KB_STATUS_COUNT] = { 0 };
	const int ret = kb_baseline_load(&b, s->bundle, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < b.result_count; i++)
		counts[b.results[i].outcome.status]++;
	add_machine(out, &b.conditions);
	add_counts(out, counts);
	kb_buf_addstr(out, "\nNext:\n");
	if (fits_last(s, KB_REF_LAST ":evaluation", is_of_one_suite, true))
		kb_next_step_print(out, s->store, "judge the last evaluation by it",
				   "score " KB_REF_LAST ":evaluation %s", s->id);
	kb_next_step_print(out, s->store, "look at it in a browser",
			   "report %s", s->id);
	return ret;
}

static void show_suite(struct kb_buf *out, const struct shown *s)
{
	kb_buf_addstr(out, "\nNext:\n");
	if (fits_last(s, KB_REF_LAST ":submission", is_for, true))
		kb_next_step_print(out, s->store, "judge the last submission by it",
				   "eval %s " KB_REF_LAST ":submission", s->id);
	kb_next_step_print(out, s->store, "time its references on this CPU",
			   "baseline %s", s->id);
	kb_next_step_print(out, s->store, "find out what its problems are worth",
			   "audit %s", s->id);
}

static void show_submission(struct kb_buf *out, const struct shown *s)
{
	kb_buf_addstr(out, "\nNext:\n");
	if (fits_last(s, KB_REF_LAST ":suite", is_for, false))
		kb_next_step_print(out, s->store, "judge it by the last suite",
				   "run --suite " KB_REF_LAST ":suite %s", s->id);
	else
		kb_next_step_print(out, s->store, "judge it by KernelBench's problems",
				   "run %s", s->id);
}

static void show_score(struct kb_buf *out, const struct shown *s)
{
	kb_buf_addstr(out, "\nNext:\n");
	kb_next_step_print(out, s->store, "its numbers, here",
			   "report --text %s", s->id);
	kb_next_step_print(out, s->store, "look at it in a browser",
			   "report %s", s->id);
	kb_next_step_print(out, s->store, "does it hold?",
			   "verify %s", s->id);
}

static void show_other(struct kb_buf *out, const struct shown *s)
{
	kb_buf_addstr(out, "\nNext:\n");
	if (s->kind != KB_KIND_AUDIT)
		kb_next_step_print(out, s->store, "look at it in a browser",
				   "report %s", s->id);
	kb_next_step_print(out, s->store, "does it hold?",
			   "verify %s", s->id);
}

static int show_kind(struct kb_buf *out, const struct shown *s,
		     struct kb_err *err)
{
	switch (s->kind) {
	case KB_KIND_EVALUATION:
		return show_evaluation(out, s, err);
	case KB_KIND_BASELINE:
		return show_baseline(out, s, err);
	case KB_KIND_SUITE:
		show_suite(out, s);
		return 0;
	case KB_KIND_SUBMISSION:
		show_submission(out, s);
		return 0;
	case KB_KIND_SCORE:
		show_score(out, s);
		return 0;
	default:
		show_other(out, s);
		return 0;
	}
}

static int show_about(struct kb_buf *out, struct shown *s, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf about = KB_BUF_INIT;
	int ret = kb_record_load(&s->record, s->bundle, err);

	if (ret >= 0)
		ret = kb_record_head(s->record, &s->kind, s->parents,
				     &s->parent_count, KB_BUNDLE_RECORD, err);
	if (ret >= 0)
		ret = kb_about_print(&about, s->kind, s->record, s->store, err);
	if (ret < 0)
		return ret;
	short_id(s->id, &s->bundle->id);
	kb_fact_print(out, kb_kind_name(s->kind), "%s  %s", s->id, about.data);
	ret = add_names(out, s, err);
	for (size_t i = 0; i < s->parent_count; i++)
		add_parent(out, s, &s->parents[i]);
	return ret < 0 ? ret : show_kind(out, s, err);
}

int kb_show_bundle(struct kb_buf *out, const struct kb_bundle *b,
		   const char *store, struct kb_err *err)
{
	struct shown s = { .bundle = b, .store = store };
	const int ret = show_about(out, &s, err);

	kb_json_free(s.record);
	return ret;
}
