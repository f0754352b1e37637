#include "pages/html.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/tap.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "pages/dots.h"
#include "pages/escape.h"
#include "pages/fast_curve.h"
#include "pages/outcomes.h"
#include "pages/roofline.h"
#include "pages/samples_chart.h"
#include "pages/view.h"
#include "sign/base64.h"
#include "store/digest.h"

/* --- escaping --------------------------------------------------------- */

static const struct {
	const char *in;
	size_t len;		/* 0: up to the NUL */
	const char *out;
} escapes[] = {
	{ "", 0, "" },
	{ "plain 1/19", 0, "plain 1/19" },
	{ "</script><script>alert(1)</script>", 0,
	  "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;" },
	{ "\"' onload='x'", 0, "&quot;&#39; onload=&#39;x&#39;" },
	{ "&amp;&#60;", 0, "&amp;amp;&amp;#60;" },
	{ "<!-- ]]> -->", 0, "&lt;!-- ]]&gt; --&gt;" },
	{ "a\nb\tc", 0, "a\nb\tc" },
	{ "a\r\nb", 0, "a\xe2\x90\x8d\nb" },
	{ "a\0b", 3, "a\xe2\x90\x80" "b" },
	{ "\x1b[31m", 0, "\xe2\x90\x9b[31m" },
	{ "\x7f", 0, "\xe2\x90\xa1" },
	{ "\xc2\x85", 0, "[U+0085]" },
	{ "\xff\xfe", 0, "\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xc0\xbc", 0, "\xef\xbf\xbd\xef\xbf\xbd" },	/* overlong < */
	{ "\xed\xa0\x80", 0, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xe2\x82", 0, "\xef\xbf\xbd\xef\xbf\xbd" },	/* cut off */
	{ "if \xe2\x80\xae x", 0, "if [U+202E] x" },
	{ "\xe2\x81\xa6\xe2\x81\xa9", 0, "[U+2066][U+2069]" },
	{ "a\xe2\x80\x8b" "b", 0, "a[U+200B]b" },
	{ "\xef\xbb\xbfx", 0, "[U+FEFF]x" },
	{ "\xef\xbf\xbe", 0, "[U+FFFE]" },
	{ "\xf3\xa0\x81\xa1", 0, "[U+E0061]" },		/* a tag */
	{ "\xf0\x9f\xbf\xbe", 0, "[U+1FFFE]" },
	{ "\xce\xbb \xe4\xb8\xad \xf0\x9f\x9a\x80", 0,
	  "\xce\xbb \xe4\xb8\xad \xf0\x9f\x9a\x80" },
};

static void test_text_is_escaped_and_what_is_hidden_shows(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(escapes); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		const size_t len = escapes[i].len ? escapes[i].len :
						    strlen(escapes[i].in);

		kb_escape(&out, escapes[i].in, len);
		check_str(out.data, escapes[i].out);
	}
}

static void test_arguments_of_markup_are_escaped(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	const char *volatile none = NULL;

	kb_html_addf(&out, "<td id=\"%s\">%s %d %zu %ld %.1f %.1f 5%%</td>",
		     "\"><b>", none, -3, (size_t)4,
		     (long)INT64_C(9007199254740991), 0.26, -0.01);
	check_str(out.data, "<td id=\"&quot;&gt;&lt;b&gt;\">- -3 4 "
		  "9007199254740991 0.3 0.0 5%</td>");
}

/* --- the frame -------------------------------------------------------- */

/* "'sha256-...'" of what stands between the first `from` and the next `to`. */
static void source_of(struct kb_buf *out, const char *page, const char *from,
		      const char *to)
{
	const char *start = strstr(page, from) + strlen(from);
	struct kb_digest d;

	kb_digest_of(&d, start, (size_t)(strstr(start, to) - start));
	kb_buf_addstr(out, "'sha256-");
	kb_base64_encode(out, d.bytes, sizeof(d.bytes));
	kb_buf_addch(out, '\'');
}

static void test_policy_allows_the_pages_own_style_and_script_alone(void)
{
	kb_auto(buf) struct kb_buf page = KB_BUF_INIT, want = KB_BUF_INIT;

	kb_page_begin(&page, &(struct kb_page){ .title = "a </title> b" });
	kb_page_end(&page);
	kb_buf_addstr(&want, "content=\"default-src 'none'; "
		      "base-uri 'none'; form-action 'none'; style-src ");
	source_of(&want, page.data, "<style>", "</style>");
	kb_buf_addstr(&want, "; script-src ");
	source_of(&want, page.data, "<script>", "</script>");
	kb_buf_addstr(&want, "\">\n");
	check(strstr(page.data, want.data) != NULL);
	check(strstr(page.data, "<title>a &lt;/title&gt; b</title>") != NULL);
	check(strstr(page.data, "http:") == NULL);
	check(strstr(page.data, "https:") == NULL);
	check(strstr(page.data, "url(") == NULL);
}

