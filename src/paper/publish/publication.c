#include "publish/publication.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "json/utf8.h"
#include "manifest/provenance.h"
#include "manifest/score.h"
#include "sheet/notes.h"
#include "sign/signature.h"
#include "store/quote.h"
#include "store/store.h"

static void release_item(struct kb_published *item)
{
	kb_bundle_release(&item->bundle);
	kb_json_free(item->tool);
	kb_made_files_release(&item->signatures);
	free(item->warnings);
}

void kb_publication_release(struct kb_publication *p)
{
	for (size_t i = 0; i < p->count; i++)
		release_item(&p->items[i]);
	free(p->items);
	free(p->missing);
	*p = (struct kb_publication)KB_PUBLICATION_INIT;
}

const struct kb_published *
kb_publication_find(const struct kb_publication *p, const struct kb_digest *id)
{
	for (size_t i = 0; i < p->count; i++)
		if (kb_digest_equal(&p->items[i].bundle.id, id))
			return &p->items[i];
	return NULL;
}

static int read_signatures(struct kb_published *item, struct kb_err *err)
{
	kb_auto(signers) struct kb_signers s = KB_SIGNERS_INIT;
	int ret = kb_signature_list(&s, &item->bundle, err);

	for (size_t i = 0; ret == 0 && i < s.count; i++) {
		struct kb_buf *text = kb_made_files_add(
			&item->signatures,
			kb_signature_name(&item->bundle, &s.key_ids[i]));

		ret = kb_signature_read(text, &item->bundle, &s.key_ids[i],
					err);
	}
	return ret;
}

/* Whoever describes a score says them, too. */
static int read_warnings(struct kb_published *item, struct kb_err *err)
{
	kb_auto(score) struct kb_score score = KB_SCORE_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_score_load(&score, &item->bundle, err);

	if (ret < 0)
		return ret;
	kb_warnings_join(&text, &score);
	item->warnings = kb_xstrdup(text.data);
	return 0;
}

/* Check the record with all that belongs to it, and read it. */
static int read_record(struct kb_published *item, struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = NULL;
	const struct kb_json *tool;
	int ret = kb_record_check(&item->kind, &item->bundle, err);

	if (ret == 0)
		ret = kb_record_load(&record, &item->bundle, err);
	if (ret == 0)
		ret = kb_record_head(record, &item->kind, item->parents,
				     &item->parent_count, KB_BUNDLE_RECORD,
				     err);
	/* A report is not the publisher's own result. */
	if (ret == 0 && item->kind == KB_KIND_REPORT)
		ret = kb_err(err, KB_ERR_INPUT,
			     "is a report: only what kb measured is published");
	if (ret < 0)
		return ret;
	tool = kb_json_find(record, "tool");
	item->tool = tool ? kb_json_copy(tool) : NULL;
	return item->kind == KB_KIND_SCORE ? read_warnings(item, err) : 0;
}

/* Takes `b`, even on failure. */
static int add_bundle(struct kb_publication *p, struct kb_bundle *b, bool is_asked,
		      struct kb_err *err)
{
	struct kb_published *item;
	int ret;

	p->items = kb_grow(p->items, p->count, &p->capacity, sizeof(*item));
	item = &p->items[p->count++];
	*item = (struct kb_published){
		.bundle = *b, .signatures = KB_MADE_FILES_INIT,
		.is_asked = is_asked,
	};
	*b = (struct kb_bundle)KB_BUNDLE_INIT;
	ret = read_record(item, err);
	return ret < 0 ? ret : read_signatures(item, err);
}

static int add_asked(struct kb_publication *p, const char *store,
		     const char *name, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_store_open(&b, store, name, err);

	if (ret < 0)
		return ret;
	if (kb_publication_find(p, &b.id))
		return 0;
	ret = add_bundle(p, &b, true, err);
	return ret < 0 ? kb_err_wrap(err, "'%s'", name) : 0;
}

static int add_asked_id(struct kb_publication *p, const char *store,
			const struct kb_digest *id, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret;

	if (kb_publication_find(p, id))
		return 0;
	ret = kb_store_open_id(&b, store, id, err);
	return ret < 0 ? ret : add_bundle(p, &b, true, err);
}

static void add_missing(struct kb_publication *p,
			const struct kb_parent *parent)
{
	for (size_t i = 0; i < p->missing_count; i++)
		if (kb_digest_equal(&p->missing[i].id, &parent->id))
			return;
	p->missing = kb_grow(p->missing, p->missing_count,
			     &p->missing_capacity, sizeof(*p->missing));
	p->missing[p->missing_count++] = *parent;
}

/* An id has one kind. A record that calls its parent another is refused here,
 * where both are at hand. */
static int check_kind(const struct kb_published *found,
		      const struct kb_parent *parent, struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];

	if (found->kind == parent->kind)
		return 0;
	kb_digest_format(&parent->id, hex);
	return kb_err(err, KB_ERR_INPUT, "'%s' is of kind '%s', and a "
		      "record names it as a parent of kind '%s'", hex,
		      kb_kind_name(found->kind), kb_kind_name(parent->kind));
}

static int add_parent(struct kb_publication *p, const char *store,
		      const struct kb_parent *parent, bool allow_missing,
		      struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	const struct kb_published *found = kb_publication_find(p, &parent->id);
	int ret;

	if (found)
		return check_kind(found, parent, err);
	ret = kb_store_open_id(&b, store, &parent->id, err);
	if (ret == -KB_ERR_MISSING && allow_missing) {
		add_missing(p, parent);
		return 0;
	}
	if (ret == 0)
		ret = add_bundle(p, &b, false, err);
	return ret < 0 ? ret : check_kind(&p->items[p->count - 1], parent, err);
}

