#ifndef KB_MANIFEST_SHARE_H
#define KB_MANIFEST_SHARE_H

#include <stdint.h>

struct kb_err;
struct kb_json;

/* A share, from 0 to 1, exactly and for people. */
struct kb_share {
	char *exact;			/* "3/4", in lowest terms; owned */
	int64_t ppm;			/* millionths, half up */
};

void kb_share_release(struct kb_share *s);

/* `part` of `whole`, 0 <= part <= whole; of nothing it is 0. Both are below
 * 2^100. Caller releases. */
void kb_share_of(struct kb_share *out, __int128 part, __int128 whole);

/*
 * {"exact": "3/4", "ppm": 750000}. That the fraction is in lowest terms, and
 * the millionths are its, is not checked: kb-verify makes both again.
 * The caller releases what is read, also if that fails.
 */
struct kb_json *kb_share_to_json(const struct kb_share *s);
int kb_share_from_json(struct kb_share *s, const struct kb_json *v,
		       const char *where, struct kb_err *err);

#endif
