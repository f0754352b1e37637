#ifndef KB_IMPORT_OPEN_H
#define KB_IMPORT_OPEN_H

struct kb_bundle;
struct kb_err;
struct kb_pack;
struct kb_submission;
struct kb_suite;

/*
 * Open what the user named: a bundle, as kb_suite_open() does, or something
 * unpacked, which is packed into `store` first, so that whatever is made from
 * it can name its parents. Fill in both the bundle and its record; on failure
 * neither needs release. Fail as kb_suite_open() and kb_suite_pack(). `p` has one
 * path, and says whether somebody wants to know what was passed over.
 */
int kb_suite_open_or_pack(struct kb_bundle *b, struct kb_suite *s,
			  const char *store, const char *name,
			  struct kb_err *err);
int kb_submission_open_or_pack(struct kb_bundle *b, struct kb_submission *s,
			       const struct kb_pack *p, struct kb_err *err);

#endif
