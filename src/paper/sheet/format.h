#ifndef KB_SHEET_FORMAT_H
#define KB_SHEET_FORMAT_H

#include <stdint.h>

struct kb_buf;

/*
 * Numbers for people, all but errors from integers and without floating point:
 * one value has one spelling on every machine. Rounding is to the nearest, half
 * up. KB_UNKNOWN (and a rate of nothing) is "-".
 */

#define KB_FORMAT_SIZE 32	/* bytes of the longest result, with the NUL */

/* "91.7%": `part` of `whole`, both at least 0. */
void kb_format_pct(char out[KB_FORMAT_SIZE], int64_t part, int64_t whole);

/* "91.7": the same without the sign, and not of nothing. */
void kb_format_percent(char out[KB_FORMAT_SIZE], int64_t part, int64_t whole);

/* "1.234x" from 1233967, millionths of a ratio. */
void kb_format_ratio(char out[KB_FORMAT_SIZE], int64_t micro);

/* "0.5" from 500000 and 1 digit, "2.191" from 2190512 and 3, of at most 6: a
 * quantity in millionths, not KB_UNKNOWN; trailing zeros are kept. */
void kb_format_micro(char out[KB_FORMAT_SIZE], int64_t micro, int digits);

/* "12.345" from 12345: microseconds, exact. */
void kb_format_us(char out[KB_FORMAT_SIZE], int64_t time_ns);

/*
 * "1.886 ms", "1.9 ms": a time of 0 or more and as many digits as its interval
 * tells, from two to four, of which the last is the first that is no coarser
 * than half the interval; two where there is none. All digits before the point
 * are printed.
 */
void kb_format_time(char out[KB_FORMAT_SIZE], int64_t time_ns, int64_t low_ns,
		    int64_t high_ns);

/* "3.82x": a ratio likewise, in millionths. */
void kb_format_ratio_within(char out[KB_FORMAT_SIZE], int64_t micro,
			    int64_t low_micro, int64_t high_micro);

/* The same of a speedup, "~0.98x" if it is undecided whether it is above 1: that
 * is between `low_micro`, 0 if it is not known, and `high_micro`, INT64_MAX. */
void kb_format_speedup(char out[KB_FORMAT_SIZE], int64_t micro,
		       int64_t low_micro, int64_t high_micro);

/* "1.234x to 2.345x", "at least 1.234x", "at most 2.345x", "not known": between
 * which ratios something lies. An end may be KB_UNKNOWN. */
#define KB_FORMAT_BOUNDS_SIZE 64
void kb_format_bounds(char out[KB_FORMAT_BOUNDS_SIZE], int64_t low_micro,
		      int64_t high_micro);

/* "12.345" from 12345000: megabytes of 10^6 bytes. */
void kb_format_mb(char out[KB_FORMAT_SIZE], int64_t bytes);

/* "253.7 GB/s" from 134217728 bytes in 529.01 us: 10^9 bytes a second. */
void kb_format_rate(char out[KB_FORMAT_SIZE], int64_t bytes, int64_t time_ns);

/* "3.1e-07": an error, a double of 0 or more, which may be infinite. 0 is
 * "0", and what is below 0 is not known. */
void kb_format_error(char out[KB_FORMAT_SIZE], double error);

/* "0.5" from 500, "1" from 1000: thousandths without trailing zeros. */
void kb_format_milli(char out[KB_FORMAT_SIZE], int milli);

/*
 * Append words out of a record, which somebody else may have written, by
 * kb_utf8_clean_line().
 */
void kb_format_text(struct kb_buf *out, const char *text);

#endif
