#ifndef KB_MANIFEST_USAGE_H
#define KB_MANIFEST_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/record.h"

struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * Tokens, as a server counts them: those of the prompt, of which some may
 * come from its cache, and those that the model wrote, of which some may be
 * its reasoning. KB_UNKNOWN is what it did not say.
 */
struct kb_usage {
	int64_t input_tokens;
	int64_t cached_tokens;		/* of the input */
	int64_t output_tokens;
	int64_t reasoning_tokens;	/* of the output */
};

#define KB_USAGE_INIT { KB_UNKNOWN, KB_UNKNOWN, KB_UNKNOWN, KB_UNKNOWN }
#define KB_TOKENS_MAX INT64_C(1000000000000)	/* of one answer */

/* Set the four members of `object`; and read them. */
void kb_usage_to_json(struct kb_json *object, const struct kb_usage *u);
void kb_usage_read(struct kb_usage *out, struct kb_fields *f);

bool kb_usage_equal(const struct kb_usage *a, const struct kb_usage *b);

/* A part is not more than the whole, nor known without it. */
bool kb_usage_valid(const struct kb_usage *u);

/*
 * The price of a million tokens, in a currency: decimals as they were given, of
 * at most KB_PRICE_WHOLE_DIGITS before the point and KB_PRICE_DIGITS after it.
 */
struct kb_prices {
	char *currency;			/* "USD"; NULL: there are no prices */
	char *input_per_million;
	char *cached_per_million;	/* or NULL: as other input */
	char *output_per_million;
};

#define KB_PRICES_INIT { .currency = NULL }
#define KB_PRICE_WHOLE_DIGITS 9
#define KB_PRICE_DIGITS 6

/* A decimal of such digits in millionths, or -1 if it is none. */
int64_t kb_decimal_micro(const char *text);

void kb_prices_release(struct kb_prices *p);

/* An object, or null if there are none. */
struct kb_json *kb_prices_to_json(const struct kb_prices *p);

/* The member `key`. If `f` has failed `out` may be filled in part; the
 * caller releases it. */
void kb_prices_read(struct kb_prices *out, struct kb_fields *f,
		    const char *key);

/* Fails with KB_ERR_INPUT; the message names the price. */
int kb_prices_check(const struct kb_prices *p, struct kb_err *err);

/*
 * The cost of `u` in billionths of the currency, rounded down. Unknown counts
 * of `u` cost nothing. KB_UNKNOWN if there are no prices, or if it is beyond
 * what a record can hold.
 */
int64_t kb_prices_cost_nano(const struct kb_prices *p,
			    const struct kb_usage *u);

static inline void kb_cleanup_prices(struct kb_prices *p)
{
	kb_prices_release(p);
}

#endif
