/*
 * Any bytes as a list of seeds. What is taken has each once, and is spelt
 * again as it was.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "manifest/seeds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_seeds(const struct kb_seeds *seeds)
{
	must(seeds->count > 0 && seeds->count <= KB_SEEDS_MAX);
	for (size_t i = 0; i < seeds->count; i++) {
		must(seeds->items[i] >= 0 &&
		     seeds->items[i] <= KB_WEIGHTS_SEED_MAX);
		for (size_t k = 0; k < i; k++)
			must(seeds->items[k] != seeds->items[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(mem) char *text = kb_xmalloc(size + 1);
	kb_auto(mem) char *again = NULL;
	struct kb_err err = KB_ERR_INIT;
	struct kb_seeds seeds;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (kb_seeds_parse(&seeds, text, &err) < 0) {
		must(err.kind == KB_ERR_INPUT && err.msg[0]);
		must(!seeds.count);
		return 0;
	}
	check_seeds(&seeds);
	again = kb_seeds_format(&seeds);
	must(!strcmp(again, text));
	return 0;
}
