#ifndef KB_MANIFEST_TAKEN_OUT_H
#define KB_MANIFEST_TAKEN_OUT_H

struct kb_json;

/*
 * GPUs that were taken out of a run: a fact of the section `gpu` of an
 * environment, a list of texts, each an id, as `uuid` or `uuids` has it, a
 * colon, a blank, and the reason. It is not there if none was.
 */
#define KB_TAKEN_OUT_MEMBER "taken_out"

/* Such a text. The caller frees. */
char *kb_taken_out_text(const char *id, const char *reason);

/* The id in it, which the caller frees; NULL if it is no such text. */
char *kb_taken_out_id(const char *text);

/*
 * A copy of the environment with the GPUs of `texts`, in that order and each
 * once, and no others; of one without a section `gpu` as it is. The caller
 * frees.
 */
struct kb_json *kb_taken_out_replace(const struct kb_json *environment,
				     const struct kb_json *texts);

#endif
