#include "sheet/format.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "json/utf8.h"
#include "manifest/record.h"

static void format_unknown(char out[KB_FORMAT_SIZE])
{
	memcpy(out, "-", 2);
}

/* In integers: a rate of 12.25 % must not become 12.2 or 12.3 by how a double
 * is rounded. */
void kb_format_pct(char out[KB_FORMAT_SIZE], int64_t part, int64_t whole)
{
	char text[KB_FORMAT_SIZE];

	if (!whole) {
		format_unknown(out);
		return;
	}
	kb_format_percent(text, part, whole);
	snprintf(out, KB_FORMAT_SIZE, "%s%%", text);
}

void kb_format_percent(char out[KB_FORMAT_SIZE], int64_t part, int64_t whole)
{
	int64_t tenths;

	/* With x = 1000 part / whole, in tenths of a percent, this is floor(x +
	 * 1/2) as one division. */
	tenths = (2 * part * 1000 + whole) / (2 * whole);
	snprintf(out, KB_FORMAT_SIZE, "%" PRId64 ".%" PRId64,
		 tenths / 10, tenths % 10);
}

void kb_format_ratio(char out[KB_FORMAT_SIZE], int64_t micro)
{
	char text[KB_FORMAT_SIZE];

	if (micro == KB_UNKNOWN) {
		format_unknown(out);
		return;
	}
	kb_format_micro(text, micro, 3);
	snprintf(out, KB_FORMAT_SIZE, "%sx", text);
}

void kb_format_micro(char out[KB_FORMAT_SIZE], int64_t micro, int digits)
{
	int64_t unit = 1, scale = 1;

	for (int i = digits; i < 6; i++)
		unit *= 10;
	for (int i = 0; i < digits; i++)
		scale *= 10;
	micro = (micro + unit / 2) / unit;
	snprintf(out, KB_FORMAT_SIZE, "%" PRId64 ".%0*" PRId64, micro / scale,
		 digits, micro % scale);
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

#define DIGITS_MAX 4
#define BEHIND_MAX 3

/* How many digits stand before the point, of `value` in `unit`; of what is below
 * 1, the noughts behind it, as a negative number. */
static int digits_before(int64_t value, int64_t unit)
{
	int digits = 0;

	for (; value >= unit; value /= 10)
		digits++;
	for (; !digits && value && value * 10 < unit; value *= 10)
		digits--;
	return digits;
}

/* How many stand behind it: the first that is no coarser than half of `low` to
 * `high` is the last, if these are known. */
static int digits_behind(int64_t value, int64_t unit, int64_t low, int64_t high)
{
	const int before = digits_before(value, unit);
	const bool is_known = low != KB_UNKNOWN && high != KB_UNKNOWN &&
			      high != INT64_MAX;
	int behind = 2 - before;
	int64_t step = unit;

	behind = behind < 0 ? 0 : behind < BEHIND_MAX ? behind : BEHIND_MAX;
	for (int i = 0; i < behind; i++)
		step /= 10;
	for (; is_known && step > (high - low) / 2 && behind < BEHIND_MAX &&
	       before + behind < DIGITS_MAX; step /= 10)
		behind++;
	return behind;
}

static void print_digits(char out[KB_FORMAT_SIZE], int64_t value, int64_t unit,
			 int behind, const char *name)
{
	int64_t scale = 1, scaled;

	for (int i = 0; i < behind; i++)
		scale *= 10;
	scaled = (int64_t)(((__int128)value * scale + unit / 2) / unit);
	if (behind)
		snprintf(out, KB_FORMAT_SIZE, "%" PRId64 ".%0*" PRId64 "%s",
			 scaled / scale, behind, scaled % scale, name);
	else
		snprintf(out, KB_FORMAT_SIZE, "%" PRId64 "%s", scaled, name);
}

void kb_format_time(char out[KB_FORMAT_SIZE], int64_t time_ns, int64_t low_ns,
		    int64_t high_ns)
{
	static const char *const names[] = { " ns", " us", " ms", " s" };
	int64_t unit_ns = 1;
	size_t u = 0;

	if (time_ns == KB_UNKNOWN) {
		format_unknown(out);
		return;
	}
	for (; u + 1 < KB_ARRAY_LEN(names) && time_ns >= 1000 * unit_ns; u++)
		unit_ns *= 1000;
	/* Nothing is finer than a nanosecond. */
	print_digits(out, time_ns, unit_ns,
		     u ? digits_behind(time_ns, unit_ns, low_ns, high_ns) : 0,
		     names[u]);
}

void kb_format_ratio_within(char out[KB_FORMAT_SIZE], int64_t micro,
			    int64_t low_micro, int64_t high_micro)
{
	if (micro == KB_UNKNOWN)
		format_unknown(out);
	else
		print_digits(out, micro, 1000000,
			     digits_behind(micro, 1000000, low_micro,
					   high_micro), "x");
}

void kb_format_speedup(char out[KB_FORMAT_SIZE], int64_t micro,
		       int64_t low_micro, int64_t high_micro)
{
	const bool is_undecided = micro != KB_UNKNOWN &&
				  low_micro <= 1000000 && high_micro > 1000000;

	char text[KB_FORMAT_SIZE];

	kb_format_ratio_within(text, micro, low_micro, high_micro);
	snprintf(out, KB_FORMAT_SIZE, "%s%s", is_undecided ? "~" : "", text);
}

void kb_format_bounds(char out[KB_FORMAT_BOUNDS_SIZE], int64_t low_micro,
		      int64_t high_micro)
{
	const bool has_low = low_micro != KB_UNKNOWN;
	const bool has_high = high_micro != KB_UNKNOWN;
	char low[KB_FORMAT_SIZE], high[KB_FORMAT_SIZE];

	kb_format_ratio(low, low_micro);
	kb_format_ratio(high, high_micro);
	/* Bounds that are spelled alike would read as a slip. */
	if (has_low && has_high && strcmp(low, high))
		snprintf(out, KB_FORMAT_BOUNDS_SIZE, "%s to %s", low, high);
	else if (has_low && has_high)
		snprintf(out, KB_FORMAT_BOUNDS_SIZE, "%s", low);
	else if (has_low || has_high)
		snprintf(out, KB_FORMAT_BOUNDS_SIZE, "at %s %s",
			 has_low ? "least" : "most", has_low ? low : high);
	else
		snprintf(out, KB_FORMAT_BOUNDS_SIZE, "not known");
}

/* A thousandth of a megabyte is to it as a nanosecond is to a microsecond. */
void kb_format_mb(char out[KB_FORMAT_SIZE], int64_t bytes)
{
	kb_format_us(out, bytes == KB_UNKNOWN ? KB_UNKNOWN
					      : (bytes + 500) / 1000);
}

void kb_format_rate(char out[KB_FORMAT_SIZE], int64_t bytes, int64_t time_ns)
{
	char text[KB_FORMAT_SIZE];
	int64_t micro;

	if (bytes <= 0 || time_ns <= 0) {
		format_unknown(out);
		return;
	}
	micro = (int64_t)((__int128)bytes * 1000000 / time_ns);
	kb_format_micro(text, micro, micro < 10000000 ? 3 : 1);
	snprintf(out, KB_FORMAT_SIZE, "%s GB/s", text);
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
	kb_utf8_clean_line(out, text, strlen(text));
}
