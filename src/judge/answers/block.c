#include "answers/block.h"

#include <ctype.h>
#include <string.h>

#include "answers/complete.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "source/runtime.h"

/* CommonMark's rules for fences: up to three blanks before one, three marks at
 * least, and a closing fence of the same mark that is no shorter. A fourth
 * blank makes it text; in a list three more than the list has. Where a list's
 * text begins is not counted: any fence that is deeper counts as one of a list. */
#define INDENT_MAX 3
#define FENCE_MIN 3

/* A line that may be a fence. */
struct fence {
	size_t indent;
	bool is_item;			/* stands behind a list's mark */
	char mark;
	size_t marks;			/* 0: it is none */
	const char *rest;		/* what stands behind the marks */
	const char *end;		/* of the line, without CR and LF */
};

static const char *line_end(const char *p, const char *end)
{
	const char *lf = memchr(p, '\n', (size_t)(end - p));

	return lf ? lf : end;
}

static bool is_blank_char(char c)
{
	return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && is_blank_char(*p))
		p++;
	return p;
}

/* Behind "- ", "* ", "+ ", "1. " or "1) ", if that is there. */
static const char *skip_item(const char *p, const char *end)
{
	const char *mark = p;

	while (mark < end && isdigit((unsigned char)*mark))
		mark++;
	if (mark == end || !*mark || !strchr(mark > p ? ".)" : "-*+", *mark) ||
	    mark + 1 == end || !is_blank_char(mark[1]))
		return p;
	return skip_blanks(mark + 1, end);
}

/* Where a fence would begin. */
static const char *find_marks(struct fence *f, const char *line,
			      const char *end, enum kb_extraction_rule rule)
{
	const char *p = line, *item;

	if (rule == KB_EXTRACTION_BLOCKS_1) {
		while (p < end && *p == ' ')
			p++;
		return p;
	}
	p = skip_blanks(line, end);
	while ((item = skip_item(p, end)) > p) {
		f->is_item = true;
		p = item;
	}
	return p;
}

static void read_fence(struct fence *f, const char *line, const char *end,
		       enum kb_extraction_rule rule)
{
	const char *p;

	if (end > line && end[-1] == '\r')
		end--;
	*f = (struct fence){ .end = end };
	p = find_marks(f, line, end, rule);
	f->indent = (size_t)(p - line);
	if ((rule == KB_EXTRACTION_BLOCKS_1 && f->indent > INDENT_MAX) ||
	    p == end || (*p != '`' && *p != '~'))
		return;
	f->mark = *p;
	while (p < end && *p == f->mark)
		p++, f->marks++;
	f->rest = p;
	if (f->marks < FENCE_MIN)
		f->marks = 0;
}

/* A `code` span that begins within a line ends there. */
static bool opens_block(const struct fence *f)
{
	return f->marks && !(f->mark == '`' &&
			     memchr(f->rest, '`', (size_t)(f->end - f->rest)));
}

static bool closes_block(const struct fence *f, const struct fence *open)
{
	if (f->mark != open->mark || f->marks < open->marks || f->is_item ||
	    f->indent > open->indent + INDENT_MAX)
		return false;
	for (const char *p = f->rest; p < f->end; p++)
		if (!isspace((unsigned char)*p))
			return false;
	return true;
}

/* The first word, as of "Python", "{.cpp}" or "python title=x". */
static void read_tag(struct kb_block *b, const struct fence *f)
{
	const char *p = f->rest;
	size_t len = 0;

	while (p < f->end && strchr(" \t{.", *p) && *p)
		p++;
	for (; p < f->end && len < sizeof(b->tag) - 1; p++) {
		if (!*p || strchr(" \t,:{}", *p))
			break;
		b->tag[len++] = (char)tolower((unsigned char)*p);
	}
	b->tag[len] = '\0';
}

static bool is_blank(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p == end;
}

/* The end of its first line that is not blank; NULL if all are. */
static const char *first_line(const struct kb_block *b, const char **line)
{
	const char *end = b->text + b->len;

	for (*line = b->text; *line < end;) {
		const char *stop = line_end(*line, end);

		if (!is_blank(*line, stop))
			return stop;
		*line = stop < end ? stop + 1 : end;
	}
	return NULL;
}

/* In a list code may be indented less than its fence. */
static void set_indent(struct kb_block *b, enum kb_extraction_rule rule)
{
	const char *line, *stop = first_line(b, &line);
	size_t indent;

	b->strips_tabs = rule != KB_EXTRACTION_BLOCKS_1;
	if (!stop || rule == KB_EXTRACTION_BLOCKS_1)
		return;
	indent = (size_t)(skip_blanks(line, stop) - line);
	if (indent < b->indent)
		b->indent = indent;
}

/* From behind the opening line to the closing one. */
static void read_block(struct kb_block *b, const struct fence *open,
		       const char **at, const char *end,
		       enum kb_extraction_rule rule)
{
	*b = (struct kb_block){ .indent = open->indent, .text = *at,
				.is_open = true };
	read_tag(b, open);
	while (*at < end) {
		const char *line = *at, *stop = line_end(line, end);
		struct fence f;

		read_fence(&f, line, stop, rule);
		*at = stop < end ? stop + 1 : end;
		if (closes_block(&f, open)) {
			b->len = (size_t)(line - b->text);
			b->is_open = false;
			return;
		}
	}
	b->len = (size_t)(end - b->text);
}

