#include "manifest/usage.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"

void kb_usage_to_json(struct kb_json *object, const struct kb_usage *u)
{
	kb_put_int(object, "input_tokens", u->input_tokens);
	kb_put_int(object, "cached_tokens", u->cached_tokens);
	kb_put_int(object, "output_tokens", u->output_tokens);
	kb_put_int(object, "reasoning_tokens", u->reasoning_tokens);
}

static int64_t read_tokens(struct kb_fields *f, const char *key)
{
	return kb_fields_int_or_null(f, key, 0, KB_JSON_INT_MAX);
}

void kb_usage_read(struct kb_usage *out, struct kb_fields *f)
{
	out->input_tokens = read_tokens(f, "input_tokens");
	out->cached_tokens = read_tokens(f, "cached_tokens");
	out->output_tokens = read_tokens(f, "output_tokens");
	out->reasoning_tokens = read_tokens(f, "reasoning_tokens");
	if (!kb_usage_valid(out))
		kb_fields_fail(f, "a part of the tokens is more than the whole");
}

bool kb_usage_equal(const struct kb_usage *a, const struct kb_usage *b)
{
	return a->input_tokens == b->input_tokens &&
	       a->cached_tokens == b->cached_tokens &&
	       a->output_tokens == b->output_tokens &&
	       a->reasoning_tokens == b->reasoning_tokens;
}

/* KB_UNKNOWN is less than any count. */
bool kb_usage_valid(const struct kb_usage *u)
{
	return u->cached_tokens <= u->input_tokens &&
	       u->reasoning_tokens <= u->output_tokens;
}

void kb_prices_release(struct kb_prices *p)
{
	free(p->currency);
	free(p->input_per_million);
	free(p->cached_per_million);
	free(p->output_per_million);
	*p = (struct kb_prices)KB_PRICES_INIT;
}

struct kb_json *kb_prices_to_json(const struct kb_prices *p)
{
	struct kb_json *v;

	if (!p->currency)
		return kb_json_null();
	v = kb_json_object();
	kb_json_set_string(v, "currency", p->currency);
	kb_json_set_string(v, "input_per_million", p->input_per_million);
	kb_json_set_string(v, "cached_per_million", p->cached_per_million);
	kb_json_set_string(v, "output_per_million", p->output_per_million);
	return v;
}

/* A price is in millionths of the currency for a million tokens, which is
 * billionths of a thousandth for one. */
int64_t kb_decimal_micro(const char *text)
{
	const char *p = text, *point;
	int64_t n = 0;
	int digits = 0;

	/* Bounded before it is added up. */
	if (strlen(text) > KB_PRICE_WHOLE_DIGITS + 1 + KB_PRICE_DIGITS)
		return -1;
	for (; *p >= '0' && *p <= '9'; p++)
		n = 10 * n + (*p - '0');
	if (p == text || p - text > KB_PRICE_WHOLE_DIGITS ||
	    (*text == '0' && p - text > 1))
		return -1;
	point = p;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9' && digits <= KB_PRICE_DIGITS;
		     p++, digits++)
			n = 10 * n + (*p - '0');
	if (*p || digits > KB_PRICE_DIGITS || (*point && !digits))
		return -1;
	for (; digits < KB_PRICE_DIGITS; digits++)
		n *= 10;
	return n;
}

static int check_price(const char *text, const char *name, struct kb_err *err)
{
	if (kb_decimal_micro(text) < 0)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is no price, as 0.15, of at most %d digits after the point: '%s'",
			      name, KB_PRICE_DIGITS, text);
	return 0;
}

int kb_prices_check(const struct kb_prices *p, struct kb_err *err)
{
	int ret;

	if (!p->currency || !*p->currency)
		return kb_err(err, KB_ERR_INPUT, "prices have no currency");
	if (!p->input_per_million || !p->output_per_million)
		return kb_err(err, KB_ERR_INPUT,
			      "there is no price of %s",
			      p->input_per_million ? "output" : "input");
	ret = check_price(p->input_per_million, "input_per_million", err);
	if (ret == 0 && p->cached_per_million)
		ret = check_price(p->cached_per_million, "cached_per_million",
				  err);
	if (ret == 0)
		ret = check_price(p->output_per_million, "output_per_million",
				  err);
	return ret;
}

void kb_prices_read(struct kb_prices *out, struct kb_fields *f,
		    const char *key)
{
	const struct kb_json *v;
	struct kb_err why = KB_ERR_INIT;
	struct kb_fields inner;

	if (kb_fields_null(f, key))
		return;
	v = kb_fields_object(f, key);
	if (!v)
		return;
	kb_fields_begin(&inner, v, f->where, f->err);
	out->currency = kb_fields_string(&inner, "currency");
	out->input_per_million = kb_fields_string(&inner, "input_per_million");
	out->cached_per_million =
		kb_fields_string_or_null(&inner, "cached_per_million");
	out->output_per_million =
		kb_fields_string(&inner, "output_per_million");
	if (inner.ret == 0 && kb_prices_check(out, &why) < 0)
		kb_fields_fail(&inner, "%s", why.msg);
	f->ret = kb_fields_end(&inner);
}

static int64_t known_tokens(int64_t tokens)
{
	return tokens == KB_UNKNOWN ? 0 : tokens;
}

int64_t kb_prices_cost_nano(const struct kb_prices *p,
			    const struct kb_usage *u)
{
	/* Cached tokens are among those of the input, as OpenAI's interface
	 * counts them, and reasoning tokens among those of the output: to add
	 * them up again would charge them twice. */
	const int64_t cached = known_tokens(u->cached_tokens);
	__int128 pico;

	if (!p->currency)
		return KB_UNKNOWN;
	pico = (__int128)(known_tokens(u->input_tokens) - cached) *
	       kb_decimal_micro(p->input_per_million);
	pico += (__int128)cached *
		/* Without a price of their own, cached tokens cost what any
		 * input costs. */
		kb_decimal_micro(p->cached_per_million ? p->cached_per_million
						  : p->input_per_million);
	pico += (__int128)known_tokens(u->output_tokens) *
		kb_decimal_micro(p->output_per_million);
	return pico / 1000 > KB_JSON_INT_MAX ? KB_UNKNOWN
					     : (int64_t)(pico / 1000);
}
