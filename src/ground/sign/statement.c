#include "sign/statement.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/provenance.h"
#include "manifest/tool.h"
#include "store/bundle.h"
#include "store/quote.h"

void kb_statement_release(struct kb_statement *s)
{
	kb_json_free(s->tool);
	free(s->time);
	*s = (struct kb_statement)KB_STATEMENT_INIT;
}

int kb_statement_of(struct kb_statement *s, const struct kb_bundle *b,
		    struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = NULL;
	int ret = kb_record_load(&record, b, err);

	if (ret < 0)
		return ret;
	s->id = b->id;
	return kb_record_head(record, &s->kind, s->parents, &s->parent_count,
			      KB_BUNDLE_RECORD, err);
}

static bool same_parents(const struct kb_statement *a,
			 const struct kb_statement *b)
{
	if (a->parent_count != b->parent_count)
		return false;
	for (size_t i = 0; i < a->parent_count; i++)
		if (a->parents[i].kind != b->parents[i].kind ||
		    !kb_digest_equal(&a->parents[i].id, &b->parents[i].id))
			return false;
	return true;
}

int kb_statement_check(const struct kb_statement *s, const struct kb_bundle *b,
		       const char *name, struct kb_err *err)
{
	kb_auto(statement) struct kb_statement own = KB_STATEMENT_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	kb_digest_format(&s->id, hex);
	if (!kb_digest_equal(&s->id, &b->id))
		return kb_err(err, KB_ERR_INPUT,
			      "%s: it is about another bundle, '%s'", name,
			      hex);
	ret = kb_statement_of(&own, b, err);
	if (ret < 0)
		return ret;
	if (s->kind != own.kind)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: 'kind' is '%s', but the bundle's is '%s'",
			      name, kb_kind_name(s->kind),
			      kb_kind_name(own.kind));
	if (!same_parents(s, &own))
		return kb_err(err, KB_ERR_INPUT,
			      "%s: 'parents' are not those of the bundle",
			      name);
	return 0;
}

static struct kb_json *subject_json(const struct kb_digest *id)
{
	struct kb_json *array = kb_json_array();
	struct kb_json *subject = kb_json_object();
	struct kb_json *digest = kb_json_object();

	kb_put_digest(digest, "sha256", id);
	kb_json_set(subject, "digest", digest);
	kb_put_digest(subject, "name", id);
	kb_json_append(array, subject);
	return array;
}

static struct kb_json *predicate_json(const struct kb_statement *s)
{
	struct kb_json *predicate = kb_record_new_of(s->kind, s->parents,
						     s->parent_count);

	kb_json_set_string(predicate, "time", s->time);
	kb_json_set(predicate, "tool", kb_json_copy(s->tool));
	return predicate;
}

void kb_statement_print(struct kb_buf *out, const struct kb_statement *s)
{
	kb_auto(json) struct kb_json *root = kb_json_object();

	kb_json_set_string(root, "_type", KB_STATEMENT_TYPE);
	kb_json_set(root, "predicate", predicate_json(s));
	kb_json_set_string(root, "predicateType", KB_STATEMENT_PREDICATE_TYPE);
	kb_json_set(root, "subject", subject_json(&s->id));
	kb_json_print(out, root);
}

static void read_word(struct kb_fields *f, const char *key, const char *want)
{
	const char *text = kb_fields_text(f, key);

	if (text && strcmp(text, want))
		kb_fields_fail(f, "'%s' is '%s', want '%s'", key,
			       kb_quote_str(text).text, want);
}

static void read_subject(struct kb_statement *s, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "subject"), *digest;
	struct kb_fields inner, innermost;
	struct kb_digest name;

	if (!array)
		return;
	if (kb_json_count(array) != 1) {
		kb_fields_fail(f, "has %zu subjects, want 1",
			       kb_json_count(array));
		return;
	}
	kb_fields_begin(&inner, kb_json_first(array), f->where, f->err);
	digest = kb_fields_object(&inner, "digest");
	name = kb_fields_digest(&inner, "name");
	f->ret = kb_fields_end(&inner);
	if (f->ret < 0)
		return;

	kb_fields_begin(&innermost, digest, f->where, f->err);
	s->id = kb_fields_digest(&innermost, "sha256");
	if (!kb_digest_equal(&s->id, &name))
		kb_fields_fail(&innermost,
			       "the subject's name is not its digest");
	f->ret = kb_fields_end(&innermost);
}

/* The head is what a record begins with, so a record's reader reads it. */
static void read_predicate(struct kb_statement *s, struct kb_fields *f)
{
	const struct kb_json *predicate = kb_fields_object(f, "predicate");
	struct kb_digest ids[KB_PARENTS_MAX];
	struct kb_fields inner;

	if (!predicate)
		return;
	f->ret = kb_record_head(predicate, &s->kind, s->parents,
				&s->parent_count, f->where, f->err);
	if (f->ret < 0)
		return;
	kb_record_begin(&inner, predicate, s->kind, ids, f->where, f->err);
	s->time = kb_fields_string_or_null(&inner, "time");
	if (s->time && !kb_time_valid(s->time))
		kb_fields_fail(&inner,
			       "'time' is not of the form " KB_TIME_EXAMPLE);
	s->tool = kb_tool_read(&inner);
	f->ret = kb_fields_end(&inner);
}

int kb_statement_parse(struct kb_statement *out, const void *data, size_t len,
		       const char *name, struct kb_err *err)
{
	kb_auto(json) struct kb_json *root = NULL;
	kb_auto(statement) struct kb_statement s = KB_STATEMENT_INIT;
	struct kb_fields f;
	int ret;

	ret = kb_json_parse(&root, data, len, KB_JSON_CANONICAL, name, err);
	if (ret < 0)
		return ret;
	kb_fields_begin(&f, root, name, err);
	read_word(&f, "_type", KB_STATEMENT_TYPE);
	read_word(&f, "predicateType", KB_STATEMENT_PREDICATE_TYPE);
	read_subject(&s, &f);
	read_predicate(&s, &f);
	ret = kb_fields_end(&f);
	if (ret < 0)
		return ret;
	*out = s;
	s = (struct kb_statement)KB_STATEMENT_INIT;
	return 0;
}