/* --- numbers of charts ------------------------------------------------ */

static void test_curves_count_as_the_score_does(void)
{
	static const struct kb_reach reaches[] = {
		{ 1000000, 900000, 1100000 },	/* no more than 1: not fast */
		{ 2500000, 2000001, 3000000 },
		{ 1500000, 0, INT64_MAX },	/* without an interval */
	};
	static const struct {
		int p_milli;
		struct kb_fast want;
	} at[] = {
		{ 0, { 3, 3, 3 } },
		{ 500, { 3, 2, 3 } },
		{ 1000, { 2, 1, 3 } },
		{ 1500, { 1, 1, 2 } },
		{ 2000, { 1, 1, 2 } },
		{ 3000, { 0, 0, 1 } },
	};
	const struct kb_curve c = { "x", reaches, 3, 4 };

	for (size_t i = 0; i < KB_ARRAY_LEN(at); i++) {
		const struct kb_fast f = kb_curve_at(&c, at[i].p_milli);

		check_int(f.fast, at[i].want.fast);
		check_int(f.certain, at[i].want.certain);
		check_int(f.possible, at[i].want.possible);
	}
}

static void test_every_status_is_in_a_class(void)
{
	int64_t counts[KB_STATUS_COUNT], total = 0;
	const struct kb_outcome_row row = { "all", counts };

	for (int i = 0; i < KB_STATUS_COUNT; i++)
		counts[i] = 1 << i % 5;
	for (int c = 0; c < KB_CLASS_COUNT; c++) {
		check(kb_class_total(&row, (enum kb_class)c) > 0);
		total += kb_class_total(&row, (enum kb_class)c);
	}
	for (int i = 0; i < KB_STATUS_COUNT; i++)
		total -= counts[i];
	check_int(total, 0);
}

static const struct {
	double low, high, base, want_low, want_high;
} rounds[] = {
	{ 1, 1, 2, 1, 2 },
	{ 0.99, 1.01, 2, 0.5, 2 },
	{ 3, 70, 10, 1, 100 },
	{ 0.2, 9, 2, 0.125, 16 },
	{ 100, 101, 10, 100, 1000 },
};

static void test_scales_are_rounded_to_powers(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(rounds); i++) {
		struct kb_scale s = { .from = 0, .to = 1 };

		kb_scale_round(&s, rounds[i].low, rounds[i].high,
			       rounds[i].base);
		check(s.low == rounds[i].want_low);
		check(s.high == rounds[i].want_high);
		check(kb_scale_at(&s, s.low) == 0);
		check(kb_scale_at(&s, s.high) == 1);
		check(kb_scale_at(&s, 1e30) == 1);
	}
}

/* A forged record, of which a page is made all the same. */
static void test_samples_below_0_are_drawn(void)
{
	int64_t small_ns[] = { 9000, 9000 }, large_ns[] = { 3000, 3000 };
	const struct kb_timing timing = {
		.n_small = 1, .n_large = 3, .small_ns = small_ns,
		.small_count = KB_ARRAY_LEN(small_ns), .large_ns = large_ns,
		.large_count = KB_ARRAY_LEN(large_ns), .time_ns = 1000,
	};
	const struct kb_named_timing times[] = { { "candidate", &timing, NULL } };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_samples_draw(&out, "samples", times, KB_ARRAY_LEN(times));
	check(strstr(out.data, ">-3.000 us<") != NULL);
}

/* --- charts, byte for byte -------------------------------------------- */

static const char hostile[] = "<script>\xe2\x80\xae\"&\x01\xff";

static struct kb_chart chart_of(const char *id, int height)
{
	return (struct kb_chart){ .id = id, .title = "Title <1>",
		.description = "A & B", .width = 760, .height = height,
		.is_alone = true };
}

static void draw_fast_curve(struct kb_buf *out)
{
	static const struct kb_reach first[] = {
		{ 1000000, 900000, 1100000 }, { 2500000, 2000001, 3100000 },
		{ 400000, 0, INT64_MAX }, { 7000000, 6000000, 8000000 },
	}, second[] = { { 1200000, 1100000, 1300000 } };
	const struct kb_curve curves[] = {
		{ "first", first, KB_ARRAY_LEN(first), 5 },
		{ hostile, second, KB_ARRAY_LEN(second), 5 },
		{ "nothing", first, 0, 5 },
	};
	const struct kb_chart c = chart_of("fast-p", 420);

	kb_fast_curve_draw(out, &c, curves, KB_ARRAY_LEN(curves));
}

