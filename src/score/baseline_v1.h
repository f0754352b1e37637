#ifndef KB_SCORE_BASELINE_V1_H
#define KB_SCORE_BASELINE_V1_H

struct kb_baseline;
struct kb_digest;
struct kb_err;

/*
 * What is different of baselines of version 1 (manifest/baseline_v1.h). For
 * others these do nothing.
 */

/* Add the intervals that the record did not have, to times that follow from
 * their samples. */
void kb_baseline_v1_complete(struct kb_baseline *b);

/* Fails with KB_ERR_INPUT: nothing is divided by it. */
int kb_baseline_v1_refuse(const struct kb_baseline *b,
			  const struct kb_digest *id, struct kb_err *err);

#endif
