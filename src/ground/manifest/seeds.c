#include "manifest/seeds.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/fields.h"
#include "store/quote.h"

static bool has_seed(const struct kb_seeds *seeds, int64_t seed)
{
	for (size_t i = 0; i < seeds->count; i++)
		if (seeds->items[i] == seed)
			return true;
	return false;
}

/* Digits alone, and no zero before them. */
static bool parse_seed(int64_t *seed, const char *text)
{
	long long value;

	if (!*text || text[strspn(text, "0123456789")] ||
	    (text[0] == '0' && text[1]))
		return false;
	errno = 0;
	value = strtoll(text, NULL, 10);
	*seed = value;
	return !errno && value <= KB_WEIGHTS_SEED_MAX;
}

static int add_seed(struct kb_seeds *seeds, const char *text,
		    struct kb_err *err)
{
	int64_t seed;

	if (!parse_seed(&seed, text))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is no seed, an integer from 0 to %" PRId64,
			      kb_quote_str(text).text, KB_WEIGHTS_SEED_MAX);
	if (has_seed(seeds, seed))
		return kb_err(err, KB_ERR_INPUT, "%" PRId64 " is there twice",
			      seed);
	if (seeds->count == KB_SEEDS_MAX)
		return kb_err(err, KB_ERR_INPUT, "there are more than %d",
			      KB_SEEDS_MAX);
	seeds->items[seeds->count++] = seed;
	return 0;
}

int kb_seeds_parse(struct kb_seeds *seeds, const char *list,
		   struct kb_err *err)
{
	int ret = 0;

	*seeds = (struct kb_seeds){ .count = 0 };
	for (const char *rest = list; rest && ret >= 0;) {
		const size_t len = strcspn(rest, ",");
		kb_auto(mem) char *text = kb_xstrndup(rest, len);

		ret = add_seed(seeds, text, err);
		rest = rest[len] ? rest + len + 1 : NULL;
	}
	if (ret >= 0)
		return 0;
	*seeds = (struct kb_seeds){ .count = 0 };
	return kb_err_wrap(err, "seeds '%s'", kb_quote_str(list).text);
}

char *kb_seeds_format(const struct kb_seeds *seeds)
{
	struct kb_buf text = KB_BUF_INIT;

	kb_buf_addstr(&text, "");
	for (size_t i = 0; i < seeds->count; i++)
		kb_buf_addf(&text, "%s%" PRId64, i ? "," : "",
			    seeds->items[i]);
	return kb_buf_detach(&text);
}

struct kb_json *kb_seeds_to_json(const struct kb_seeds *seeds)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < seeds->count; i++)
		kb_json_append(array, kb_json_int(seeds->items[i]));
	return array;
}

static void read_seed(struct kb_seeds *seeds, struct kb_fields *f,
		      const char *key, const struct kb_json *v)
{
	int64_t seed = -1;

	if (kb_json_type(v) == KB_JSON_INT)
		seed = kb_json_int_value(v);
	if (seed < 0)
		kb_fields_fail(f, "'%s' has an element that is no seed", key);
	else if (has_seed(seeds, seed))
		kb_fields_fail(f, "'%s' has %" PRId64 " twice", key, seed);
	else if (seeds->count == KB_SEEDS_MAX)
		kb_fields_fail(f, "'%s' has more than %d elements", key,
			       KB_SEEDS_MAX);
	else
		seeds->items[seeds->count++] = seed;
}

void kb_seeds_read(struct kb_seeds *seeds, struct kb_fields *f,
		   const char *key)
{
	const struct kb_json *array;

	*seeds = (struct kb_seeds){ .count = 0 };
	if (!kb_fields_has(f, key))
		return;
	array = kb_fields_array(f, key);
	if (!array)
		return;
	if (!kb_json_first(array))
		kb_fields_fail(f, "'%s' is empty", key);
	for (const struct kb_json *v = kb_json_first(array); v && f->ret >= 0;
	     v = kb_json_next(v))
		read_seed(seeds, f, key, v);
}
