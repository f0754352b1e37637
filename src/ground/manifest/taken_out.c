#include "manifest/taken_out.h"

#include <string.h>

#include "base/alloc.h"
#include "json/json.h"

#define SEPARATOR ": "

char *kb_taken_out_text(const char *id, const char *reason)
{
	return kb_xasprintf("%s" SEPARATOR "%s", id, reason);
}

/* An id may have a colon in it, where it is a hash, and no blank. */
char *kb_taken_out_id(const char *text)
{
	const char *end = strstr(text, SEPARATOR);

	if (!end || end == text || !end[strlen(SEPARATOR)])
		return NULL;
	return kb_xstrndup(text, (size_t)(end - text));
}

static struct kb_json *each_once(const struct kb_json *texts)
{
	struct kb_json *list = kb_json_array();

	for (const struct kb_json *v = kb_json_first(texts); v;
	     v = kb_json_next(v)) {
		const struct kb_json *had = kb_json_first(list);

		while (had && !kb_json_equal(had, v))
			had = kb_json_next(had);
		if (!had)
			kb_json_append(list, kb_json_copy(v));
	}
	return list;
}

static struct kb_json *gpu_with(const struct kb_json *gpu,
				const struct kb_json *texts)
{
	struct kb_json *out = kb_json_object();

	for (const struct kb_json *v = kb_json_first(gpu); v;
	     v = kb_json_next(v))
		if (strcmp(kb_json_key(v), KB_TAKEN_OUT_MEMBER))
			kb_json_set(out, kb_json_key(v), kb_json_copy(v));
	if (kb_json_first(texts))
		kb_json_set(out, KB_TAKEN_OUT_MEMBER, each_once(texts));
	return out;
}

struct kb_json *kb_taken_out_replace(const struct kb_json *environment,
				     const struct kb_json *texts)
{
	struct kb_json *out = kb_json_object();

	for (const struct kb_json *v = kb_json_first(environment); v;
	     v = kb_json_next(v))
		kb_json_set(out, kb_json_key(v),
			    strcmp(kb_json_key(v), "gpu") ?
				    kb_json_copy(v) : gpu_with(v, texts));
	return out;
}
