#include "generate/block.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "generate/complete.h"

/* CommonMark's rules for fences: up to three blanks before one, three marks at
 * least, and a closing fence of the same mark that is no shorter. A fourth
 * blank makes it text. */
#define INDENT_MAX 3
#define FENCE_MIN 3

/* A line that may be a fence. */
struct fence {
	size_t indent;
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

static void read_fence(struct fence *f, const char *line, const char *end)
{
	const char *p = line;

	if (end > line && end[-1] == '\r')
		end--;
	while (p < end && *p == ' ')
		p++;
	*f = (struct fence){ .indent = (size_t)(p - line), .end = end };
	if (f->indent > INDENT_MAX || p == end || (*p != '`' && *p != '~'))
		return;
	f->mark = *p;
	while (p < end && *p == f->mark)
		p++, f->marks++;
	f->rest = p;
	if (f->marks < FENCE_MIN)
		f->marks = 0;
}

/* What `code` is in a line, and not before lines of code, has its end there. */
static bool opens(const struct fence *f)
{
	return f->marks && !(f->mark == '`' &&
			     memchr(f->rest, '`', (size_t)(f->end - f->rest)));
}

static bool closes(const struct fence *f, const struct fence *open)
{
	if (f->mark != open->mark || f->marks < open->marks)
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

/* From behind the opening line to the closing one. */
static void read_block(struct kb_block *b, const struct fence *open,
		       const char **at, const char *end)
{
	*b = (struct kb_block){ .indent = open->indent, .text = *at,
				.is_open = true };
	read_tag(b, open);
	while (*at < end) {
		const char *line = *at, *stop = line_end(line, end);
		struct fence f;

		read_fence(&f, line, stop);
		*at = stop < end ? stop + 1 : end;
		if (closes(&f, open)) {
			b->len = (size_t)(line - b->text);
			b->is_open = false;
			return;
		}
	}
	b->len = (size_t)(end - b->text);
}

bool kb_block_next(struct kb_block *out, const char **at, const char *end)
{
	while (*at < end) {
		const char *line = *at, *stop = line_end(line, end);
		struct fence f;

		read_fence(&f, line, stop);
		*at = stop < end ? stop + 1 : end;
		if (!opens(&f))
			continue;
		read_block(out, &f, at, end);
		if (!is_blank(out->text, out->text + out->len))
			return true;
	}
	return false;
}

static void add_line(struct kb_buf *out, const char *line, const char *end,
		     size_t indent)
{
	while (indent-- && line < end && *line == ' ')
		line++;
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
		add_line(out, p, stop, b->indent);
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

static bool is_complete(const struct kb_block *b, enum kb_backend backend)
{
	kb_auto(buf) struct kb_buf code = KB_BUF_INIT;

	kb_block_code(&code, b);
	return kb_backend_runtime(backend) == KB_RUNTIME_TORCH ?
		       kb_complete_python(code.data, code.len) :
		       kb_complete_c(code.data, code.len);
}

/* The last complete block in the wanted language is the candidate: models show
 * parts first, and the whole in the end. Without such a one the last block of
 * any kind is, so that code under a wrong tag is judged and not lost. */
enum kb_extracted kb_extract(struct kb_buf *code, const char *text, size_t len,
			     bool was_cut, enum kb_backend backend)
{
	struct kb_block b, last = { .text = NULL }, best = { .text = NULL };
	const char *at = text, *end = text + len;

	while (kb_block_next(&b, &at, end)) {
		last = b;
		if (is_tagged(&b, backend) && is_complete(&b, backend))
			best = b;
	}
	if (!last.text)
		return KB_EXTRACTED_NONE;
	/* An open block at the end of a text that was not cut off is a fence
	 * that the model forgot. */
	if (last.is_open && was_cut)
		return KB_EXTRACTED_CUT_OFF;
	kb_block_code(code, best.text ? &best : &last);
	return KB_EXTRACTED_CODE;
}
