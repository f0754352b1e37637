#include "verify/gpus.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/taken_out.h"
#include "score/remeasure.h"

/* The beginning of an id that is a hash. */
#define HASH "sha256:"

static bool is_text(const struct kb_json *v, const char *text)
{
	return v && kb_json_type(v) == KB_JSON_STRING &&
	       !strcmp(kb_json_string_value(v), text);
}

static bool has_text(const struct kb_json *list, const char *text)
{
	for (const struct kb_json *v = kb_json_first(list); v;
	     v = kb_json_next(v))
		if (is_text(v, text))
			return true;
	return false;
}

bool kb_gpus_have(const struct kb_json *gpu, const char *id)
{
	const struct kb_json *all = kb_json_find(gpu, "uuids");

	return is_text(kb_json_find(gpu, "uuid"), id) ||
	       (all && has_text(all, id));
}

/* Longer lists are not read further. */
static bool is_short(const struct kb_json *list)
{
	size_t count = 0;

	for (const struct kb_json *v = list ? kb_json_first(list) : NULL;
	     v && count <= KB_GPUS_MAX; v = kb_json_next(v))
		count++;
	return count <= KB_GPUS_MAX;
}

bool kb_gpus_are_few(const struct kb_json *gpu)
{
	const struct kb_json *all = kb_json_find(gpu, "uuids");

	return !all || kb_json_type(all) != KB_JSON_ARRAY || is_short(all);
}

/* A list may have several ids. */
static size_t count_ids(const struct kb_json *gpu)
{
	const struct kb_json *all = kb_json_find(gpu, "uuids");

	if (all && kb_json_type(all) == KB_JSON_ARRAY && kb_json_count(all))
		return kb_json_count(all);
	return kb_json_text(gpu, "uuid") != NULL;
}

static bool has_hashes(const struct kb_json *gpu)
{
	const char *id = kb_json_text(gpu, "uuid");

	return id && !strncmp(id, HASH, strlen(HASH));
}

void kb_gpus_compare(struct kb_gpus_again *out, const struct kb_json *gpu,
		     const char *const here[], size_t here_count,
		     bool is_salted)
{
	*out = (struct kb_gpus_again){ .claimed = 0 };
	if (!here_count || has_hashes(gpu) != is_salted)
		return;
	out->claimed = count_ids(gpu);
	if (!out->claimed)
		return;
	out->here = here_count;
	for (size_t i = 0; i < here_count; i++)
		out->same += kb_gpus_have(gpu, here[i]);
}

/* The value must be a list of texts, as its writer makes it. */
static int check_one(const struct kb_json *gpu, const struct kb_json *v,
		     struct kb_err *err)
{
	const char *text = kb_json_type(v) == KB_JSON_STRING ?
		kb_json_string_value(v) : "";
	kb_auto(mem) char *id = kb_taken_out_id(text);

	if (!id)
		return kb_err(err, KB_ERR_INPUT,
			      "'" KB_TAKEN_OUT_MEMBER "' has '%s', which is no id "
			      "and a reason", text);
	if (!kb_gpus_have(gpu, id))
		return kb_err(err, KB_ERR_INPUT,
			      "'" KB_TAKEN_OUT_MEMBER "' has '%s', which is none "
			      "of the environment's GPUs", id);
	for (const struct kb_json *o = kb_json_next(v); o; o = kb_json_next(o))
		if (is_text(o, text))
			return kb_err(err, KB_ERR_INPUT,
				      "'" KB_TAKEN_OUT_MEMBER "' has '%s' twice",
				      text);
	return 0;
}

static bool is_of_texts(const struct kb_json *list)
{
	for (const struct kb_json *v = kb_json_first(list); v;
	     v = kb_json_next(v))
		if (kb_json_type(v) != KB_JSON_STRING)
			return false;
	return true;
}

/* Several GPUs have a list of their ids, each once, its own among them. */
static int check_ids(const struct kb_json *gpu, struct kb_err *err)
{
	const struct kb_json *all = kb_json_find(gpu, "uuids");
	const char *own = kb_json_text(gpu, "uuid");

	if (!all)
		return 0;
	if (kb_json_type(all) != KB_JSON_ARRAY || kb_json_count(all) < 2 ||
	    !is_of_texts(all))
		return kb_err(err, KB_ERR_INPUT,
			      "'uuids' is no list of several GPUs");
	if (!own || !has_text(all, own))
		return kb_err(err, KB_ERR_INPUT, "'uuid' is not in 'uuids'");
	for (const struct kb_json *v = kb_json_first(all); v;
	     v = kb_json_next(v))
		for (const struct kb_json *o = kb_json_next(v); o;
		     o = kb_json_next(o))
			if (is_text(o, kb_json_string_value(v)))
				return kb_err(err, KB_ERR_INPUT, "'uuids' has "
					      "'%s' twice",
					      kb_json_string_value(v));
	return 0;
}

int kb_gpus_check(const struct kb_json *gpu, struct kb_err *err)
{
	const struct kb_json *list = kb_json_find(gpu, KB_TAKEN_OUT_MEMBER);
	int ret;

	if (!kb_gpus_are_few(gpu))
		return kb_err(err, KB_ERR_INPUT, "'uuids' has more than %d GPUs",
			      KB_GPUS_MAX);
	ret = check_ids(gpu, err);
	if (ret < 0 || !list)
		return ret;
	if (kb_json_type(list) == KB_JSON_ARRAY && !is_short(list))
		return kb_err(err, KB_ERR_INPUT, "'" KB_TAKEN_OUT_MEMBER "' has "
			      "more than %d GPUs", KB_GPUS_MAX);
	if (kb_json_type(list) != KB_JSON_ARRAY || !kb_json_first(list))
		return kb_err(err, KB_ERR_INPUT,
			      "'" KB_TAKEN_OUT_MEMBER "' is no list of GPUs");
	for (const struct kb_json *v = kb_json_first(list); v;
	     v = kb_json_next(v)) {
		ret = check_one(gpu, v, err);
		if (ret < 0)
			return ret;
	}
	return 1;
}
