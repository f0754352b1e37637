#include "serving/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* With logs of KB_SERVED_LOG_BYTES_MAX that is 32 MiB. */
#define PLACES 4096

struct place {
	struct kb_key key;		/* level 0: empty */
	enum kb_runtime runtime;
	struct kb_served verdict;
};

struct kb_memory {
	struct place places[PLACES];
};

struct kb_memory *kb_memory_new(void)
{
	return kb_xcalloc(1, sizeof(struct kb_memory));
}

void kb_memory_free(struct kb_memory *m)
{
	for (size_t i = 0; m && i < PLACES; i++)
		kb_served_release(&m->places[i].verdict);
	free(m);
}

/* Digits of a digest are as good as random. */
static size_t place_of(struct kb_key key, const char *candidate)
{
	const char digits[] = { candidate[0], candidate[1], candidate[2],
				candidate[3], candidate[4], '\0' };

	return (strtoul(digits, NULL, 16) + (size_t)key.problem_id) % PLACES;
}

static bool is_of(const struct place *p, struct kb_key key,
		  enum kb_runtime runtime, const char *candidate)
{
	return p->key.level && !kb_key_compare(p->key, key) &&
	       p->runtime == runtime && !strcmp(p->verdict.candidate, candidate);
}

const struct kb_served *kb_memory_find(const struct kb_memory *m,
				       struct kb_key key, enum kb_runtime runtime,
				       const char *candidate)
{
	const struct place *p = &m->places[place_of(key, candidate)];

	return is_of(p, key, runtime, candidate) ? &p->verdict : NULL;
}

/* Statuses that lack of time or memory may have caused, or that say nothing
 * about the code. */
static bool may_end_otherwise(enum kb_status status)
{
	return status == KB_STATUS_TIMED_OUT || status == KB_STATUS_OUT_OF_MEMORY ||
	       status == KB_STATUS_REFERENCE_FAILED;
}

void kb_memory_keep(struct kb_memory *m, struct kb_key key,
		    enum kb_runtime runtime, const struct kb_served *v)
{
	struct place *p = &m->places[place_of(key, v->candidate)];

	if (may_end_otherwise(v->status))
		return;
	kb_served_release(&p->verdict);
	*p = (struct place){ key, runtime, *v };
	p->verdict.reason = kb_xstrdup(v->reason);
	p->verdict.log = kb_xstrdup(v->log);
	p->verdict.candidate = kb_xstrdup(v->candidate);
}
