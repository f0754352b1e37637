#ifndef KB_ANSWERS_SETTINGS_H
#define KB_ANSWERS_SETTINGS_H

#include <stdint.h>

struct kb_err;

/* Sampling settings, as they are given: NULL or KB_UNKNOWN is not said, and
 * then not sent. */
struct kb_sampling {
	const char *temperature;	/* a JSON number */
	const char *top_p;
	int64_t max_tokens;
	int64_t max_completion_tokens;	/* what newer servers call it */
	const char *body;		/* a JSON object of further members */
};

/*
 * The members of a request's body that they make, as the text of a JSON
 * object; the caller frees. Fails with KB_ERR_USAGE if a value is not what it
 * should be, or `body` has a member that is set elsewhere.
 */
int kb_sampling_print(char **out, const struct kb_sampling *s,
		      struct kb_err *err);

#endif