/* The same loop reaches bundles that are added here. */
static int add_parents(struct kb_publication *p, const char *store,
		       bool allow_missing, struct kb_err *err)
{
	for (size_t i = 0; i < p->count; i++) {
		/* A copy, since the array moves when it grows. */
		const struct kb_published child = p->items[i];
		char hex[KB_DIGEST_HEX_SIZE];

		kb_digest_format(&child.bundle.id, hex);
		for (size_t j = 0; j < child.parent_count; j++) {
			const struct kb_parent *parent = &child.parents[j];
			int ret = add_parent(p, store, parent, allow_missing,
					     err);

			if (ret < 0)
				return kb_err_wrap(err, "'%s': its %s", hex,
						   kb_kind_name(parent->kind));
		}
	}
	return 0;
}

int kb_publication_gather(struct kb_publication *p, const char *store,
			  const char *const names[], size_t count,
			  bool allow_missing, struct kb_err *err)
{
	for (size_t i = 0; i < count; i++) {
		int ret = add_asked(p, store, names[i], err);

		if (ret < 0)
			return ret;
	}
	return add_parents(p, store, allow_missing, err);
}

int kb_publication_gather_ids(struct kb_publication *p, const char *store,
			      const struct kb_digest ids[], size_t count,
			      struct kb_err *err)
{
	for (size_t i = 0; i < count; i++) {
		int ret = add_asked_id(p, store, &ids[i], err);

		if (ret < 0)
			return ret;
	}
	return add_parents(p, store, true, err);
}

/* These texts go into YAML, JSON and Markdown: a line feed or a control
 * character would be another thing in each of them. */
static int check_text(const char *what, const char *text, struct kb_err *err)
{
	bool good = *text && kb_utf8_valid(text, strlen(text));

	for (const char *c = text; *c; c++)
		good = good && !iscntrl((unsigned char)*c);
	if (good)
		return 0;
	return kb_err(err, KB_ERR_USAGE, "%s is not a line of text: '%s'",
		      what, kb_quote_str(text).text);
}

static int check_license(const char *license, struct kb_err *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-+";

	if (*license && !license[strspn(license, allowed)])
		return 0;
	return kb_err(err, KB_ERR_USAGE,
		      "a licence is named as at SPDX, as MIT or CC-BY-4.0: '%s'",
		      kb_quote_str(license).text);
}

static int check_date(const char *date, struct kb_err *err)
{
	kb_auto(mem) char *noon = kb_xasprintf("%sT12:00:00Z", date);

	if (!kb_time_valid(noon))
		return kb_err(err, KB_ERR_USAGE,
			      "a date is like 2026-11-21: '%s'",
			      kb_quote_str(date).text);
	if (!kb_day_exists(date))
		return kb_err(err, KB_ERR_USAGE, "there is no such day: '%s'",
			      date);
	return 0;
}

/* "dddd-dddd-dddd-dddc", the last by ISO 7064, MOD 11-2. */
static bool is_orcid(const char *text)
{
	static const char form[] = "dddd-dddd-dddd-dddc";
	int sum = 0, check;

	if (strlen(text) != strlen(form))
		return false;
	for (size_t i = 0; form[i] != 'c'; i++) {
		if (form[i] == '-' ? text[i] != '-'
				   : !isdigit((unsigned char)text[i]))
			return false;
		if (form[i] == 'd')
			sum = (sum + text[i] - '0') * 2 % 11;
	}
	check = (12 - sum) % 11;
	return text[strlen(form) - 1] == (check == 10 ? 'X' : '0' + check);
}

static int check_author(const struct kb_author *a, struct kb_err *err)
{
	int ret = check_text("the name of an author", a->name, err);
	const char *given = kb_author_given_name(a);

	if (ret < 0)
		return ret;
	if (*a->name == ',' || (given && !*given))
		return kb_err(err, KB_ERR_USAGE,
			      "an author is 'Family, Given' or a name: '%s'",
			      a->name);
	if (a->orcid && !is_orcid(a->orcid))
		return kb_err(err, KB_ERR_USAGE,
			      "an ORCID iD is like 0000-0002-1825-0097: '%s'",
			      kb_quote_str(a->orcid).text);
	return 0;
}

/* Two entities of a crate cannot have one name. */
static int check_orcids(const struct kb_publication_about *a,
			struct kb_err *err)
{
	for (size_t i = 0; i < a->author_count; i++)
		for (size_t j = 0; j < i; j++)
			if (a->authors[i].orcid && a->authors[j].orcid &&
			    !strcmp(a->authors[i].orcid, a->authors[j].orcid))
				return kb_err(err, KB_ERR_USAGE,
					      "two authors have the ORCID iD "
					      "%s", a->authors[i].orcid);
	return 0;
}

int kb_publication_check_about(const struct kb_publication_about *a,
			       struct kb_err *err)
{
	int ret = a->title ? check_text("the title", a->title, err) : 0;

	for (size_t i = 0; ret == 0 && i < a->author_count; i++)
		ret = check_author(&a->authors[i], err);
	if (ret == 0)
		ret = check_orcids(a, err);
	if (ret == 0 && a->license)
		ret = check_license(a->license, err);
	return ret < 0 ? ret : check_date(a->date, err);
}

const char *kb_author_given_name(const struct kb_author *a)
{
	const char *comma = strchr(a->name, ',');

	return comma ? comma + 1 + strspn(comma + 1, " ") : NULL;
}
