#ifndef KB_CMD_ABOUT_H
#define KB_CMD_ABOUT_H

#include "manifest/record.h"

struct kb_buf;
struct kb_err;
struct kb_json;

/*
 * Describe a record in some words: "270 problems of kernelbench", "18 of 24
 * correct, Llama, NVIDIA H200". Appended; texts of the record are cleaned.
 * `store` is where the submission of an evaluation is looked for, which knows
 * whose candidates they are. Fails as kb_<kind>_from_json().
 */
int kb_about_print(struct kb_buf *out, enum kb_kind kind,
		   const struct kb_json *record, const char *store,
		   struct kb_err *err);

/* The same of the bundle of this id in `store`, of which nothing but the record
 * is read, and its kind. Fails as kb_store_open_member(). */
int kb_about_id_print(struct kb_buf *out, enum kb_kind *kind,
		      const struct kb_digest *id, const char *store,
		      struct kb_err *err);

#endif
