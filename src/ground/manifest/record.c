#include "manifest/record.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "store/bundle.h"

static const char *const kinds[KB_KIND_COUNT] = {
	[KB_KIND_SUITE] = "suite",
	[KB_KIND_SUBMISSION] = "submission",
	[KB_KIND_BASELINE] = "baseline",
	[KB_KIND_EVALUATION] = "evaluation",
	[KB_KIND_SCORE] = "score",
	[KB_KIND_AUDIT] = "audit",
	[KB_KIND_REPORT] = "report",
	[KB_KIND_GENERATION] = "generation",
};

/* The versions that are written. A version rises when an older program would
 * misread the record; a new member alone does not raise it, because older
 * programs refuse what they do not know. */
static const int versions[KB_KIND_COUNT] = {
	[KB_KIND_SUITE] = 1,
	[KB_KIND_SUBMISSION] = 1,
	[KB_KIND_BASELINE] = 2,
	[KB_KIND_EVALUATION] = 2,
	[KB_KIND_SCORE] = 2,
	[KB_KIND_AUDIT] = 1,
	[KB_KIND_REPORT] = 1,
	[KB_KIND_GENERATION] = 1,
};

/* The parents of each kind. Their number is part of the format, so that a
 * reader never has to guess which parent is which. */
#define PARENTS 2

static const struct {
	size_t count;
	enum kb_kind kinds[PARENTS];
	bool may_have_none;
	bool may_have_more;		/* a baseline, and evaluations */
} parents_of[KB_KIND_COUNT] = {
	[KB_KIND_SUITE] = { .count = 1, .kinds = { KB_KIND_SUITE },
			    .may_have_none = true },
	[KB_KIND_SUBMISSION] = { .count = 1, .kinds = { KB_KIND_GENERATION },
				 .may_have_none = true },
	[KB_KIND_BASELINE] = { .count = 1, .kinds = { KB_KIND_SUITE } },
	[KB_KIND_EVALUATION] = { .count = 2,
				 .kinds = { KB_KIND_SUITE,
					    KB_KIND_SUBMISSION } },
	[KB_KIND_SCORE] = { .count = 2, .kinds = { KB_KIND_EVALUATION,
						   KB_KIND_BASELINE } },
	[KB_KIND_AUDIT] = { .count = 1, .kinds = { KB_KIND_SUITE } },
	[KB_KIND_GENERATION] = { .count = 1, .kinds = { KB_KIND_SUITE },
				 .may_have_more = true },
};

/* Told to who has a bundle of another kind. */
static const char *const makers[KB_KIND_COUNT] = {
	[KB_KIND_SUITE] = "kb-pack suite",
	[KB_KIND_SUBMISSION] = "kb-pack submission",
	[KB_KIND_BASELINE] = "kb-baseline",
	[KB_KIND_EVALUATION] = "kb-eval",
	[KB_KIND_SCORE] = "kb-score",
	[KB_KIND_AUDIT] = "kb-audit",
	[KB_KIND_REPORT] = "kb-pack report",
	[KB_KIND_GENERATION] = "kb-generate",
};

const char *kb_kind_name(enum kb_kind kind)
{
	return kinds[kind];
}

struct kb_json *kb_record_new_of(enum kb_kind kind,
				 const struct kb_parent parents[],
				 size_t count)
{
	struct kb_json *record = kb_json_object();
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < count; i++) {
		struct kb_json *parent = kb_json_object();

		kb_json_set_string(parent, "kind", kinds[parents[i].kind]);
		kb_put_digest(parent, "id", &parents[i].id);
		kb_json_append(array, parent);
	}
	kb_json_set_string(record, "kind", kinds[kind]);
	kb_json_set_int(record, "schema_version", versions[kind]);
	kb_json_set(record, "parents", array);
	return record;
}

struct kb_json *kb_record_new(enum kb_kind kind,
			      const struct kb_digest parents[])
{
	const size_t count = parents ? parents_of[kind].count : 0;
	struct kb_parent list[PARENTS];

	for (size_t i = 0; i < count; i++)
		list[i] = (struct kb_parent){
			.kind = parents_of[kind].kinds[i], .id = parents[i],
		};
	return kb_record_new_of(kind, list, count);
}

/* The kind that parent `i` should have, if the one before is of kind `last`
 * and this one says that it is of kind `found`. */
static enum kb_kind wanted_parent(enum kb_kind kind, size_t i, enum kb_kind last,
				  enum kb_kind found)
{
	if (i < parents_of[kind].count)
		return parents_of[kind].kinds[i];
	return found == KB_KIND_BASELINE && last != KB_KIND_BASELINE &&
	       last != KB_KIND_EVALUATION ? KB_KIND_BASELINE
					  : KB_KIND_EVALUATION;
}

static void read_parent(struct kb_fields *f, const struct kb_json *v,
			enum kb_kind kind, size_t i,
			struct kb_parent parents[])
{
	const enum kb_kind last = i ? parents[i - 1].kind : KB_KIND_COUNT;
	struct kb_parent *p = &parents[i];
	struct kb_fields inner;
	enum kb_kind want;

