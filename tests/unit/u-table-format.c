/* How numbers and tables look. */

#include "sheet/format.h"

#include <math.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "cli/wrap.h"
#include "lib/tap.h"
#include "manifest/record.h"
#include "tables/table.h"

static const struct {
	int64_t part, whole;
	const char *text;
} pcts[] = {
	{ 0, 0, "-" },
	{ 0, 7, "0.0%" },
	{ 1, 3, "33.3%" },
	{ 2, 3, "66.7%" },
	{ 1, 2000, "0.1%" },		/* 0.05: up */
	{ 1, 2001, "0.0%" },
	{ 11, 12, "91.7%" },
	{ 250, 250, "100.0%" },
};

static void test_pct_rounds_half_up(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(pcts); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_pct(text, pcts[i].part, pcts[i].whole);
		check_str(text, pcts[i].text);
	}
}

static const struct {
	int64_t value;
	const char *ratio, *us;
} numbers[] = {
	{ KB_UNKNOWN, "-", "-" },
	{ 0, "0.000x", "0.000" },
	{ 1, "0.000x", "0.001" },
	{ 499, "0.000x", "0.499" },
	{ 500, "0.001x", "0.500" },
	{ 999499, "0.999x", "999.499" },
	{ 999500, "1.000x", "999.500" },
	{ 1000000, "1.000x", "1000.000" },
	{ INT64_C(9007199254740991), "9007199254.741x",
	  "9007199254740.991" },
};

static void test_ratio_and_us_print_from_integers(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_ratio(text, numbers[i].value);
		check_str(text, numbers[i].ratio);
		kb_format_us(text, numbers[i].value);
		check_str(text, numbers[i].us);
	}
}

static const struct {
	int64_t value, low, high;
	const char *time, *ratio;
} within[] = {
	{ KB_UNKNOWN, KB_UNKNOWN, KB_UNKNOWN, "-", "-" },
	/* Two digits where there is no interval. */
	{ 1885749, KB_UNKNOWN, KB_UNKNOWN, "1.9 ms", "1.9x" },
	{ 18857490, KB_UNKNOWN, KB_UNKNOWN, "19 ms", "19x" },
	{ 188574900, KB_UNKNOWN, KB_UNKNOWN, "189 ms", "189x" },
	{ 494261, KB_UNKNOWN, KB_UNKNOWN, "494 us", "0.49x" },
	/* From two to four, by half of the interval. */
	{ 1885749, 1885700, 1885800, "1.886 ms", "1.886x" },
	{ 1885749, 1880000, 1890000, "1.886 ms", "1.886x" },
	{ 1885749, 1860000, 1900000, "1.89 ms", "1.89x" },
	{ 1885749, 1000000, 4000000, "1.9 ms", "1.9x" },
	{ 1885749, -5000000, 9000000, "1.9 ms", "1.9x" },
	{ 494261, 300000, 700000, "494 us", "0.49x" },
	{ 494261, 494200, 494300, "494.3 us", "0.494x" },
	{ 34500, 30000, 40000, "35 us", "0.035x" },
	{ 1999999, 1000000, INT64_MAX, "2.0 ms", "2.0x" },
	{ 0, 0, 0, "0 ns", "0.000x" },
	{ 999, 990, 1010, "999 ns", "0.001x" },
	{ INT64_C(9007199254740991), KB_UNKNOWN, KB_UNKNOWN, "9007199 s",
	  "9007199255x" },
};

static void test_times_have_as_many_digits_as_their_intervals_tell(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(within); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_time(text, within[i].value, within[i].low,
			       within[i].high);
		check_str(text, within[i].time);
		kb_format_ratio_within(text, within[i].value, within[i].low,
				       within[i].high);
		check_str(text, within[i].ratio);
	}
}

static void test_megabytes_round_to_thousandths(void)
{
	static const struct {
		int64_t bytes;
		const char *text;
	} sizes[] = {
		{ KB_UNKNOWN, "-" }, { 0, "0.000" }, { 499, "0.000" },
		{ 500, "0.001" }, { 268451072, "268.451" },
		{ INT64_C(9007199254740991), "9007199254.741" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(sizes); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_mb(text, sizes[i].bytes);
		check_str(text, sizes[i].text);
	}
}

static void test_rates_are_bytes_in_nanoseconds(void)
{
	static const struct {
		int64_t bytes;
		int64_t time_ns;
		const char *text;
	} rates[] = {
		{ 134217728, 529010, "253.7 GB/s" },
		{ 1000, 3000, "0.333 GB/s" },
		{ 12288, 131000, "0.094 GB/s" },
		{ (int64_t)7 << 44, 1000000000, "123145.3 GB/s" },
		{ 1, 0, "-" },
		{ 0, 1, "-" },
		{ 1, KB_UNKNOWN, "-" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rates); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_rate(text, rates[i].bytes, rates[i].time_ns);
		check_str(text, rates[i].text);
	}
}

static const struct {
	double error;
	const char *text;
} errors[] = {
	{ -1, "-" },
	{ 0, "0" },
	{ 3.14e-7, "3.1e-07" },
	{ 0.5, "5.0e-01" },
	{ 249.9, "2.5e+02" },
	{ 0x1p-1074, "4.9e-324" },
	{ HUGE_VAL, "inf" },
};

static void test_errors_have_two_digits(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(errors); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_error(text, errors[i].error);
		check_str(text, errors[i].text);
	}
}

