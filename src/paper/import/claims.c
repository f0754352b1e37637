#include "import/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "json/json.h"

void kb_claims_release(struct kb_claims *c)
{
	kb_claims_drop_files(c);
	free(c->items);
	*c = (struct kb_claims)KB_CLAIMS_INIT;
}

void kb_claims_add(struct kb_claims *c, const struct kb_claim *item)
{
	c->items = kb_grow(c->items, c->count, &c->capacity,
			   sizeof(*c->items));
	c->items[c->count++] = *item;
}

void kb_claims_drop_files(struct kb_claims *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->items[i].file);
		c->items[i].file = NULL;
	}
}

static int order_claims(const void *a, const void *b)
{
	const struct kb_claim *x = a, *y = b;
	const int order = kb_key_compare(x->key, y->key);

	if (order)
		return order;
	return strcmp(x->file ? x->file : "", y->file ? y->file : "");
}

int kb_claims_sort(struct kb_claims *c, const char *name, struct kb_err *err)
{
	char key[KB_KEY_SIZE];

	if (c->count > 1)
		qsort(c->items, c->count, sizeof(*c->items), order_claims);
	for (size_t i = 1; i < c->count; i++) {
		if (order_claims(&c->items[i - 1], &c->items[i]))
			continue;
		kb_key_format(key, c->items[i].key);
		return kb_err(err, KB_ERR_INPUT, "%s: has problem '%s' twice",
			      name, key);
	}
	return 0;
}

const struct kb_claim *kb_claims_find(const struct kb_claims *c,
				      struct kb_key key, const char *file)
{
	const struct kb_claim wanted = { .key = key, .file = (char *)file };

	if (!c->count)
		return NULL;
	return bsearch(&wanted, c->items, c->count, sizeof(*c->items),
		       order_claims);
}

int kb_claim_problem_id(const char *text, size_t len)
{
	int id = 0;

	if (!len || text[0] == '0')
		return 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		id = 10 * id + text[i] - '0';
		if (id > KB_PROBLEM_ID_MAX)
			return 0;
	}
	return id;
}

int kb_claim_number(double *out, const struct kb_json *object, const char *key,
		    const char *where, struct kb_err *err)
{
	const struct kb_json *v = kb_json_find(object, key);
	enum kb_json_type type;

	if (!v)
		return kb_err(err, KB_ERR_INPUT, "%s: '%s' is missing", where,
			      key);
	type = kb_json_type(v);
	if (type != KB_JSON_INT && type != KB_JSON_FLOAT)
		return kb_err(err, KB_ERR_INPUT, "%s: '%s' is %s, want a number",
			      where, key, kb_json_type_name(type));
	*out = kb_json_number_value(v);
	if (fabs(*out) < KB_CLAIM_MIN || fabs(*out) > KB_CLAIM_MAX)
		return kb_err(err, KB_ERR_INPUT, "%s: '%s' is out of range",
			      where, key);
	return 0;
}