	if (f->ret < 0)
		return;
	kb_fields_begin(&inner, v, f->where, f->err);
	p->kind = (enum kb_kind)kb_fields_word(&inner, "kind", kinds,
					       KB_KIND_COUNT);
	p->id = kb_fields_digest(&inner, "id");
	want = wanted_parent(kind, i, last, p->kind);
	if (p->kind != want)
		kb_fields_fail(&inner, "a parent's kind is '%s', want '%s'",
			       kinds[p->kind], kinds[want]);
	f->ret = kb_fields_end(&inner);
}

static bool count_fits(enum kb_kind kind, size_t count)
{
	const size_t want = parents_of[kind].count;

	if (parents_of[kind].may_have_more)
		return count >= want && count <= KB_PARENTS_MAX;
	return count == want || (!count && parents_of[kind].may_have_none);
}

/* Returns how many there are. */
static size_t read_parents(struct kb_fields *f, enum kb_kind kind,
			   struct kb_parent parents[KB_PARENTS_MAX])
{
	const struct kb_json *array = kb_fields_array(f, "parents");
	const size_t count = array ? kb_json_count(array) : 0;
	const struct kb_json *v;

	if (!array)
		return 0;
	if (!count_fits(kind, count)) {
		kb_fields_fail(f, "has %zu parents, want %zu for a %s", count,
			       parents_of[kind].count, kinds[kind]);
		return 0;
	}
	v = kb_json_first(array);
	for (size_t i = 0; i < count; i++, v = kb_json_next(v))
		read_parent(f, v, kind, i, parents);
	return count;
}

bool kb_record_has_parents(const struct kb_fields *f)
{
	return kb_json_count(kb_json_find(f->object, "parents")) > 0;
}

static enum kb_kind read_kind(struct kb_fields *f)
{
	return (enum kb_kind)kb_fields_word(f, "kind", kinds, KB_KIND_COUNT);
}

static void read_version(struct kb_fields *f, enum kb_kind kind)
{
	kb_fields_int(f, "schema_version", versions[kind], versions[kind]);
}

/* No kb_fields_end() here: the members behind the head are not known to who
 * asks only for the kind. */
int kb_record_head(const struct kb_json *record, enum kb_kind *kind,
		   struct kb_parent parents[KB_PARENTS_MAX], size_t *count,
		   const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, record, where, err);
	*kind = read_kind(&f);
	read_version(&f, *kind);
	*count = read_parents(&f, *kind, parents);
	return f.ret;
}

void kb_record_begin(struct kb_fields *f, const struct kb_json *record,
		     enum kb_kind kind, struct kb_digest ids[],
		     const char *where, struct kb_err *err)
{
	struct kb_parent parents[KB_PARENTS_MAX];
	enum kb_kind found;
	size_t count;

	kb_fields_begin(f, record, where, err);
	found = read_kind(f);
	if (found != kind)
		kb_fields_fail(f, "its kind is '%s', want '%s', which "
			       "'%s' makes", kinds[found], kinds[kind],
			       makers[kind]);
	read_version(f, kind);
	count = read_parents(f, kind, parents);
	for (size_t i = 0; f->ret == 0 && i < count &&
			   i < parents_of[kind].count; i++)
		ids[i] = parents[i].id;
}

int kb_record_load(struct kb_json **out, const struct kb_bundle *b,
		   struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	int ret;

	ret = kb_bundle_read(&buf, b, KB_BUNDLE_RECORD, KB_RECORD_BYTES_MAX,
			     err);
	if (ret < 0)
		return ret;
	return kb_json_parse(out, buf.data, buf.len, KB_JSON_CANONICAL,
			     KB_BUNDLE_RECORD, err);
}

int kb_record_kind(enum kb_kind *kind, const struct kb_bundle *b,
		   struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = NULL;
	struct kb_parent parents[KB_PARENTS_MAX];
	size_t count;
	int ret;

	ret = kb_record_load(&record, b, err);
	if (ret < 0)
		return ret;
	return kb_record_head(record, kind, parents, &count, KB_BUNDLE_RECORD,
			      err);
}

int kb_record_write(struct kb_bundle_writer *w, struct kb_json *record,
		    struct kb_err *err)
{
	kb_auto(json) struct kb_json *owned = record;
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;

	kb_json_print(&buf, owned);
	return kb_bundle_writer_add(w, KB_BUNDLE_RECORD, buf.data, buf.len,
				    err);
}

int kb_record_member(const struct kb_bundle *b, const char *file,
		     const struct kb_digest *digest, uint64_t size_bytes,
		     struct kb_err *err)
{
	const struct kb_bundle_member *m = kb_bundle_find(b, file);

	if (!m)
		return kb_err(err, KB_ERR_INPUT,
			      "the record names '%s', which is not there",
			      file);
	if (m->size_bytes != size_bytes ||
	    !kb_digest_equal(&m->digest, digest))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is not the file that the record names",
			      file);
	return 0;
}

int kb_record_members(const struct kb_bundle *b, size_t count,
		      struct kb_err *err)
{
	if (b->member_count != count)
		return kb_err(err, KB_ERR_INPUT,
			      "the bundle has %zu members, but the record accounts for %zu",
			      b->member_count, count);
	return 0;
}
