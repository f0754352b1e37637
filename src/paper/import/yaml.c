#include "import/yaml.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/cleanup.h"
#include "base/err.h"

/* libyaml looks at every level that is open for each token. */
#define DEPTH_MAX 64

struct reader {
	yaml_parser_t parser;
	size_t depth;			/* of lists and mappings */
	const char *name;		/* of the file */
	int (*take)(void *context, const struct kb_yaml_member *m,
		    struct kb_err *err);
	void *context;
	struct kb_err *err;
};

static void kb_cleanup_parser(struct reader *r)
{
	yaml_parser_delete(&r->parser);
}

static void kb_cleanup_event(yaml_event_t *e)
{
	yaml_event_delete(e);
}

static size_t line_of(const yaml_mark_t *mark)
{
	return mark->line + 1;
}

static int refuse_at(const struct reader *r, const yaml_mark_t *at,
		     const char *why)
{
	return kb_err(r->err, KB_ERR_INPUT, "line %zu of %s: %s", line_of(at),
		      r->name, why);
}

/* Where libyaml's reader of bytes gives up there is no mark. */
static int refuse_syntax(const struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	const bool is_of_bytes = p->error == YAML_READER_ERROR;
	const yaml_mark_t *at = is_of_bytes ? &p->mark : &p->problem_mark;

	if (p->error == YAML_MEMORY_ERROR)
		abort();
	return kb_err(r->err, KB_ERR_INPUT, "line %zu of %s: is not YAML: %s",
		      line_of(at), r->name, p->problem);
}

/* Into `e`, which is initialised and empty. */
static int next_event(struct reader *r, yaml_event_t *e)
{
	if (!yaml_parser_parse(&r->parser, e))
		return refuse_syntax(r);
	switch (e->type) {
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		if (++r->depth > DEPTH_MAX)
			return refuse_at(r, &e->start_mark, "is nested too deeply");
		return 0;
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		r->depth--;
		return 0;
	default:
		return 0;
	}
}

/* Up to the end of what has been begun above `depth`. */
static int skip_to(struct reader *r, size_t depth)
{
	while (r->depth > depth) {
		kb_auto(event) yaml_event_t e = { .type = YAML_NO_EVENT };
		int ret = next_event(r, &e);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* The scalar's text; NULL if it has a NUL, which libyaml takes. */
static const char *text_of(const yaml_event_t *e)
{
	const char *text = (const char *)e->data.scalar.value;

	return strlen(text) == e->data.scalar.length ? text : NULL;
}

static bool is_word(const char *text, const char *const words[])
{
	while (*words && strcmp(text, *words))
		words++;
	return *words;
}

/* A scalar without a tag is what it looks like if it is not quoted, and text if
 * it is. */
static enum kb_yaml_kind kind_of(const yaml_event_t *e)
{
	static const char *const nulls[] = {
		"", "~", "null", "Null", "NULL", NULL
	};
	static const char *const texts[] = {
		YAML_STR_TAG, YAML_INT_TAG, YAML_FLOAT_TAG, YAML_BOOL_TAG,
		"tag:yaml.org,2002:python/str",
		"tag:yaml.org,2002:python/unicode",
		"tag:yaml.org,2002:python/int",
		"tag:yaml.org,2002:python/float", NULL
	};
	const char *tag;

	if (e->type != YAML_SCALAR_EVENT || !text_of(e))
		return KB_YAML_OTHER;
	tag = (const char *)e->data.scalar.tag;
	if (e->data.scalar.plain_implicit)
		return is_word(text_of(e), nulls) ? KB_YAML_NULL : KB_YAML_TEXT;
	if (e->data.scalar.quoted_implicit || is_word(tag, texts))
		return KB_YAML_TEXT;
	return strcmp(tag, YAML_NULL_TAG) ? KB_YAML_OTHER : KB_YAML_NULL;
}

/* Reads the value behind `key`, which may be any event that begins one. */
static int read_member(struct reader *r, const yaml_event_t *key)
{
	kb_auto(event) yaml_event_t value = { .type = YAML_NO_EVENT };
	const size_t depth = r->depth;
	struct kb_yaml_member m = { .line = line_of(&key->start_mark) };
	int ret = next_event(r, &value);

	if (ret == 0)
		ret = skip_to(r, depth);
	if (ret < 0)
		return ret;
	if (key->type != YAML_SCALAR_EVENT || !text_of(key))
		return 0;
	m.key = text_of(key);
	m.kind = kind_of(&value);
	m.text = m.kind == KB_YAML_TEXT ? text_of(&value) : NULL;
	return r->take(r->context, &m, r->err);
}

static int read_members(struct reader *r)
{
	const size_t depth = r->depth;

	for (;;) {
		kb_auto(event) yaml_event_t key = { .type = YAML_NO_EVENT };
		int ret = next_event(r, &key);

		if (ret < 0 || key.type == YAML_MAPPING_END_EVENT)
			return ret;
		ret = skip_to(r, depth);
		if (ret == 0)
			ret = read_member(r, &key);
		if (ret < 0)
			return ret;
	}
}

static int read_document(struct reader *r)
{
	kb_auto(event) yaml_event_t root = { .type = YAML_NO_EVENT };
	kb_auto(event) yaml_event_t end = { .type = YAML_NO_EVENT };
	int ret = next_event(r, &root);

	if (ret < 0)
		return ret;
	if (root.type == YAML_MAPPING_START_EVENT)
		ret = read_members(r);
	else if (kind_of(&root) != KB_YAML_NULL)
		return refuse_at(r, &root.start_mark,
				 "is not a mapping of keys to values");
	return ret < 0 ? ret : next_event(r, &end);
}

static int read_stream(struct reader *r)
{
	for (size_t documents = 0;;) {
		kb_auto(event) yaml_event_t e = { .type = YAML_NO_EVENT };
		int ret = next_event(r, &e);

		if (ret < 0 || e.type == YAML_STREAM_END_EVENT)
			return ret;
		if (e.type != YAML_DOCUMENT_START_EVENT)
			continue;
		if (documents++)
			return refuse_at(r, &e.start_mark,
					 "a second document begins");
		ret = read_document(r);
		if (ret < 0)
			return ret;
	}
}

int kb_yaml_each(const void *data, size_t len, const char *name,
		 int (*take)(void *context, const struct kb_yaml_member *m,
			     struct kb_err *err),
		 void *context, struct kb_err *err)
{
	kb_auto(parser) struct reader r = {
		.name = name, .take = take, .context = context, .err = err,
	};

	if (!yaml_parser_initialize(&r.parser))
		abort();
	yaml_parser_set_input_string(&r.parser, len ? data : (const void *)"",
				     len);
	return read_stream(&r);
}
