#include "measure/alternate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "measure/output_errors.h"
#include "worker/worker.h"

bool kb_alternate_rounds_has(const struct kb_alternate_rounds *r, uint32_t i)
{
	uint8_t bytes[KB_RANDOM_SEED_BYTES];
	uint64_t word;

	if (!r->least)
		return false;
	kb_random_derive(bytes, r->seed, KB_SEED_ROUND, i);
	memcpy(&word, bytes, sizeof(word));
	return word % ((uint64_t)r->counted + r->least) < r->least;
}

/* How many come before the last of the counted ones. */
static uint32_t count_rounds(const struct kb_alternate_rounds *r)
{
	uint32_t round = 0;

	for (uint32_t counted = 0; counted < r->counted; round++)
		counted += !kb_alternate_rounds_has(r, round);
	return round - r->counted;
}

int kb_alternate_rounds_draw(struct kb_alternate_rounds *r, uint32_t counted,
			     uint32_t least, struct kb_err *err)
{
	*r = (struct kb_alternate_rounds){ .counted = counted, .least = least };
	do {
		int ret = kb_random_seed(r->seed, err);

		if (ret < 0)
			return ret;
	} while (least && count_rounds(r) < least);
	return 0;
}

static bool fits_remedy(const struct kb_remedy *r, double largest)
{
	return fabs(strtod(r->scale, NULL)) <= largest &&
	       fabs(strtod(r->shift, NULL)) <= largest;
}

char *kb_alternate_argument(const struct kb_remedies *remedies, double largest)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (!remedies->count)
		return NULL;
	for (size_t i = 0; i < remedies->count; i++) {
		const struct kb_remedy *r = &remedies->items[i];

		if (!fits_remedy(r, largest))
			return NULL;
		kb_buf_addf(&text, "%s%u:%s:%s", i ? "," : "", r->argument,
			    r->scale, r->shift);
	}
	return kb_xstrdup(text.data);
}

void kb_alternate_blame(struct kb_fault *fault, const struct kb_plan *plan,
			const struct kb_output_error *errors)
{
	kb_auto(mem) char *said = kb_xstrdup(fault->detail);

	snprintf(fault->detail, sizeof(fault->detail), "on alternate inputs%s%s",
		 *said ? ": " : "", said);
	kb_output_errors_blame(fault, plan, errors);
}
