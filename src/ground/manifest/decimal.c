#include "manifest/decimal.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
#define DIGITS_MAX 9		/* that count */
#define ZEROS_MAX 3		/* after "0." */
#define EXPONENT_MAX 290	/* well within the range, on both sides */

/* The part before an exponent. */
struct mantissa {
	size_t whole, fraction;		/* digits before the point, after it */
	bool is_below_1;		/* "0." and digits, or "0" */
	size_t zeros;			/* after "0." */
};

/* Returns where it ends, or NULL if nothing is printed so. */
static const char *read_mantissa(struct mantissa *m, const char *p)
{
	m->whole = strspn(p, DIGITS);
	m->is_below_1 = *p == '0';
	if (!m->whole || (m->is_below_1 && m->whole > 1))
		return NULL;
	p += m->whole;
	m->fraction = m->zeros = 0;
	if (*p != '.')
		return p;
	p++;
	m->fraction = strspn(p, DIGITS);
	m->zeros = m->is_below_1 ? strspn(p, "0") : 0;
	p += m->fraction;
	return m->fraction && p[-1] != '0' ? p : NULL;
}

static bool is_fixed(const struct mantissa *m)
{
	if (m->is_below_1)
		return m->zeros <= ZEROS_MAX &&
		       m->fraction - m->zeros <= DIGITS_MAX;
	return m->whole + m->fraction <= DIGITS_MAX;
}

/* "e-05" and the like: what is printed without has none. */
static bool is_exponent(const char *p)
{
	const bool is_negative = p[1] == '-';
	const size_t digits = p[1] ? strspn(p + 2, DIGITS) : 0;
	int exponent;

	if (p[0] != 'e' || (p[1] != '+' && p[1] != '-') || digits < 2 ||
	    digits > 3 || p[2 + digits] || (digits == 3 && p[2] == '0'))
		return false;
	exponent = atoi(p + 2);
	return exponent >= (is_negative ? ZEROS_MAX + 2 : DIGITS_MAX) &&
	       exponent <= EXPONENT_MAX;
}

bool kb_decimal_is_printed(const char *text)
{
	struct mantissa m;
	const char *end = read_mantissa(&m, *text == '-' ? text + 1 : text);

	if (!end)
		return false;
	if (!*end)
		return is_fixed(&m);
	return !m.is_below_1 && m.whole == 1 && m.fraction < DIGITS_MAX &&
	       is_exponent(end);
}

void kb_decimal_print(char out[KB_DECIMAL_SIZE], double x)
{
	snprintf(out, KB_DECIMAL_SIZE, "%.9g", x);
}
