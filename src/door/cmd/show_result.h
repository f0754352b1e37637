#ifndef KB_CMD_SHOW_RESULT_H
#define KB_CMD_SHOW_RESULT_H

#include "manifest/key.h"

struct kb_buf;
struct kb_bundle;
struct kb_err;

/*
 * Show one problem of a bundle of `store`: of an evaluation, or of a score,
 * which rests on one, the results of its samples, each with times and log; of a
 * baseline that of its reference; of an audit what it found; of a suite or a
 * submission the code. `sample_id` is one sample, or -1 for all.
 *
 * Returns 1 if that is code, 0 if not. Fails with KB_ERR_MISSING if there is no
 * such problem or sample, with KB_ERR_INPUT if the bundle is of another kind.
 */
int kb_show_result(struct kb_buf *out, const struct kb_bundle *b,
		   const char *store, struct kb_key key, int sample_id,
		   struct kb_err *err);

#endif
