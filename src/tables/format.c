#include "tables/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "manifest/record.h"

static void format_unknown(char out[KB_FORMAT_SIZE])
{
	memcpy(out, "-", 2);
}

/* In integers: a rate of 12.25 % must not become 12.2 or 12.3 by how a double
 * is rounded. */
void kb_format_pct(char out[KB_FORMAT_SIZE], int64_t part, int64_t whole)
{
	int64_t tenths;

	if (!whole) {
		format_unknown(out);
		return;
	}
	/* With x = 1000 part / whole, in tenths of a percent, this is floor(x +
	 * 1/2) as one division. */
	tenths = (2 * part * 1000 + whole) / (2 * whole);
	snprintf(out, KB_FORMAT_SIZE, "%" PRId64 ".%" PRId64 "%%",
		 tenths / 10, tenths % 10);
}

void kb_format_ratio(char out[KB_FORMAT_SIZE], int64_t micro)
{
	int64_t milli;

	if (micro == KB_UNKNOWN) {
		format_unknown(out);
		return;
	}
	milli = (micro + 500) / 1000;
	snprintf(out, KB_FORMAT_SIZE, "%" PRId64 ".%03" PRId64 "x",
		 milli / 1000, milli % 1000);
}

void kb_format_us(char out[KB_FORMAT_SIZE], int64_t time_ns)
{
	if (time_ns == KB_UNKNOWN) {
		format_unknown(out);
		return;
	}
	snprintf(out, KB_FORMAT_SIZE, "%" PRId64 ".%03" PRId64,
		 time_ns / 1000, time_ns % 1000);
}

/* A thousandth of a megabyte is to it as a nanosecond is to a microsecond. */
void kb_format_mb(char out[KB_FORMAT_SIZE], int64_t bytes)
{
	kb_format_us(out, bytes == KB_UNKNOWN ? KB_UNKNOWN
					      : (bytes + 500) / 1000);
}

void kb_format_error(char out[KB_FORMAT_SIZE], double error)
{
	if (error < 0)
		format_unknown(out);
	else if (error > 0)
		snprintf(out, KB_FORMAT_SIZE, "%.1e", error);
	else
		memcpy(out, "0", 2);
}

void kb_format_milli(char out[KB_FORMAT_SIZE], int milli)
{
	int len = snprintf(out, KB_FORMAT_SIZE, "%d.%03d", milli / 1000,
			   milli % 1000);

	while (out[len - 1] == '0')
		out[--len] = '\0';
	if (out[len - 1] == '.')
		out[--len] = '\0';
}

void kb_format_text(struct kb_buf *out, const char *text)
{
	/* The C1 controls of ECMA-48, U+0080 to U+009F, are C2 80 to C2 9F in
	 * UTF-8. Terminals may act on them as on ESC and a letter. */
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p < 0x20 || *p == 0x7f) {
			kb_buf_addch(out, '?');
		} else if (*p == 0xc2 && p[1] < 0xa0) {
			kb_buf_addch(out, '?');	/* U+0080 to U+009F */
			p++;
		} else {
			kb_buf_addch(out, (char)*p);
		}
	}
}
