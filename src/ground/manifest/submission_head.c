#include "manifest/submission_head.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/record.h"
#include "manifest/submission.h"
#include "store/bundle.h"

/*
 * A submission may have hundreds of thousands of candidates. This is a scanner
 * of brackets and strings that cuts their array out of the text and hands each
 * element over by itself, so that memory does not grow with their number. What
 * is left, and each element, goes through the strict parser then, which refuses
 * whatever the scanner misunderstood.
 */

static bool ends_with(const struct kb_buf *b, const char *end)
{
	const size_t n = strlen(end);

	return b->len >= n && !memcmp(b->data + b->len - n, end, n);
}

/* A bracket that is no part of a string. Strings are not followed by one, so
 * what stands before it is a key. */
static void open_container(struct kb_head_text *t)
{
	if (t->depth == 1 && ends_with(t->out, "\"candidates\":"))
		t->skipped = t->depth;
	t->depth++;
}

/* Bytes in the array, or in an object there. */
static bool is_in_one(const struct kb_head_text *t)
{
	return t->one && t->skipped && t->depth > t->skipped + 1;
}

static void end_one(struct kb_head_text *t)
{
	if (!t->one->len)
		return;
	t->take(t->into, t->one);
	kb_buf_clear(t->one);
}

static void take_structure(struct kb_head_text *t, char c)
{
	const bool was_skipped = t->skipped, was_in_one = is_in_one(t);

	t->in_string = c == '"';
	if (c == '{' || c == '[')
		open_container(t);
	else if ((c == '}' || c == ']') && t->depth && --t->depth == t->skipped)
		t->skipped = 0;
	/* Its brackets stay, as of an empty array. */
	if (!was_skipped || !t->skipped)
		kb_buf_addch(t->out, c);
	if (was_in_one || is_in_one(t))
		kb_buf_addch(t->one, c);
	if (was_in_one && !is_in_one(t))
		end_one(t);
}

static void take_character(struct kb_head_text *t, char c)
{
	if (!t->in_string) {
		take_structure(t, c);
		return;
	}
	if (t->escaped)
		t->escaped = false;
	else if (c == '\\')
		t->escaped = true;
	else if (c == '"')
		t->in_string = false;
	if (!t->skipped)
		kb_buf_addch(t->out, c);
	if (is_in_one(t))
		kb_buf_addch(t->one, c);
}

void kb_head_text_take(struct kb_head_text *t, const char *piece, size_t len)
{
	for (size_t i = 0; i < len; i++)
		take_character(t, piece[i]);
}

static int take_piece(void *into, const char *piece, size_t len,
		      struct kb_err *err)
{
	(void)err;
	kb_head_text_take(into, piece, len);
	return 0;
}

static int read_head(struct kb_submission_head *out,
		     const struct kb_buf *text, struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = NULL;
	struct kb_fields f;
	int ret;

	ret = kb_json_parse(&record, text->data, text->len, KB_JSON_CANONICAL,
			    KB_BUNDLE_RECORD, err);
	if (ret < 0)
		return ret;
	kb_record_begin(&f, record, KB_KIND_SUBMISSION, &out->generation,
			KB_BUNDLE_RECORD, err);
	out->has_generation = f.ret == 0 && kb_record_has_parents(&f);
	kb_provenance_read(&out->provenance, &f);
	kb_fields_text(&f, "source_format");
	kb_fields_array(&f, "candidates");
	return kb_fields_end(&f);
}

void kb_submission_head_release(struct kb_submission_head *h)
{
	kb_provenance_release(&h->provenance);
	*h = (struct kb_submission_head)KB_SUBMISSION_HEAD_INIT;
}

/* Candidates on their way from the text to whom they are for. */
struct candidates {
	void (*take)(void *into, const struct kb_candidate *c);
	void *into;
	struct kb_candidate last;	/* without its file's name */
	size_t count;
	int ret;			/* the first failure */
	struct kb_err err;
};

static int read_candidate(struct kb_candidate *c, const struct kb_buf *text,
			  struct kb_err *err)
{
	kb_auto(json) struct kb_json *v = NULL;
	int ret = kb_json_parse(&v, text->data, text->len, KB_JSON_CANONICAL,
				KB_BUNDLE_RECORD, err);

	return ret < 0 ? ret : kb_candidate_from_json(c, v, KB_BUNDLE_RECORD,
						      err);
}

static bool is_after(const struct kb_candidate *c,
		     const struct kb_candidate *last)
{
	return kb_sample_compare(last->key, last->sample_id, c->key,
				 c->sample_id) < 0;
}

static void take_one(void *into, const struct kb_buf *text)
{
	struct candidates *s = into;
	struct kb_candidate c = { .file = NULL };

	if (s->ret == 0)
		s->ret = read_candidate(&c, text, &s->err);
	if (s->ret == 0 && s->count && !is_after(&c, &s->last))
		s->ret = kb_err(&s->err, KB_ERR_INPUT,
				"%s: 'candidates' is not sorted, or has one "
				"twice", KB_BUNDLE_RECORD);
	if (s->ret == 0)
		s->take(s->into, &c);
	/* The name follows from the rest, and `last` is kept only to compare
	 * the order. */
	free(c.file);
	c.file = NULL;
	s->last = c;
	s->count++;
}

static int load_head(struct kb_submission_head *out, const struct kb_bundle *b,
		     struct kb_head_text *head, struct kb_err *err)
{
	int ret;

	*out = (struct kb_submission_head)KB_SUBMISSION_HEAD_INIT;
	ret = kb_bundle_read_pieces(b, KB_BUNDLE_RECORD, KB_RECORD_BYTES_MAX,
				    take_piece, head, err);
	if (ret == 0)
		ret = read_head(out, head->out, err);
	if (ret < 0)
		kb_submission_head_release(out);
	return ret;
}

int kb_submission_each(struct kb_submission_head *out,
		       const struct kb_bundle *b,
		       void (*take)(void *into, const struct kb_candidate *c),
		       void *into, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT, one = KB_BUF_INIT;
	struct candidates s = { .take = take, .into = into };
	struct kb_head_text head = {
		.out = &text, .one = &one, .take = take_one, .into = &s,
	};
	int ret = load_head(out, b, &head, err);

	if (ret == 0 && s.ret < 0) {
		kb_submission_head_release(out);
		return kb_err_take(err, &s.err);
	}
	return ret;
}