static const struct {
	int milli;
	const char *text;
} millis[] = {
	{ 0, "0" }, { 500, "0.5" }, { 800, "0.8" }, { 1000, "1" },
	{ 1500, "1.5" }, { 2000, "2" }, { 10000, "10" }, { 1010, "1.01" },
	{ 1, "0.001" },
};

static void test_milli_has_no_trailing_zeros(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(millis); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_milli(text, millis[i].milli);
		check_str(text, millis[i].text);
	}
}

static void test_text_cannot_drive_a_terminal(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_format_text(&out, "");
	check_str(out.data, "");
	/* ESC, LF, DEL, CSI (U+009B) and an override (U+202E) go; e acute
	 * (U+00E9) and a no-break space (U+00A0) stay. */
	kb_format_text(&out, "a\x1b[2J\nb\x7f\xc2\x9b\xe2\x80\xae"
		       "c\xc3\xa9\xc2\xa0");
	check_str(out.data, "a?[2J?b???c\xc3\xa9\xc2\xa0");
}

static const struct kb_column columns[] = {
	{ "name", KB_ALIGN_LEFT },
	{ "time_us", KB_ALIGN_RIGHT },
	{ "note", KB_ALIGN_LEFT },
};

static void test_table_without_rows_is_its_head(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));

	kb_table_print(&out, t, KB_LOOK_PLAIN);
	check_str(out.data, "name  time_us  note\n");
}

static void test_table_aligns_and_leaves_no_trailing_space(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));

	kb_table_add(t, "a");
	kb_table_addf(t, "%d", 1234567890);
	kb_table_add(t, "");
	kb_table_add(t, "\xc3\xa9t\xc3\xa9 long");	/* été: 3 wide */
	kb_table_add(t, "");
	kb_table_add(t, "x");
	kb_table_add(t, "");
	kb_table_add(t, "5");
	kb_table_add(t, "");
	kb_table_print(&out, t, KB_LOOK_PLAIN);
	check_str(out.data,
		  "name         time_us  note\n"
		  "a         1234567890\n"
		  "\xc3\xa9t\xc3\xa9 long              x\n"
		  "                   5\n");
}

static void test_speedups_say_what_is_undecided(void)
{
	static const struct {
		int64_t micro, low, high;
		const char *text;
	} cases[] = {
		{ KB_UNKNOWN, 0, INT64_MAX, "-" },
		{ 1500000, 0, INT64_MAX, "~1.5x" },
		{ 1500000, 1400000, 1600000, "1.5x" },
		{ 1500000, 1000000, 2000000, "~1.5x" },
		{ 1500000, 1000001, INT64_MAX, "1.5x" },
		{ 500000, 400000, 1000000, "0.50x" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_speedup(text, cases[i].micro, cases[i].low,
				  cases[i].high);
		check_str(text, cases[i].text);
	}
}

static void test_open_bounds_are_words(void)
{
	static const struct {
		int64_t low, high;
		const char *text;
	} cases[] = {
		{ KB_UNKNOWN, KB_UNKNOWN, "not known" },
		{ KB_UNKNOWN, 6275000, "at most 6.275x" },
		{ 6321000, KB_UNKNOWN, "at least 6.321x" },
		{ 170000, 3707000, "0.170x to 3.707x" },
		{ 1500100, 1500200, "1.500x" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		char text[KB_FORMAT_BOUNDS_SIZE];

		kb_format_bounds(text, cases[i].low, cases[i].high);
		check_str(text, cases[i].text);
	}
}

static void check_wrapped(const char *text, size_t room, const char *want)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_wrap_lines_print(&out, text, 4, room);
	check_str(out.data, want);
}

static void test_lines_are_broken_between_words(void)
{
	check_wrapped("", 20, "");
	check_wrapped("one two three\n", 0, "one two three\n");
	check_wrapped("one two three\n", 13, "one two three\n");
	check_wrapped("one two three\n", 12, "one two\n    three\n");
	check_wrapped("\none two three", 12, "\none two\n    three");
	/* Below the second column, if that begins early. */
	check_wrapped("of  one two three four\n", 14,
		      "of  one two\n    three four\n");
	check_wrapped("name   one two three four\n", 24,
		      "name   one two three\n       four\n");
	check_wrapped("long name  one two three\n", 18,
		      "long name  one two\n    three\n");
	/* A word stays whole, and what has no width has none. */
	check_wrapped("a 0123456789abcdef b\n", 8,
		      "a\n    0123456789abcdef\n    b\n");
	check_wrapped("\033[32mok\033[0m \xc3\xa9t\xc3\xa9 one\n", 10,
		      "\033[32mok\033[0m \xc3\xa9t\xc3\xa9 one\n");
	check_wrapped("\033[32mok\033[0m \xc3\xa9t\xc3\xa9 one\n", 9,
		      "\033[32mok\033[0m \xc3\xa9t\xc3\xa9\n    one\n");
}

static const struct kb_column wide[] = {
	{ "key", KB_ALIGN_LEFT }, { "one", KB_ALIGN_RIGHT },
	{ "", KB_ALIGN_RIGHT }, { "two", KB_ALIGN_RIGHT },
	{ "", KB_ALIGN_RIGHT }, { "note", KB_ALIGN_LEFT },
};

static void check_narrow(size_t room, int rank, const char *want)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(table) struct kb_table *t =
		kb_table_new(wide, KB_ARRAY_LEN(wide));

	for (size_t i = 0; i < 5; i++)
		kb_table_addf(t, "%zu00%%", i);
	kb_table_add(t, "many words are here, and more of them than fit");
	kb_table_add(t, "r");
	kb_table_add_rest(t, "why there is nothing but this long text here");
	for (size_t c = 3; c < 5; c++)
		kb_table_rank(t, c, rank);
	kb_table_print(&out, t, (struct kb_look){ .columns = room });
	check_str(out.data, want);
}

