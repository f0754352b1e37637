#include "source/code_imports.h"

#include <stddef.h>

#include "source/code_words.h"

static const struct kb_code_word *word_at(const struct kb_code_words *w, size_t i)
{
	static const struct kb_code_word none = { .text = "", .is_first = true };

	return i < w->count && !w->items[i].in_string ? &w->items[i] : &none;
}

/* In this statement, from `i` on; NULL is everywhere. */
static bool is_listed(const struct kb_code_words *w, size_t i,
		      const char *name)
{
	if (!name)
		return true;
	for (; !word_at(w, i)->is_first; i++)
		if (kb_code_word_is(word_at(w, i), name))
			return true;
	return false;
}

/* import X, M.inner; from M import inner; from M.inner import x. */
static bool imports_here(const struct kb_code_words *w, size_t i,
			 const char *module, const char *inner)
{
	if (kb_code_word_is(word_at(w, i), "from"))
		return kb_code_word_is(word_at(w, i + 1), module) &&
		       is_listed(w, i + 2, inner);
	if (!kb_code_word_is(word_at(w, i), "import"))
		return false;
	for (size_t k = i + 1; !word_at(w, k)->is_first; k++)
		if ((k == i + 1 || kb_code_word_is(word_at(w, k - 1), ",")) &&
		    kb_code_word_is(word_at(w, k), module) &&
		    (!inner || kb_code_word_is(word_at(w, k + 2), inner)))
			return true;
	return false;
}

bool kb_code_imports(const struct kb_code_words *w, const char *module,
		     const char *inner)
{
	for (size_t i = 0; i < w->count; i++)
		if (word_at(w, i)->is_first && imports_here(w, i, module, inner))
			return true;
	return false;
}
