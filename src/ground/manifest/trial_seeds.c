#include "manifest/trial_seeds.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "json/json.h"
#include "manifest/fields.h"

#define MEMBER "trial_seeds"
#define SEED_DIGITS (KB_TRIAL_SEED_SIZE - 1)

void kb_trial_seeds_release(struct kb_trial_seeds *s)
{
	free(s->items);
	*s = (struct kb_trial_seeds){ .count = 0 };
}

void kb_trial_seeds_add(struct kb_trial_seeds *s, const char *hex)
{
	if (strlen(hex) != SEED_DIGITS)
		KB_BUG("a seed has another length");
	s->items = kb_xreallocarray(s->items, s->count + 1, sizeof(*s->items));
	memcpy(s->items[s->count++], hex, KB_TRIAL_SEED_SIZE);
}

void kb_trial_seeds_to_json(struct kb_json *object,
			    const struct kb_trial_seeds *s)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < s->count; i++)
		kb_json_append(array, kb_json_string(s->items[i]));
	kb_json_set(object, MEMBER, array);
}

void kb_trial_seeds_read(struct kb_trial_seeds *s, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, MEMBER);

	if (!array)
		return;
	s->items = kb_xcalloc(kb_json_count(array), sizeof(*s->items));
	for (const struct kb_json *v = kb_json_first(array); v;
	     v = kb_json_next(v)) {
		if (kb_json_type(v) != KB_JSON_STRING ||
		    !kb_hex_valid(kb_json_string_value(v), SEED_DIGITS)) {
			kb_fields_fail(f, "'" MEMBER "' has an element that is no seed");
			return;
		}
		memcpy(s->items[s->count++], kb_json_string_value(v),
		       KB_TRIAL_SEED_SIZE);
	}
}
