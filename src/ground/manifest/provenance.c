#include "manifest/provenance.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/text.h"
#include "json/json.h"
#include "manifest/fields.h"

#define DIGITS "0123456789"

static bool is_decimal(const char *text)
{
	return kb_number_valid(text) && *text != '-';
}

/* `shape` has '0' where a digit goes; the rest stands for itself. */
static bool has_shape(const char *text, const char *shape)
{
	for (; *shape; text++, shape++) {
		if (*shape == '0' ? !*text || !strchr(DIGITS, *text)
				  : *text != *shape)
			return false;
	}
	return *text == '\0';
}

static int number_of(const char *digits, int count)
{
	int n = 0;

	while (count--)
		n = 10 * n + (*digits++ - '0');
	return n;
}

static bool in_range(const char *two, int min, int max)
{
	int n = number_of(two, 2);

	return n >= min && n <= max;
}

/* Month and day, which both forms of a date have. */
static bool is_day(const char *text)
{
	return in_range(text + 5, 1, 12) && in_range(text + 8, 1, 31);
}

/* A minute may have 60 seconds when there is a leap second. */
bool kb_time_valid(const char *text)
{
	return has_shape(text, "0000-00-00T00:00:00Z") && is_day(text) &&
	       in_range(text + 11, 0, 23) && in_range(text + 14, 0, 59) &&
	       in_range(text + 17, 0, 60);
}

bool kb_day_exists(const char *text)
{
	static const int days[] = {
		31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
	};
	const int year = number_of(text, 4), month = number_of(text + 5, 2);
	const bool is_leap = (year % 4 == 0 && year % 100) || year % 400 == 0;

	return year && in_range(text + 8, 1, days[month - 1] +
					     (month == 2 && is_leap));
}

static bool is_date(const char *text)
{
	return kb_time_valid(text) ||
	       (has_shape(text, "0000-00-00") && is_day(text));
}

static bool is_text(const char *text)
{
	return *text != '\0';
}

static bool is_sha256(const char *text)
{
	return kb_hex_valid(text, 64);
}

/* Every field stands in one of these two tables and nowhere else. */
#define AT(field) #field, offsetof(struct kb_provenance, field)

static const struct {
	const char *key;
	size_t offset;
	bool (*valid)(const char *text);
	const char *fault;
	bool is_optional;		/* in a record: absent, and not null */
} texts[] = {
	{ AT(display_name), is_text, "empty", false },
	{ AT(organization), is_text, "empty", false },
	{ AT(model), is_text, "empty", false },
	{ AT(server_type), is_text, "empty", false },
	{ AT(temperature), is_decimal, "not a decimal of 0 or more", false },
	{ AT(top_p), is_decimal, "not a decimal of 0 or more", false },
	{ AT(prompt_sha256), is_sha256, "not 64 lower-case hex digits", false },
	{ AT(date), is_date,
	  "not of the form '2026-11-21' or '2026-11-21T12:00:00Z'", false },
	{ AT(run_name), is_text, "empty", false },
	{ AT(notes), is_text, "empty", false },
	{ AT(precision), is_text, "empty", true },
	{ AT(backend), is_text, "empty", true },
};

static const struct {
	const char *key;
	size_t offset;
	int64_t min;
} numbers[] = {
	{ AT(max_tokens), 1 },
	{ AT(seed), -KB_JSON_INT_MAX },
	{ AT(samples_per_problem), 1 },
};

static char **text_at(struct kb_provenance *p, size_t i)
{
	return (char **)((char *)p + texts[i].offset);
}

static const char *get_text(const struct kb_provenance *p, size_t i)
{
	return *(char *const *)((const char *)p + texts[i].offset);
}

static int64_t *number_at(struct kb_provenance *p, size_t i)
{
	return (int64_t *)((char *)p + numbers[i].offset);
}

static int64_t get_number(const struct kb_provenance *p, size_t i)
{
	return *(const int64_t *)((const char *)p + numbers[i].offset);
}

void kb_provenance_release(struct kb_provenance *p)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++)
		free(*text_at(p, i));
	*p = (struct kb_provenance)KB_PROVENANCE_INIT;
}

int kb_provenance_check(const struct kb_provenance *p, const char *where,
			struct kb_err *err)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		const char *text = get_text(p, i);

		if (text && !texts[i].valid(text))
			return kb_err(err, KB_ERR_INPUT, "%s: '%s' is %s",
				      where, texts[i].key, texts[i].fault);
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++) {
		int64_t n = get_number(p, i);

		if (n != KB_UNKNOWN &&
		    (n < numbers[i].min || n > KB_JSON_INT_MAX))
			return kb_err(err, KB_ERR_INPUT,
				      "%s: '%s' is out of range", where,
				      numbers[i].key);
	}
	return 0;
}

int kb_provenance_check_new(const struct kb_provenance *p, const char *where,
			    struct kb_err *err)
{
	const int ret = kb_provenance_check(p, where, err);

	if (ret < 0 || !p->date || kb_day_exists(p->date))
		return ret;
	return kb_err(err, KB_ERR_INPUT, "%s: 'date' is '%s', and there is no "
		      "such day", where, p->date);
}

void kb_provenance_override(struct kb_provenance *p,
			    const struct kb_provenance *over)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		if (!get_text(over, i))
			continue;
		free(*text_at(p, i));
		*text_at(p, i) = kb_xstrdup(get_text(over, i));
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++)
		if (get_number(over, i) != KB_UNKNOWN)
			*number_at(p, i) = get_number(over, i);
}

void kb_provenance_agree(struct kb_provenance *p,
			 const struct kb_provenance *with,
			 void (*forget)(void *context, const char *field),
			 void *context)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		char **text = text_at(p, i);

		if (kb_text_equal(*text, get_text(with, i)))
			continue;
		if (*text && get_text(with, i))
			forget(context, texts[i].key);
		free(*text);
		*text = NULL;
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++) {
		int64_t *n = number_at(p, i);

		if (*n == get_number(with, i))
			continue;
		if (*n != KB_UNKNOWN && get_number(with, i) != KB_UNKNOWN)
			forget(context, numbers[i].key);
		*n = KB_UNKNOWN;
	}
}

void kb_provenance_to_json(struct kb_json *record,
			   const struct kb_provenance *p)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++)
		if (get_text(p, i) || !texts[i].is_optional)
			kb_json_set_string(record, texts[i].key,
					   get_text(p, i));
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++)
		kb_put_int(record, numbers[i].key, get_number(p, i));
}

void kb_provenance_read(struct kb_provenance *p, struct kb_fields *f)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++)
		if (!texts[i].is_optional || kb_fields_has(f, texts[i].key))
			*text_at(p, i) = kb_fields_string_or_null(
				f, texts[i].key);
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++)
		*number_at(p, i) = kb_fields_int_or_null(f, numbers[i].key,
							 numbers[i].min,
							 KB_JSON_INT_MAX);
	if (!f->ret)
		f->ret = kb_provenance_check(p, f->where, f->err);
}
