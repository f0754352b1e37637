#include "manifest/lines.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/record.h"
#include "store/bundle.h"

/* Only a line is in memory as a whole, so that what can be written can be
 * read. */
_Static_assert(KB_LINES_BYTES_MAX == KB_BUNDLE_MEMBER_BYTES_MAX,
	       "lines are limited like any member");

void kb_lines_add(struct kb_buf *out, struct kb_json *line)
{
	kb_json_print(out, line);
	kb_buf_addch(out, '\n');
	kb_json_free(line);
}

void kb_lines_init(struct kb_lines *l, const char *name,
		   int (*take)(void *into, const struct kb_json *line,
			       const char *where, struct kb_err *err),
		   void *into)
{
	*l = (struct kb_lines){
		.name = name, .take = take, .into = into,
		.begun = KB_BUF_INIT, .pool = kb_json_pool_new(),
	};
}

void kb_lines_release(struct kb_lines *l)
{
	kb_buf_release(&l->begun);
	kb_json_pool_free(l->pool);
	l->pool = NULL;
}

#define WHERE_SIZE (KB_BUNDLE_NAME_BYTES_MAX + 40)

/* "line 3 of <name>", of every line: printf() takes as long as some of its
 * values. */
static void say_where(char where[WHERE_SIZE], const struct kb_lines *l)
{
	char digits[24];
	char *first = digits + sizeof(digits) - 1;

	*first = '\0';
	for (size_t n = l->count + 1; n; n /= 10)
		*--first = (char)('0' + n % 10);
	where = stpcpy(stpcpy(stpcpy(where, "line "), first), " of ");
	*stpncpy(where, l->name, KB_BUNDLE_NAME_BYTES_MAX) = '\0';
}

/* The pool's memory is used again for the next line: `take` copies what it wants
 * to keep of a line. */
static int take_line(struct kb_lines *l, const char *line, size_t len,
		     struct kb_err *err)
{
	const struct kb_json *v = NULL;
	char where[WHERE_SIZE];
	int ret;

	say_where(where, l);
	ret = kb_json_parse_in(&v, l->pool, line, len, where, err);
	if (ret == 0)
		ret = l->take(l->into, v, where, err);
	l->count++;
	return ret;
}

/* A line is limited before it is kept, so that a file without a line feed costs
 * no more memory than the longest line that may be. */
static int check_length(const struct kb_lines *l, size_t more,
			struct kb_err *err)
{
	char where[WHERE_SIZE];

	if (more <= KB_LINE_BYTES_MAX - l->begun.len)
		return 0;
	say_where(where, l);
	return kb_err(err, KB_ERR_INPUT, "%s: is longer than %zu bytes",
		      where, KB_LINE_BYTES_MAX);
}

/* The part of a line in a piece, up to the line's end if `ends`. */
static int take_part(struct kb_lines *l, const char *part, size_t len,
		     bool ends, struct kb_err *err)
{
	int ret = check_length(l, len, err);

	if (ret < 0)
		return ret;
	/* Most lines are in one piece, and are parsed where they lie, without a
	 * copy. */
	if (ends && !l->begun.len)
		return take_line(l, part, len, err);
	kb_buf_add(&l->begun, part, len);
	if (!ends)
		return 0;
	ret = take_line(l, l->begun.data, l->begun.len, err);
	kb_buf_clear(&l->begun);
	return ret;
}

int kb_lines_feed(struct kb_lines *l, const char *piece, size_t len,
		  struct kb_err *err)
{
	const char *p = piece, *end = p + len;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		int ret = take_part(l, p, (size_t)((eol ? eol : end) - p), eol,
				    err);

		if (ret < 0)
			return ret;
		p = eol ? eol + 1 : end;
	}
	return 0;
}

int kb_lines_end(const struct kb_lines *l, struct kb_err *err)
{
	char where[WHERE_SIZE];

	if (!l->begun.len)
		return 0;
	say_where(where, l);
	return kb_err(err, KB_ERR_INPUT, "%s: does not end", where);
}

int kb_lines_parse(const void *data, size_t len, const char *name,
		   int (*take)(void *into, const struct kb_json *line,
			       const char *where, struct kb_err *err),
		   void *into, struct kb_err *err)
{
	kb_auto(lines) struct kb_lines l;
	int ret;

	kb_lines_init(&l, name, take, into);
	ret = kb_lines_feed(&l, data, len, err);
	return ret < 0 ? ret : kb_lines_end(&l, err);
}

static int feed_piece(void *into, const char *piece, size_t len, struct kb_err *err)
{
	return kb_lines_feed(into, piece, len, err);
}

int kb_lines_load(const struct kb_bundle *b, const char *name,
		  int (*take)(void *into, const struct kb_json *line,
			      const char *where, struct kb_err *err),
		  void *into, struct kb_err *err)
{
	kb_auto(lines) struct kb_lines l;
	int ret;

	kb_lines_init(&l, name, take, into);
	ret = kb_bundle_read_pieces(b, name, KB_LINES_BYTES_MAX, feed_piece, &l,
				    err);
	return ret < 0 ? ret : kb_lines_end(&l, err);
}
