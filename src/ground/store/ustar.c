#include "store/ustar.h"

#include <string.h>

#include "base/alloc.h"

struct field {
	size_t at, len;
};

static const struct field texts[] = {
	{ 0, 100 },			/* name */
	{ 265, 32 }, { 297, 32 },	/* of user and group */
	{ 345, 155 },			/* prefix */
};

static const struct field numbers[] = {
	{ 100, 8 }, { 108, 8 }, { 116, 8 },	/* mode, user, group */
	{ 124, 12 }, { 136, 12 }, { 148, 8 },	/* size, time, check sum */
};

static const struct field devices[] = { { 329, 8 }, { 337, 8 } };

static const struct field unused[] = {
	{ 157, 100 },			/* a link's name */
	{ 500, 12 },			/* padding of the header */
};

#define SIZE (&numbers[3])
#define SUM (&numbers[5])
#define TYPE_AT 156
#define MAGIC_AT 257

static bool are_zeros(const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i])
			return false;
	return true;
}

static bool is_text(const uint8_t *p, size_t len)
{
	const uint8_t *end = memchr(p, 0, len);

	return !end || are_zeros(end, len - (size_t)(end - p));
}

/* Octal digits, one or more, and then one or two ends, spaces or zeros. */
static bool read_number(uint64_t *out, const uint8_t *p, size_t len)
{
	size_t i = 0, ends;

	*out = 0;
	for (; i < len && p[i] >= '0' && p[i] <= '7'; i++)
		*out = *out * 8 + (uint64_t)(p[i] - '0');
	ends = len - i;
	if (!i || ends > 2)
		return false;
	for (; i < len; i++)
		if (p[i] && p[i] != ' ')
			return false;
	return true;
}

/* The check sum counts its own field as spaces. */
static uint64_t sum_of(const uint8_t *header)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < KB_USTAR_BLOCK_BYTES; i++)
		sum += i >= SUM->at && i < SUM->at + SUM->len ? ' ' : header[i];
	return sum;
}

static const char *check_fields(const uint8_t *h)
{
	uint64_t number;

	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++)
		if (!is_text(h + texts[i].at, texts[i].len))
			return "a name is followed by more than zeros";
	for (size_t i = 0; i < KB_ARRAY_LEN(unused); i++)
		if (!are_zeros(h + unused[i].at, unused[i].len))
			return "a field that is not used is not zero";
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++)
		if (!read_number(&number, h + numbers[i].at, numbers[i].len))
			return "a number is not octal digits";
	for (size_t i = 0; i < KB_ARRAY_LEN(devices); i++)
		if (!are_zeros(h + devices[i].at, devices[i].len) &&
		    (!read_number(&number, h + devices[i].at,
				  devices[i].len) || number))
			return "a file has the number of a device";
	return NULL;
}

static const char *check_header(const uint8_t *h, bool takes_pax,
				uint64_t *size_bytes)
{
	const char *fault = check_fields(h);
	uint64_t sum;

	if (fault)
		return fault;
	if (memcmp(h + MAGIC_AT, "ustar\0" "00", 8))
		return "a header is not called ustar";
	if (h[TYPE_AT] != '0' && h[TYPE_AT] != '5' &&
	    !(takes_pax && h[TYPE_AT] == 'x'))
		return "an entry is neither a file nor a directory";
	read_number(&sum, h + SUM->at, SUM->len);
	if (sum != sum_of(h))
		return "a check sum is not that of unsigned bytes";
	read_number(size_bytes, h + SIZE->at, SIZE->len);
	return h[TYPE_AT] == '5' && *size_bytes ? "a directory has a size" :
						  NULL;
}

static void take_header(struct kb_ustar *u)
{
	uint64_t size_bytes = 0;

	u->header_len = 0;
	if (are_zeros(u->header, sizeof(u->header))) {
		u->has_ended = true;
		return;
	}
	u->fault = check_header(u->header, u->takes_pax, &size_bytes);
	u->content_left = size_bytes;
	u->padding_left = (0 - size_bytes) % KB_USTAR_BLOCK_BYTES;
}

/* How many of `len` bytes are of what `left` counts. */
static size_t part_of(uint64_t *left, size_t len)
{
	const size_t part = *left < len ? (size_t)*left : len;

	*left -= part;
	return part;
}

static size_t take_some(struct kb_ustar *u, const uint8_t *p, size_t len)
{
	size_t part;

	if (u->content_left)
		return part_of(&u->content_left, len);
	if (u->padding_left) {
		part = part_of(&u->padding_left, len);
		if (!are_zeros(p, part))
			u->fault = "there are bytes behind a file";
		return part;
	}
	part = sizeof(u->header) - u->header_len;
	if (part > len)
		part = len;
	memcpy(u->header + u->header_len, p, part);
	u->header_len += part;
	if (u->header_len == sizeof(u->header))
		take_header(u);
	return part;
}

void kb_ustar_take(struct kb_ustar *u, const void *data, size_t len)
{
	const uint8_t *p = data;

	while (len > 0 && !u->fault && !u->has_ended) {
		const size_t part = take_some(u, p, len);

		p += part;
		len -= part;
	}
}