bool kb_block_next(struct kb_block *out, const char **at, const char *end,
		   enum kb_extraction_rule rule)
{
	while (*at < end) {
		const char *line = *at, *stop = line_end(line, end);
		struct fence f;

		read_fence(&f, line, stop, rule);
		*at = stop < end ? stop + 1 : end;
		if (!opens_block(&f))
			continue;
		read_block(out, &f, at, end, rule);
		set_indent(out, rule);
		if (!is_blank(out->text, out->text + out->len))
			return true;
	}
	return false;
}

static void add_line(struct kb_buf *out, const char *line, const char *end,
		     const struct kb_block *b)
{
	for (size_t i = 0; i < b->indent && line < end; i++, line++)
		if (*line != ' ' && !(b->strips_tabs && *line == '\t'))
			break;
	if (end > line && end[-1] == '\r')
		end--;
	kb_buf_add(out, line, (size_t)(end - line));
	kb_buf_addch(out, '\n');
}

void kb_block_code(struct kb_buf *out, const struct kb_block *b)
{
	const char *p = b->text, *end = p + b->len;
	const char *stop = line_end(p, end);

	while (stop < end && is_blank(p, stop)) {
		p = stop + 1;
		stop = line_end(p, end);
	}
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	while (p < end) {
		stop = line_end(p, end);
		add_line(out, p, stop, b);
		p = stop < end ? stop + 1 : end;
	}
}

static const char *const python_tags[] = { "python", "py", "python3", NULL };
static const char *const c_tags[] = { "c", "h", NULL };
static const char *const cuda_tags[] = {
	"cuda", "cu", "cpp", "c++", "cuh", "cxx", "cc", "c", NULL
};

static const char *const *tags_of(enum kb_backend backend)
{
	switch (kb_backend_runtime(backend)) {
	case KB_RUNTIME_NATIVE:
		return c_tags;
	case KB_RUNTIME_CUDA:
		return cuda_tags;
	case KB_RUNTIME_TORCH:
	case KB_RUNTIME_COUNT:
		break;
	}
	return python_tags;
}

static bool is_tagged(const struct kb_block *b, enum kb_backend backend)
{
	for (const char *const *tag = tags_of(backend); *tag; tag++)
		if (!strcmp(*tag, b->tag))
			return true;
	return false;
}

/* The facts about a block as a candidate. */
struct offer {
	bool is_tagged, is_complete;
	bool defines;			/* what the problem asks for */
};

static struct offer read_offer(const struct kb_block *b,
			       enum kb_backend backend)
{
	kb_auto(buf) struct kb_buf code = KB_BUF_INIT;
	struct offer o = { .is_tagged = is_tagged(b, backend) };

	kb_block_code(&code, b);
	if (kb_backend_runtime(backend) == KB_RUNTIME_TORCH) {
		o.is_complete = kb_complete_python(code.data, code.len);
		o.defines = kb_defines_python(code.data, code.len, "ModelNew");
	} else {
		o.is_complete = kb_complete_c(code.data, code.len);
		o.defines = kb_defines_c(code.data, code.len, "kb_forward");
	}
	return o;
}

/* The greatest wins, and of equals the last: models show parts first, and the
 * whole in the end, but behind it how it is used, or what it was made from. A
 * block that is none of these is better than none, so that code under a wrong
 * tag is judged and not lost. */
static int rank_of(const struct offer *o, enum kb_extraction_rule rule)
{
	if (rule != KB_EXTRACTION_BLOCKS_1 && o->defines)
		return o->is_complete ? 3 : 2;
	return o->is_tagged && o->is_complete;
}

static const char answer_mark[] = "</think>";

/* Behind what a model says to itself, which some servers leave in the text; NULL
 * if all of it is that. */
static const char *find_answer(const char *text, const char *end, bool was_cut)
{
	static const char thoughts[] = "<think>";
	const size_t len = sizeof(answer_mark) - 1;
	const char *answer = text, *p = text, *mark;

	while ((mark = memmem(p, (size_t)(end - p), answer_mark, len)))
		answer = p = mark + len;
	while (p < end && isspace((unsigned char)*p))
		p++;
	if (was_cut && answer == text && (size_t)(end - p) >= len - 1 &&
	    !memcmp(p, thoughts, len - 1))
		return NULL;
	return answer;
}

enum kb_extracted kb_extract(struct kb_buf *code, const char *text, size_t len,
			     bool was_cut, struct kb_extraction how)
{
	struct kb_block b, best = { .text = NULL };
	const char *end = text + len, *at = text;
	bool ends_in_draft = false;
	int best_rank = -1;

	if (how.rule != KB_EXTRACTION_BLOCKS_1)
		at = find_answer(text, end, was_cut);
	while (at && kb_block_next(&b, &at, end, how.rule)) {
		const struct offer o = read_offer(&b, how.backend);
		const int rank = rank_of(&o, how.rule);

		if (rank >= best_rank) {
			best = b;
			best_rank = rank;
		}
		/* The wanted class may be there already. */
		ends_in_draft = b.is_open && (rank >= 2 || best_rank < 2);
	}
	if (!best.text)
		return KB_EXTRACTED_NONE;
	/* An open block at the end of a text that was not cut off is a fence
	 * that the model forgot. */
	if (was_cut && ends_in_draft)
		return KB_EXTRACTED_CUT_OFF;
	kb_block_code(code, &best);
	return KB_EXTRACTED_CODE;
}
