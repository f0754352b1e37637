#include "pages/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "pages/source_text.h"

/* The script, a letter an edit. The caller frees. */
static char *letters(const struct kb_diff *d)
{
	char *text = kb_xcalloc(d->count + 1, 1);

	for (size_t i = 0; i < d->count; i++)
		text[i] = "=-+"[d->items[i]];
	return text;
}

static const struct {
	const char *a, *b;	/* a line a letter */
	const char *script;
	size_t changed;
} scripts[] = {
	{ "", "", "", 0 },
	{ "", "x", "+", 1 },
	{ "x", "", "-", 1 },
	{ "abc", "abc", "===", 0 },
	{ "abc", "axc", "=-+=", 2 },
	{ "abc", "abcd", "===+", 1 },
	{ "abc", "zabc", "+===", 1 },
	{ "abcabba", "cbabac", "--=+==-=+", 5 },	/* Myers's own */
	{ "aaaa", "aa", "==--", 2 },
	{ "abcdef", "uvwxyz", "------++++++", 12 },
};

static void split_letters(struct kb_text_lines *out, struct kb_buf *text,
			  const char *s)
{
	for (; *s; s++)
		kb_buf_addf(text, "%c\n", *s);
	kb_text_lines_split(out, text->data, text->len);
}

static void test_scripts_are_shortest(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(scripts); i++) {
		kb_auto(buf) struct kb_buf a = KB_BUF_INIT, b = KB_BUF_INIT;
		struct kb_text_lines of_a, of_b;
		struct kb_diff d;
		char *got;

		split_letters(&of_a, &a, scripts[i].a);
		split_letters(&of_b, &b, scripts[i].b);
		check(kb_diff_lines(&d, &of_a, &of_b));
		check_int(d.changed, scripts[i].changed);
		got = letters(&d);
		check_str(got, scripts[i].script);
		free(got);
		kb_diff_release(&d);
		kb_text_lines_release(&of_a);
		kb_text_lines_release(&of_b);
	}
}

/* Do as the script says: it must make the second of the first. */
static void check_script(const struct kb_text_lines *a,
			 const struct kb_text_lines *b, const struct kb_diff *d)
{
	size_t in_a = 0, in_b = 0, changed = 0;

	for (size_t i = 0; i < d->count; i++) {
		if (d->items[i] == KB_EDIT_KEEP) {
			check(*a->items[in_a].text == *b->items[in_b].text);
			in_a++;
			in_b++;
			continue;
		}
		changed++;
		in_a += d->items[i] == KB_EDIT_DELETE;
		in_b += d->items[i] == KB_EDIT_INSERT;
	}
	check_int(in_a, a->count);
	check_int(in_b, b->count);
	check_int(d->changed, changed);
}

static void draw_text(struct kb_buf *out, uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	for (uint32_t n = *state >> 27; n; n--) {
		*state = *state * 1664525 + 1013904223;
		kb_buf_addf(out, "%c\n", "abc"[(*state >> 24) % 3]);
	}
}

static void test_a_script_makes_the_second_of_the_first(void)
{
	uint32_t state = 1;

	for (int i = 0; i < 2000; i++) {
		kb_auto(buf) struct kb_buf a = KB_BUF_INIT, b = KB_BUF_INIT;
		struct kb_text_lines of_a, of_b;
		struct kb_diff d;

		draw_text(&a, &state);
		draw_text(&b, &state);
		kb_text_lines_split(&of_a, a.data, a.len);
		kb_text_lines_split(&of_b, b.data, b.len);
		check(kb_diff_lines(&d, &of_a, &of_b));
		check_script(&of_a, &of_b, &d);
		kb_diff_release(&d);
		kb_text_lines_release(&of_a);
		kb_text_lines_release(&of_b);
	}
}

static void test_what_differs_too_much_has_no_script(void)
{
	kb_auto(buf) struct kb_buf a = KB_BUF_INIT, out = KB_BUF_INIT;
	struct kb_text_lines of_a, none = { NULL, 0 };
	struct kb_diff d;

	for (int i = 0; i <= KB_DIFF_MAX; i++)
		kb_buf_addf(&a, "%d\n", i);
	kb_text_lines_split(&of_a, a.data, a.len);
	check(!kb_diff_lines(&d, &of_a, &none));
	check_int(d.count, 0);
	kb_diff_release(&d);
	kb_diff_print(&out, &a, &(struct kb_buf)KB_BUF_INIT);
	check_str(out.data, "<p>They differ in more than 2000 lines.</p>\n");
	of_a.count--;
	check(kb_diff_lines(&d, &of_a, &none));
	check_int(d.count, KB_DIFF_MAX);
	kb_diff_release(&d);
	kb_text_lines_release(&of_a);
}

static const struct {
	const char *text;
	size_t len, lines;
} splits[] = {
	{ "", 0, 0 }, { "a", 1, 1 }, { "a\n", 2, 1 }, { "\n", 1, 1 },
	{ "a\nb", 3, 2 }, { "\n\n", 2, 2 }, { "a\0b\nc", 5, 2 },
};

static void test_lines_end_with_a_line_feed_or_the_text(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(splits); i++) {
		struct kb_text_lines l;

		kb_text_lines_split(&l, splits[i].text, splits[i].len);
		check_int(l.count, splits[i].lines);
		kb_text_lines_release(&l);
	}
}

static void test_a_difference_shows_lines_around_it(void)
{
	static const char first[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
			  second[] = "1\n2\n3\n4\n5\n<b>\n7\n8\n9\n";
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT, a = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;

	kb_buf_addstr(&a, first);
	kb_buf_addstr(&b, second);
	kb_diff_print(&out, &a, &b);
	check(strstr(out.data, "@@ -3 +3 @@") != NULL);
	check(strstr(out.data, "<span class=\"minus\">-6\n</span>"
		     "<span class=\"plus\">+&lt;b&gt;\n</span>") != NULL);
	check(strstr(out.data, "> 2\n") == NULL);
	check(strstr(out.data, "> 3\n") != NULL);
	check(strstr(out.data, "> 9\n") != NULL);
}

TAP_MAIN(TAP(test_scripts_are_shortest),
	 TAP(test_a_script_makes_the_second_of_the_first),
	 TAP(test_what_differs_too_much_has_no_script),
	 TAP(test_lines_end_with_a_line_feed_or_the_text),
	 TAP(test_a_difference_shows_lines_around_it));
