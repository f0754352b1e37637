#ifndef KB_DEVICE_MATCH_FIELDS_H
#define KB_DEVICE_MATCH_FIELDS_H

#include <stddef.h>

struct kb_json;

/* One field of a match key: a fact that changes how long code takes. */
struct kb_match_field {
	const char *section;
	const char *fact;
};

/*
 * The match key that these fields of an environment make: a flat object of
 * strings, "<section>.<fact>". What was unavailable there is "unavailable"
 * here, what is not in it at all is "not recorded"; either equals itself,
 * so two machines that both hide a fact are not told apart by it.
 *
 * The caller frees the result with kb_json_free().
 */
struct kb_json *kb_match_fields(const struct kb_json *environment,
				const struct kb_match_field fields[],
				size_t count);

#endif
