#include "sheet/comparable.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/score.h"
#include "score/preset.h"
#include "score/sums.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"

#define SUITE_DIGITS 16

static int check_suites(const struct kb_score_sheet *a,
			const struct kb_score_sheet *b, struct kb_err *err)
{
	char a_hex[KB_DIGEST_HEX_SIZE], b_hex[KB_DIGEST_HEX_SIZE];

	if (kb_digest_equal(&a->evaluation->suite, &b->evaluation->suite))
		return 0;
	kb_digest_format(&a->evaluation->suite, a_hex);
	kb_digest_format(&b->evaluation->suite, b_hex);
	return kb_err(err, KB_ERR_INPUT, "their suites are %.*s and %.*s",
		      SUITE_DIGITS, a_hex, SUITE_DIGITS, b_hex);
}

/* By their titles, which a table prints once for all rows. */
static int check_presets(const struct kb_score_sheet *a,
			 const struct kb_score_sheet *b, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf of_a = KB_BUF_INIT, of_b = KB_BUF_INIT;

	kb_note_print(&of_a, a, KB_NOTE_PRESET);
	kb_note_print(&of_b, b, KB_NOTE_PRESET);
	if (!strcmp(of_a.data, of_b.data))
		return 0;
	return kb_err(err, KB_ERR_INPUT, "their presets are '%s' and '%s'",
		      of_a.data, of_b.data);
}

/* Members that rows show themselves, or that no table shows. */
static bool is_free(const char *key)
{
	static const char *const keys[] = {
		"backend", "baseline_mode", "clock", "sample_id", "seeds",
		"sound",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(keys); i++)
		if (!strcmp(keys[i], key))
			return true;
	return false;
}

/* A switch of `a` that differs in `b`, or NULL. */
static const char *find_difference(const struct kb_json *a,
				   const struct kb_json *b)
{
	for (const struct kb_json *v = kb_json_first(a); v;
	     v = kb_json_next(v))
		if (!is_free(kb_json_key(v)) &&
		    !kb_json_equal(v, kb_json_find(b, kb_json_key(v))))
			return kb_json_key(v);
	return NULL;
}

/* A preset may come to mean something else. */
static int check_definitions(const struct kb_score *a,
			     const struct kb_score *b, struct kb_err *err)
{
	const char *key = find_difference(a->definition, b->definition);

	if (!key)
		key = find_difference(b->definition, a->definition);
	if (!key)
		return 0;
	return kb_err(err, KB_ERR_INPUT, "their definitions differ in '%s'",
		      key);
}

/* The problems that its rates are of. The caller frees. */
static int list_problems(struct kb_key **out, size_t *count,
			 const struct kb_score_sheet *s, struct kb_err *err)
{
	struct kb_choice choice;
	int ret = kb_preset_read(&choice, s->score->definition, err);

	if (ret < 0)
		return ret;
	*out = kb_problems_of(count, choice.preset, s->evaluation,
			      s->baseline);
	return 0;
}

static int refuse_problem(const char *which, struct kb_key key,
			  struct kb_err *err)
{
	char text[KB_KEY_SIZE];

	kb_key_format(text, key);
	return kb_err(err, KB_ERR_INPUT, "only the %s counts problem %s",
		      which, text);
}

static int check_problems(const struct kb_score_sheet *a,
			  const struct kb_score_sheet *b, struct kb_err *err)
{
	kb_auto(mem) struct kb_key *of_a = NULL, *of_b = NULL;
	size_t a_count = 0, b_count = 0;
	int ret;

	ret = list_problems(&of_a, &a_count, a, err);
	if (ret == 0)
		ret = list_problems(&of_b, &b_count, b, err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < a_count || i < b_count; i++) {
		const int order = i == a_count ? 1 : i == b_count ? -1 :
				  kb_key_compare(of_a[i], of_b[i]);

		if (order < 0)
			return refuse_problem("first", of_a[i], err);
		if (order > 0)
			return refuse_problem("second", of_b[i], err);
	}
	return 0;
}

/* The facts that a table prints once for all rows must be equal in their
 * records. */
static int check_rows(const struct kb_score_sheet *a,
		      const struct kb_score_sheet *b, struct kb_err *err)
{
	const size_t overall = kb_sheet_overall(a);
	bool same = overall == kb_sheet_overall(b);

	/* Sound are the same of both, or one does not know. */
	for (size_t row = 0; same && row <= overall; row++) {
		kb_auto(buf) struct kb_buf of_a = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf of_b = KB_BUF_INIT;

		kb_sheet_part_print(&of_a, a, row);
		kb_sheet_part_print(&of_b, b, row);
		same = !strcmp(of_a.data, of_b.data) &&
		       kb_sheet_part(a, row)->problems ==
			       kb_sheet_part(b, row)->problems;
	}
	if (same)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "their levels have not the same numbers of problems");
}

static int check_pair(const struct kb_score_sheet *a,
		      const struct kb_score_sheet *b, struct kb_err *err)
{
	int ret = check_suites(a, b, err);

	if (ret == 0)
		ret = check_presets(a, b, err);
	if (ret == 0)
		ret = check_definitions(a->score, b->score, err);
	if (ret == 0)
		ret = check_problems(a, b, err);
	return ret < 0 ? ret : check_rows(a, b, err);
}

static int check_is_new(const struct kb_score_sheet *sheets,
			const char *const names[], size_t i,
			struct kb_err *err)
{
	for (size_t j = 0; j < i; j++)
		if (kb_digest_equal(sheets[i].id, sheets[j].id))
			return kb_err(err, KB_ERR_INPUT,
				      "'%s' and '%s' are the same score",
				      names[j], names[i]);
	return 0;
}

int kb_sheets_check_comparable(const struct kb_score_sheet *sheets,
			       const char *const names[], size_t count,
			       struct kb_err *err)
{
	/* Equality is compared, so comparing each with the first is enough. */
	for (size_t i = 1; i < count; i++) {
		int ret = check_is_new(sheets, names, i, err);

		if (ret < 0)
			return ret;
		ret = check_pair(&sheets[0], &sheets[i], err);
		if (ret < 0)
			return kb_err_wrap(err,
					   "'%s' and '%s' cannot be in one table",
					   names[0], names[i]);
	}
	return 0;
}
