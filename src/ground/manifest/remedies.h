#ifndef KB_MANIFEST_REMEDIES_H
#define KB_MANIFEST_REMEDIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_fields;
struct kb_json;

/* For a problem that measures nothing as it is: inputs with which it does.
 * Elements x of this argument of forward() become scale * x + shift. */
struct kb_remedy {
	char *input;			/* its name, or NULL: not known */
	uint32_t argument;		/* its number, from 0 */
	char *scale;			/* decimals, as given */
	char *shift;
};

struct kb_remedies {
	struct kb_remedy *items;	/* each argument once */
	size_t count;
};

#define KB_REMEDIES_INIT { .items = NULL }

void kb_remedies_release(struct kb_remedies *r);

/* The same but for names. The caller releases `to`. */
void kb_remedies_copy_unnamed(struct kb_remedies *to,
			      const struct kb_remedies *from);

/* The same changes of the same arguments, in the same order, whatever the
 * names. */
bool kb_remedies_equal(const struct kb_remedies *a, const struct kb_remedies *b);

/* The remedies of a derived suite's problem, which have no names: the array,
 * and the member "remedy" of one or more. */
struct kb_json *kb_remedies_to_json(const struct kb_remedies *r);
void kb_remedies_read(struct kb_remedies *r, struct kb_fields *f);

#endif