static const struct kb_dot dots[] = {
	{ "1/1", "1_Square_matrix_multiplication_", "a.html", 1, 4564000, 4100000, 5000000 },
	{ "2/7", NULL, NULL, 2, 250000, 0, INT64_MAX },
	{ hostile, hostile, hostile, 3, 1000000, 100, 90000000 },
	{ "4/1", "1_", NULL, 4, 1020000, 1010000, 1030000 },
};

static void draw_speedups(struct kb_buf *out)
{
	const struct kb_chart c = chart_of("speedups", 360);

	kb_speedups_draw(out, &c, dots, KB_ARRAY_LEN(dots));
}

static void draw_strips(struct kb_buf *out)
{
	const struct kb_strip strips[] = {
		{ "drift", dots, KB_ARRAY_LEN(dots), 1010000 },
		{ "noise", dots, 0, KB_UNKNOWN },
	};
	const struct kb_chart c = chart_of("spread", 140);

	kb_strips_draw(out, &c, strips, KB_ARRAY_LEN(strips));
}

static void draw_outcomes(struct kb_buf *out)
{
	static const int64_t some[KB_STATUS_COUNT] = {
		[KB_STATUS_CORRECT] = 13, [KB_STATUS_MISMATCH] = 4,
		[KB_STATUS_CRASHED] = 1, [KB_STATUS_MISSING] = 2,
	}, none[KB_STATUS_COUNT] = { 0 };
	const struct kb_outcome_row rows[] = {
		{ "level 1", some }, { hostile, none },
	};
	const struct kb_chart c = chart_of("outcomes", 110);

	kb_outcomes_draw(out, &c, rows, KB_ARRAY_LEN(rows));
}

static const struct kb_roof_dot points[] = {
	{ "1/1", NULL, 1, INT64_C(137438953472), 201326592, 2600000 },
	{ "1/19", "x.html", 1, 6442450944, 51539607552, 11600000 },
};

static void draw_roofline(struct kb_buf *out)
{
	const struct kb_roof roof = { 4800000, 2141061, 66908, 1980 };
	const struct kb_chart c = chart_of("roofline", 420);

	kb_roofline_draw(out, &c, &roof, points, KB_ARRAY_LEN(points));
}

static void draw_roof_of_sheet(struct kb_buf *out)
{
	const struct kb_roof roof = { 4800000, 1979000, 0, 0 };
	const struct kb_chart c = chart_of("roofline", 420);

	kb_roofline_draw(out, &c, &roof, points, KB_ARRAY_LEN(points));
}

static void draw_roofless(struct kb_buf *out)
{
	const struct kb_roof roof = { .memory_mb_per_s = 0 };
	const struct kb_chart c = chart_of("roofline", 420);

	kb_roofline_draw(out, &c, &roof, points, KB_ARRAY_LEN(points));
}

static const struct {
	const char *file;
	void (*draw)(struct kb_buf *out);
} golden[] = {
	{ "fast-p.svg", draw_fast_curve },
	{ "speedups.svg", draw_speedups },
	{ "spread.svg", draw_strips },
	{ "outcomes.svg", draw_outcomes },
	{ "roofline.svg", draw_roofline },
	{ "roofline-of-sheet.svg", draw_roof_of_sheet },
	{ "roofline-without-roof.svg", draw_roofless },
};

/* KB_GOLDEN_WRITE=1 writes them anew; look at the difference. */
static void test_charts_are_the_same_bytes_as_ever(void)
{
	const char *root = getenv("KB_SRC") ? getenv("KB_SRC") : ".";

	for (size_t i = 0; i < KB_ARRAY_LEN(golden); i++) {
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT,
					   want = KB_BUF_INIT;
		kb_auto(mem) char *path = kb_xasprintf(
			"%s/tests/golden/pages/%s", root, golden[i].file);
		struct kb_err err = KB_ERR_INIT;

		golden[i].draw(&got);
		if (getenv("KB_GOLDEN_WRITE"))
			check_int(kb_file_replace(AT_FDCWD, path, got.data,
						  got.len, 0644, &err), 0);
		check_int(kb_file_read(&want, AT_FDCWD, path, 1 << 20, &err),
			  0);
		check_str(got.data, want.data);
	}
}

TAP_MAIN(TAP(test_text_is_escaped_and_what_is_hidden_shows),
	 TAP(test_arguments_of_markup_are_escaped),
	 TAP(test_policy_allows_the_pages_own_style_and_script_alone),
	 TAP(test_curves_count_as_the_score_does),
	 TAP(test_every_status_is_in_a_class),
	 TAP(test_scales_are_rounded_to_powers),
	 TAP(test_samples_below_0_are_drawn),
	 TAP(test_charts_are_the_same_bytes_as_ever));
