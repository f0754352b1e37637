/*
 * Any bytes as a candidate's code. Words lie in it, one behind the other, and are
 * what they are called; the backend is one that there is.
 */

#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "fuzz/must.h"
#include "source/code_backend.h"
#include "source/code_words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_words(const char *code, size_t size)
{
	kb_auto(code_words) struct kb_code_words w = KB_CODE_WORDS_INIT;
	const char *behind = code;

	kb_code_words_read(&w, code, size);
	for (size_t i = 0; i < w.count; i++) {
		const struct kb_code_word *word = &w.items[i];

		must(word->text >= behind && word->len);
		must(word->is_name || word->len == 1);
		behind = word->text + word->len;
		must(behind <= code + size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *backend = kb_code_backend(KB_RUNTIME_TORCH, data, size);
	size_t i = 0;

	while (kb_code_backends[i] && strcmp(kb_code_backends[i], backend))
		i++;
	must(kb_code_backends[i]);
	check_words((const char *)data, size);
	return 0;
}
