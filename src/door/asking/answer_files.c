#include "asking/answer_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answers/request.h"
#include "asking/work.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"

struct kb_answer_lines {
	struct kb_taking *taking;
	char *name;
	size_t number;			/* lines that have begun */
	struct kb_buf line;
	bool is_too_long;		/* and what came of it is dropped */
	size_t odd;			/* lines before any other that are no
					   objects */
	bool has_object;
};

#define ODD_LINES_MAX 3		/* then this is something else */

struct kb_answer_lines *kb_answer_lines_new(struct kb_taking *t,
					    const char *name)
{
	struct kb_answer_lines *l = kb_xcalloc(1, sizeof(*l));

	l->taking = t;
	l->name = kb_xstrdup(name);
	l->line = (struct kb_buf)KB_BUF_INIT;
	return l;
}

void kb_answer_lines_free(struct kb_answer_lines *l)
{
	if (!l)
		return;
	kb_buf_release(&l->line);
	free(l->name);
	free(l);
}

static void pass_over(struct kb_taking *t, const char *why)
{
	kb_auto(mem) char *message = kb_xasprintf("%s: passed over", why);

	t->passed_over++;
	t->say(message);
}

/* What is taken as it should be is worth a word, too, if it is odd. */
static void say_odd(struct kb_taking *t, const struct kb_generated *line,
		    const char *where, const char *what)
{
	char id[KB_CUSTOM_ID_SIZE];
	kb_auto(mem) char *message = NULL;

	kb_custom_id_format(id, line);
	message = kb_xasprintf("%s: '%s' %s", where, id, what);
	t->say(message);
}

static int count_answer(struct kb_taking *t, int taken, const char *where,
			const struct kb_answered *a)
{
	switch (taken) {
	case KB_TAKEN:
		t->taken++;
		if (a->has_several)
			say_odd(t, a->line, where,
				"has several choices, of which the first counts");
		break;
	case KB_TAKEN_BEFORE:
		t->taken_before++;
		break;
	case KB_TAKEN_ANOTHER:
		t->passed_over++;
		say_odd(t, a->line, where,
			"has another answer already, which stays: passed over");
	}
	return 0;
}

static bool is_blank(const struct kb_buf *line)
{
	return strspn(line->data, " \t\r") == line->len;
}

static bool is_object(const struct kb_buf *line)
{
	const size_t start = strspn(line->data, " \t");
	size_t end = line->len;

	while (end && strchr(" \t\r", line->data[end - 1]))
		end--;
	return end > start && line->data[start] == '{' &&
	       line->data[end - 1] == '}';
}

/* A text, or JSON over several lines, would have a message for each. */
static int check_objects(struct kb_answer_lines *l, struct kb_err *err)
{
	l->has_object |= is_object(&l->line);
	if (l->has_object || ++l->odd < ODD_LINES_MAX)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "'%s' is not JSON lines: its first %d are not an object "
		      "each", l->name, ODD_LINES_MAX);
}

static int take_line(struct kb_answer_lines *l, struct kb_err *err)
{
	kb_auto(mem) char *where = kb_xasprintf("line %zu of %s", ++l->number,
						l->name);
	struct kb_raw_answer from = { .latency_ns = KB_UNKNOWN, .name = where };
	struct kb_answered answered = { .line = NULL };
	struct kb_err why = KB_ERR_INIT;
	int ret;

	if (l->is_too_long) {
		kb_auto(mem) char *text = kb_xasprintf(
			"%s: has more than %zu bytes", where,
			KB_ANSWER_BYTES_MAX);

		pass_over(l->taking, text);
		return 0;
	}
	if (is_blank(&l->line))
		return 0;
	ret = check_objects(l, err);
	if (ret < 0)
		return ret;
	if (l->line.data[l->line.len - 1] == '\r')
		l->line.len--;
	from.text = l->line.data;
	from.len = l->line.len;
	ret = kb_work_take(l->taking->work, &from, &answered, &why);
	if (ret == -KB_ERR_INPUT) {
		pass_over(l->taking, why.msg);
		return 0;
	}
	return ret < 0 ? kb_err_take(err, &why)
		       : count_answer(l->taking, ret, where, &answered);
}

static void add_piece(struct kb_answer_lines *l, const char *piece, size_t len)
{
	if (l->is_too_long || l->line.len + len > KB_ANSWER_BYTES_MAX) {
		l->is_too_long = true;
		kb_buf_clear(&l->line);
		return;
	}
	kb_buf_add(&l->line, piece, len);
}

static int end_line(struct kb_answer_lines *l, struct kb_err *err)
{
	int ret = take_line(l, err);

	kb_buf_clear(&l->line);
	l->is_too_long = false;
	return ret;
}

int kb_answer_lines_feed(struct kb_answer_lines *l, const char *piece,
			 size_t len, struct kb_err *err)
{
	int ret = 0;

	while (ret == 0 && len) {
		const char *lf = memchr(piece, '\n', len);
		const size_t n = lf ? (size_t)(lf - piece) : len;

		add_piece(l, piece, n);
		if (!lf)
			break;
		ret = end_line(l, err);
		piece += n + 1;
		len -= n + 1;
	}
	return ret;
}

int kb_answer_lines_end(struct kb_answer_lines *l, struct kb_err *err)
{
	return l->line.len || l->is_too_long ? end_line(l, err) : 0;
}

static int feed_file(struct kb_answer_lines *l, int fd, const char *path,
		     struct kb_err *err)
{
	char piece[KB_FILE_READ_CHUNK_BYTES];
	int ret = 0;

	while (ret == 0) {
		ssize_t n = read(fd, piece, sizeof(piece));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return kb_err_sys(err, "cannot read '%s'", path);
		if (n == 0)
			return kb_answer_lines_end(l, err);
		ret = kb_answer_lines_feed(l, piece, (size_t)n, err);
	}
	return ret;
}

int kb_answer_file_take(struct kb_taking *t, const char *path,
			struct kb_err *err)
{
	kb_auto(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct kb_answer_lines *l;
	int ret;

	if (fd < 0 && errno == ENOENT)
		return kb_err(err, KB_ERR_MISSING, "'%s' is not there", path);
	if (fd < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	l = kb_answer_lines_new(t, path);
	ret = feed_file(l, fd, path, err);
	kb_answer_lines_free(l);
	return ret;
}
