/* Lines that come in pieces, and from a bundle's member. */

#include "manifest/lines.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "store/bundle.h"

/* Prints every line again, and has enough of the fourth. */
static int take_three(void *into, const struct kb_json *line,
		      const char *where, struct kb_err *err)
{
	struct kb_buf *taken = into;
	size_t lines = 0;

	for (size_t i = 0; i < taken->len; i++)
		lines += taken->data[i] == '\n';
	if (lines == 3)
		return kb_err(err, KB_ERR_INPUT, "%s: enough", where);
	kb_lines_add(taken, kb_json_copy(line));
	return 0;
}

/* In pieces of `size` bytes, the last of which may be shorter. */
static int feed(struct kb_buf *taken, const char *text, size_t size,
		struct kb_err *err)
{
	const size_t len = strlen(text);
	kb_auto(lines) struct kb_lines l;
	int ret = 0;

	kb_lines_init(&l, "x", take_three, taken);
	for (size_t at = 0; at < len && ret == 0; at += size) {
		const size_t n = len - at < size ? len - at : size;
		/* Exactly as long as it is, for the sanitizer to see. */
		kb_auto(mem) char *piece = kb_xmalloc(n);

		memcpy(piece, text + at, n);
		ret = kb_lines_feed(&l, piece, n, err);
	}
	return ret < 0 ? ret : kb_lines_end(&l, err);
}

static void test_pieces_of_any_size_are_the_same_lines(void)
{
	static const struct {
		const char *text, *taken, *message;
	} cases[] = {
		{ "", "", "" },
		{ "1\n", "1\n", "" },
		{ "{\"a\":[]}\n\"\xe2\x82\xac\"\n", "{\"a\":[]}\n\"\xe2\x82\xac\"\n",
		  "" },
		{ "1\n2", "1\n", "line 2 of x: does not end" },
		{ "\n", "",
		  "cannot parse 'line 1 of x': ends too soon at byte 0" },
		{ "1\n\n2\n", "1\n",
		  "cannot parse 'line 2 of x': ends too soon at byte 0" },
		{ "1\n[ ]\n3\n", "1\n",
		  "cannot parse 'line 2 of x': not canonical at byte 1" },
		{ "1\n2\n3\n4\n5", "1\n2\n3\n", "line 4 of x: enough" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		for (size_t n = 1; n <= strlen(cases[i].text) + 1; n++) {
			kb_auto(buf) struct kb_buf taken = KB_BUF_INIT;
			struct kb_err err = KB_ERR_INIT;

			check_int(feed(&taken, cases[i].text, n, &err),
				  *cases[i].message ? -KB_ERR_INPUT : 0);
			check_str(taken.data, cases[i].taken);
			check_str(err.msg, cases[i].message);
		}
	}
}

static int take_any(void *into, const struct kb_json *line, const char *where,
		    struct kb_err *err)
{
	(void)into, (void)line, (void)where, (void)err;
	return 0;
}

/* A string of KB_LINE_BYTES_MAX + `more` bytes, its quotes included. */
static int feed_long(size_t more, struct kb_err *err)
{
	static char piece[1 << 20];
	size_t left = KB_LINE_BYTES_MAX + more - 2;
	kb_auto(lines) struct kb_lines l;
	int ret;

	memset(piece, 'x', sizeof(piece));
	kb_lines_init(&l, "x", take_any, NULL);
	ret = kb_lines_feed(&l, "0\n\"", 3, err);
	while (ret == 0 && left) {
		const size_t n = left < sizeof(piece) ? left : sizeof(piece);

		ret = kb_lines_feed(&l, piece, n, err);
		left -= n;
	}
	if (ret == 0)
		ret = kb_lines_feed(&l, "\"\n", 2, err);
	return ret < 0 ? ret : kb_lines_end(&l, err);
}

static void test_a_line_has_an_end_somewhere(void)
{
	struct kb_err err = KB_ERR_INIT;

	check_int(feed_long(0, &err), 0);
	check_int(feed_long(1, &err), -KB_ERR_INPUT);
	check_str(err.msg, "line 2 of x: is longer than 67108864 bytes");
	check_int(feed_long(3 << 20, &err), -KB_ERR_INPUT);
	check_str(err.msg, "line 2 of x: is longer than 67108864 bytes");
}

/* Of a bundle that holds `text` alone. */
static int load(const struct kb_buf *text, int *count,
		int (*take)(void *into, const struct kb_json *line,
			    const char *where, struct kb_err *err),
		struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	char path[2 + KB_DIGEST_HEX_SIZE] = "s/";
	struct kb_digest id;
	int ret;

	scratch_enter();
	check_int(kb_bundle_writer_new(&w, "s", NULL), 0);
	check_int(kb_bundle_writer_add(w, "data/x", text->data, text->len,
				       NULL), 0);
	check_int(kb_bundle_writer_commit(w, &id, NULL), 0);
	kb_digest_format(&id, path + 2);
	check_int(kb_bundle_open(&b, path, NULL), 0);
	ret = kb_lines_load(&b, "data/x", take, count, err);
	scratch_leave();
	return ret;
}

/* Lines that begin with their number, from 0. */
static int take_its_number(void *into, const struct kb_json *line,
			   const char *where, struct kb_err *err)
{
	int *count = into;

	if (kb_json_int_value(kb_json_first(line)) != (*count)++)
		return kb_err(err, KB_ERR_INPUT, "%s: another number", where);
	return 0;
}

static int take_two(void *into, const struct kb_json *line, const char *where,
		    struct kb_err *err)
{
	int *count = into;

	(void)line;
	if (*count == 2)
		return kb_err(err, KB_ERR_INPUT, "%s: enough", where);
	++*count;
	return 0;
}

/* They lie across the pieces that are read at a time in every way. */
static void test_a_member_is_loaded_line_by_line(void)
{
	static const size_t lengths[] = {
		0, 0, 100, KB_FILE_READ_CHUNK_BYTES - 130, 0, 7000,
		3 * KB_FILE_READ_CHUNK_BYTES, 0, 1
	};
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int count = 0, many = 0;

	check_int(load(&text, &count, take_its_number, &err), 0);
	check_int(count, 0);
	for (; many < 40000; many++) {
		kb_buf_addf(&text, "[%d,\"", many);
		for (size_t i = 0; many < (int)KB_ARRAY_LEN(lengths) &&
				   i < lengths[many]; i++)
			kb_buf_addch(&text, 'x');
		kb_buf_addstr(&text, "\"]\n");
	}
	check_int(load(&text, &count, take_its_number, &err), 0);
	check_str(err.msg, "");
	check_int(count, many);

	count = 0;
	kb_buf_addstr(&text, "[40000");
	check_int(load(&text, &count, take_its_number, &err), -KB_ERR_INPUT);
	check_str(err.msg, "line 40001 of data/x: does not end");
	check_int(count, many);

	count = 0;
	check_int(load(&text, &count, take_two, &err), -KB_ERR_INPUT);
	check_str(err.msg, "line 3 of data/x: enough");
}

TAP_MAIN(TAP(test_pieces_of_any_size_are_the_same_lines),
	 TAP(test_a_line_has_an_end_somewhere),
	 TAP(test_a_member_is_loaded_line_by_line));
