#include "worker/prepared.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "manifest/status.h"
#include "store/kept.h"
#include "worker/building.h"
#include "worker/reason.h"

void kb_preparations_add(struct kb_preparations *p,
			 const struct kb_prepared *item)
{
	p->items = kb_grow(p->items, p->count, &p->capacity,
			   sizeof(*p->items));
	p->items[p->count++] = *item;
}

void kb_preparations_release(struct kb_preparations *p)
{
	free(p->items);
	*p = (struct kb_preparations){ .items = NULL };
}

/* A program must be there. */
static bool is_whole(const struct kb_kept *k, enum kb_runtime runtime)
{
	return strcmp(k->outcome, KB_BUILT_MADE) ||
	       runtime == KB_RUNTIME_TORCH ||
	       (k->count == 1 && !k->entries[0].is_dir && k->entries[0].len);
}

static bool find_prepared(struct kb_kept *k, const struct kb_preparations *p,
			  const struct kb_prepared *item)
{
	for (size_t i = 0; i < KB_PREPARED_DIRS; i++) {
		if (!p->dirs[i] || !kb_kept_find(k, p->dirs[i], &item->key))
			continue;
		if (is_whole(k, item->runtime))
			return true;
		kb_kept_release(k);
	}
	return false;
}

bool kb_prepared_find(struct kb_kept *k, const struct kb_launcher *l,
		      const struct kb_source *code)
{
	const struct kb_preparations *p = l->prepared;
	struct kb_digest source;

	if (!p || !p->count)
		return false;
	kb_digest_of(&source, code->data, code->len);
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].runtime == code->runtime &&
		    kb_digest_equal(&p->items[i].source, &source))
			return find_prepared(k, p, &p->items[i]);
	return false;
}

static bool is_of_machine(const char *text)
{
	return text && kb_reason_is_of_machine(text, strlen(text));
}

bool kb_built_is_of_machine(const struct kb_kept *k)
{
	return !strcmp(k->outcome, kb_status_name(KB_STATUS_BUILD_FAILED)) &&
	       (is_of_machine(k->detail) || is_of_machine(k->log));
}

bool kb_built_fault(struct kb_fault *fault, const struct kb_kept *k)
{
	enum kb_status status;

	if (!strcmp(k->outcome, KB_BUILT_MADE) ||
	    !strcmp(k->outcome, KB_BUILT_IN_PLACE))
		return false;
	if (kb_status_parse(&status, k->outcome, NULL) < 0)
		status = KB_STATUS_BUILD_FAILED;
	kb_fault_set(fault, KB_SIDE_REFERENCE, status, KB_PHASE_BUILD, "%s",
		     k->detail ? k->detail : "");
	return true;
}