static void test_a_narrow_table_is_broken_where_it_does_least_harm(void)
{
	check_narrow(0, 0,
		     "key    one         two        note\n"
		     "000%  100%  200%  300%  400%  many words are here, and more of them than fit\n"
		     "r     why there is nothing but this long text here\n");
	check_narrow(60, 0,
		     "key    one         two        note\n"
		     "000%  100%  200%  300%  400%  many words are here, and more\n"
		     "                              of them than fit\n"
		     "r     why there is nothing but this long text here\n");
	check_narrow(40, 0,
		     "key    one         two        note\n"
		     "000%  100%  200%  300%  400%\n"
		     "    many words are here, and more of\n"
		     "    them than fit\n"
		     "r     why there is nothing but this long\n"
		     "      text here\n");
	check_narrow(28, 1,
		     "key    one        note\n"
		     "000%  100%  200%\n"
		     "    many words are here, and\n"
		     "    more of them than fit\n"
		     "r\n"
		     "    why there is nothing but\n"
		     "    this long text here\n");
	check_narrow(17, 0,
		     "key    one\n"
		     "000%  100%  200%\n"
		     "r\n"
		     "    why there is\n"
		     "    nothing but\n"
		     "    this long\n"
		     "    text here\n"
		     "\n"
		     "key    two\n"
		     "000%  300%  400%\n"
		     "r\n"
		     "\n"
		     "key   note\n"
		     "000%\n"
		     "    many words\n"
		     "    are here, and\n"
		     "    more of them\n"
		     "    than fit\n"
		     "r\n");
}

/* Its own column is left out, and the part before ends in front of that. */
static void test_a_text_is_in_one_part_of_a_table(void)
{
	static const struct kb_column five[] = {
		{ "key", KB_ALIGN_LEFT }, { "one", KB_ALIGN_RIGHT },
		{ "two", KB_ALIGN_RIGHT }, { "three", KB_ALIGN_RIGHT },
		{ "four", KB_ALIGN_RIGHT },
	};
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(table) struct kb_table *t =
		kb_table_new(five, KB_ARRAY_LEN(five));

	kb_table_add(t, "r");
	kb_table_add(t, "12345");
	kb_table_add_rest(t, "why");
	kb_table_rank(t, 2, 1);
	kb_table_print(&out, t, (struct kb_look){ .columns = 12 });
	check_str(out.data, "key    one\n"
			    "r    12345\n"
			    "\n"
			    "key  three\n"
			    "r    why\n"
			    "\n"
			    "key  four\n"
			    "r\n");
}

TAP_MAIN(TAP(test_pct_rounds_half_up),
	 TAP(test_ratio_and_us_print_from_integers),
	 TAP(test_times_have_as_many_digits_as_their_intervals_tell),
	 TAP(test_speedups_say_what_is_undecided),
	 TAP(test_open_bounds_are_words),
	 TAP(test_lines_are_broken_between_words),
	 TAP(test_a_narrow_table_is_broken_where_it_does_least_harm),
	 TAP(test_a_text_is_in_one_part_of_a_table),
	 TAP(test_megabytes_round_to_thousandths),
	 TAP(test_rates_are_bytes_in_nanoseconds),
	 TAP(test_milli_has_no_trailing_zeros),
	 TAP(test_text_cannot_drive_a_terminal),
	 TAP(test_table_without_rows_is_its_head),
	 TAP(test_table_aligns_and_leaves_no_trailing_space),
	 TAP(test_errors_have_two_digits));
