#include "manifest/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/numbers.h"
#include "json/json.h"
#include "manifest/fields.h"

void kb_share_release(struct kb_share *s)
{
	free(s->exact);
	*s = (struct kb_share){ .exact = NULL };
}

static __int128 common_divisor(__int128 a, __int128 b)
{
	while (b) {
		const __int128 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void add_digits(struct kb_buf *out, __int128 n)
{
	if (n >= 10)
		add_digits(out, n / 10);
	kb_buf_addch(out, (char)('0' + (int)(n % 10)));
}

void kb_share_of(struct kb_share *out, __int128 part, __int128 whole)
{
	struct kb_buf text = KB_BUF_INIT;
	__int128 divisor;

	if (!whole)
		whole = 1;
	divisor = common_divisor(whole, part);
	add_digits(&text, part / divisor);
	kb_buf_addch(&text, '/');
	add_digits(&text, whole / divisor);
	out->exact = kb_buf_detach(&text);
	out->ppm = (int64_t)((2 * part * KB_PPM + whole) / (2 * whole));
}

struct kb_json *kb_share_to_json(const struct kb_share *s)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "exact", s->exact);
	kb_json_set_int(v, "ppm", s->ppm);
	return v;
}

/* A number as we write it: digits, the first of which is not a needless 0. */
static size_t natural_len(const char *text)
{
	const size_t len = strspn(text, "0123456789");

	return len > 1 && *text == '0' ? 0 : len;
}

static bool is_fraction(const char *text)
{
	const size_t over = natural_len(text);
	const char *under = text + over + 1;

	return over && text[over] == '/' && *under != '0' &&
	       natural_len(under) && !under[natural_len(under)];
}

int kb_share_from_json(struct kb_share *s, const struct kb_json *v,
		       const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	s->exact = kb_fields_string(&f, "exact");
	s->ppm = kb_fields_int(&f, "ppm", 0, KB_PPM);
	if (s->exact && !is_fraction(s->exact))
		kb_fields_fail(&f, "'exact' is not a fraction as we write it");
	return kb_fields_end(&f);
}
