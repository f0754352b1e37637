#include "manifest/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"

void kb_key_format(char out[KB_KEY_SIZE], struct kb_key key)
{
	int n = snprintf(out, KB_KEY_SIZE, "%d/%d", key.level, key.problem_id);

	if (n < 0 || n >= KB_KEY_SIZE)
		KB_BUG("a problem key is out of range");
}

/* Reads a number from 1 to `max`; returns what follows it, or NULL. */
static const char *parse_number(int *out, const char *p, int max)
{
	int n = 0;

	if (*p < '1' || *p > '9')
		return NULL;
	for (; *p >= '0' && *p <= '9'; p++) {
		n = 10 * n + (*p - '0');
		if (n > max)
			return NULL;
	}
	*out = n;
	return p;
}

int kb_key_parse(struct kb_key *out, const char *text, struct kb_err *err)
{
	struct kb_key key;
	const char *p = parse_number(&key.level, text, KB_LEVEL_MAX);

	if (p && *p == '/')
		p = parse_number(&key.problem_id, p + 1, KB_PROBLEM_ID_MAX);
	else
		p = NULL;
	if (!p || *p)
		return kb_err(err, KB_ERR_INPUT,
			      "problem '%s' is not of the form '1/19'", text);
	*out = key;
	return 0;
}

int kb_key_compare(struct kb_key a, struct kb_key b)
{
	if (a.level != b.level)
		return a.level < b.level ? -1 : 1;
	return (a.problem_id > b.problem_id) - (a.problem_id < b.problem_id);
}

int kb_sample_compare(struct kb_key a, int sample_a, struct kb_key b,
		      int sample_b)
{
	int order = kb_key_compare(a, b);

	if (order)
		return order;
	return (sample_a > sample_b) - (sample_a < sample_b);
}

static int compare_keys(const void *a, const void *b)
{
	return kb_key_compare(*(const struct kb_key *)a,
			      *(const struct kb_key *)b);
}

void kb_keys_sort(struct kb_key keys[], size_t count)
{
	if (count)
		qsort(keys, count, sizeof(keys[0]), compare_keys);
}

static struct kb_key key_at(const void *items, size_t size, size_t i)
{
	return *(const struct kb_key *)((const char *)items + i * size);
}

/* The first of a run of equal keys: a problem may have several samples, which
 * stand together. */
const void *kb_key_find(const void *items, size_t count, size_t size,
			struct kb_key key, size_t *run)
{
	size_t low = 0, high = count, end;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (kb_key_compare(key_at(items, size, mid), key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (end = low; end < count; end++)
		if (kb_key_compare(key_at(items, size, end), key))
			break;
	if (run)
		*run = end - low;
	return end > low ? (const char *)items + low * size : NULL;
}
