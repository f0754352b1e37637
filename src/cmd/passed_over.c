#include "cmd/passed_over.h"

#include <stdio.h>

#include "import/sources.h"

/* As many as fit on a screen beside what comes of the rest. */
#define SHOWN 8

void kb_print_passed_over(const struct kb_passed_over *p)
{
	size_t shown = p->count > SHOWN + 1 ? SHOWN : p->count;

	for (size_t i = 0; i < shown; i++)
		fprintf(stderr, "kb-pack: %s: passed over\n", p->items[i]);
	if (shown < p->count)
		fprintf(stderr, "kb-pack: %zu more were passed over\n",
			p->count - shown);
}
