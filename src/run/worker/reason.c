#include "worker/reason.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"

struct line {
	const char *text;
	size_t len;
};

/* The next line of `rest`, which is shortened; false at the end. */
static bool take_line(struct line *out, struct line *rest)
{
	const char *feed;

	if (!rest->len)
		return false;
	feed = memchr(rest->text, '\n', rest->len);
	out->text = rest->text;
	out->len = feed ? (size_t)(feed - rest->text) : rest->len;
	rest->text += out->len + !!feed;
	rest->len -= out->len + !!feed;
	return true;
}

static bool starts_with(struct line l, const char *word)
{
	return l.len >= strlen(word) && !memcmp(l.text, word, strlen(word));
}

static bool ends_with(struct line l, const char *word)
{
	const size_t len = strlen(word);

	return l.len >= len && !memcmp(l.text + l.len - len, word, len);
}

static bool has_word(struct line l, const char *word)
{
	return memmem(l.text, l.len, word, strlen(word));
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct line strip_blanks(struct line l)
{
	while (l.len && is_blank(*l.text)) {
		l.text++;
		l.len--;
	}
	while (l.len && is_blank(l.text[l.len - 1]))
		l.len--;
	return l;
}

/* In one line of characters that a terminal can show: a log has tabs. */
static bool put_line(char out[KB_REASON_SIZE], struct line l)
{
	size_t len;

	l = strip_blanks(l);
	len = l.len;
	if (!len)
		return false;
	if (len >= KB_REASON_SIZE) {
		len = KB_REASON_SIZE - strlen("...") - 1;
		while (len && (l.text[len] & 0xc0) == 0x80)
			len--;
	}
	for (size_t i = 0; i < len; i++)
		out[i] = l.text[i] == '\t' ? ' ' : l.text[i];
	strcpy(out + len, len < l.len ? "..." : "");
	return true;
}

static bool take_word(struct line *l, const char *word)
{
	if (!starts_with(*l, word))
		return false;
	l->text += strlen(word);
	l->len -= strlen(word);
	return true;
}

bool kb_reason_by_worker(char out[KB_REASON_SIZE], const char *log, size_t len)
{
	struct line rest = { log, len }, found = { NULL, 0 }, l;

	while (take_line(&l, &rest))
		if (take_word(&l, "kb_torch: ") ||
		    take_word(&l, "kb-worker-native: "))
			found = l;
	return put_line(out, found);
}

/* gcc and clang; nvcc's front end; the rest of nvcc; ld, which says in which
 * function before it says what is wrong. */
static bool is_error(struct line l)
{
	if (ends_with(l, "':"))
		return false;
	return has_word(l, ": error: ") || has_word(l, ": fatal error: ") ||
	       has_word(l, "): error: ") || has_word(l, "): error #") ||
	       has_word(l, "): catastrophic error: ") ||
	       starts_with(l, "error: ") ||
	       has_word(l, "undefined reference to ") ||
	       (has_word(l, "ld: ") && !has_word(l, "warning: ")) ||
	       ((starts_with(l, "nvcc ") || starts_with(l, "ptxas ") ||
		 starts_with(l, "nvlink ")) &&
		(has_word(l, "error") || has_word(l, "fatal")));
}

/* The folders of the file that a line begins with say nothing of the code. */
static struct line without_folders(struct line l)
{
	for (size_t i = 0; i < l.len && !strchr(" :(", l.text[i]); i++) {
		if (l.text[i] != '/')
			continue;
		l.text += i + 1;
		l.len -= i + 1;
		i = (size_t)-1;
	}
	return l;
}

bool kb_reason_by_compiler(char out[KB_REASON_SIZE], const char *log,
			   size_t len)
{
	struct line rest = { log, len }, l;

	while (take_line(&l, &rest))
		if (is_error(l))
			return put_line(out, without_folders(l));
	return false;
}

static const char crash[] = "Fatal Python error: ";

bool kb_reason_by_end(char out[KB_REASON_SIZE], const char *log, size_t len)
{
	struct line rest = { log, len }, found = { NULL, 0 }, l;

	while (take_line(&l, &rest) && !starts_with(l, crash))
		if (strip_blanks(l).len)
			found = l;
	return put_line(out, found);
}

int kb_reason_crash_line(const char *log, size_t len)
{
	struct line rest = { log, len }, l;
	bool crashed = false;

	while (take_line(&l, &rest)) {
		int number = 0;

		crashed = crashed || starts_with(l, crash);
		l = strip_blanks(l);
		if (!crashed || !take_word(&l, "File \"candidate.py\", line "))
			continue;
		for (; l.len && *l.text >= '0' && *l.text <= '9' &&
		       number < INT_MAX / 10 - 1; l.text++, l.len--)
			number = 10 * number + (*l.text - '0');
		return number;
	}
	return 0;
}

int kb_reason_ended_rank(const char *log, size_t *len, uint32_t ranks)
{
	struct line rest = { log, *len }, l;
	int rank = -1;

	while (take_line(&l, &rest)) {
		const size_t above = (size_t)(l.text - log);

		if (!take_word(&l, "kb_torch_ranks: rank ") ||
		    !ends_with(l, " ended") || l.len != strlen("1 ended") ||
		    *l.text < '0' || (uint32_t)(*l.text - '0') >= ranks)
			continue;
		rank = *l.text - '0';
		*len = above;
	}
	return rank;
}

static const char *const machine_words[] = {
	"killed", "signal", "out of memory", "memory exhausted", "bad_alloc",
	"not enough memory", "cannot allocate", "can not allocate",
	"can't allocate", "could not allocate", "couldn't allocate",
	"internal error", "internal compiler error", "no space left",
	"quota exceeded", "temporarily unavailable", "too many open files",
	"input/output error", "timed out", "core dumped", "interrupted",
	"error code -",
};

bool kb_reason_is_of_machine(const char *text, size_t len)
{
	kb_auto(mem) char *lower = kb_xcalloc(len + 1, 1);

	for (size_t i = 0; i < len; i++)
		lower[i] = (char)tolower((unsigned char)text[i]);
	for (size_t i = 0; i < KB_ARRAY_LEN(machine_words); i++)
		if (memmem(lower, len, machine_words[i],
			   strlen(machine_words[i])))
			return true;
	return false;
}
