#ifndef KB_SOURCE_CODE_WORDS_H
#define KB_SOURCE_CODE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Python's code as words, for who asks what it uses and not what it means: names
 * and single characters that are neither. Comments are left out, and so are
 * strings that are statements. What other strings hold is taken for C: names and
 * characters of it, without its comments and strings.
 */
struct kb_code_word {
	const char *text;		/* in the code; borrowed */
	size_t len;
	bool is_name;
	bool in_string;
	bool is_first;			/* of a statement, or of a string */
};

struct kb_code_words {
	struct kb_code_word *items;	/* owned */
	size_t count, capacity;
};

#define KB_CODE_WORDS_INIT { .items = NULL }

/* Any bytes will do; what is not Python gives some words. */
void kb_code_words_read(struct kb_code_words *w, const char *code, size_t len);
void kb_code_words_release(struct kb_code_words *w);

bool kb_code_word_is(const struct kb_code_word *w, const char *text);

static inline void kb_cleanup_code_words(struct kb_code_words *w)
{
	kb_code_words_release(w);
}

#endif
