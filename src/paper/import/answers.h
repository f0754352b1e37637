#ifndef KB_IMPORT_ANSWERS_H
#define KB_IMPORT_ANSWERS_H

#include <stdbool.h>

struct kb_err;
struct kb_sources;
struct kb_submission;

/* One file of many candidates: the leaderboard's JSON, or CUDA-L1's. */

/* Is there a file that is called like one? */
bool kb_answers_is(const char *path);

/* Read its candidates into `sources`, and into the submission what format it
 * has and what it says of where they come from. Fails as kb_cuda_l1_parse(),
 * kb_leaderboard_parse() and kb_file_read(). */
int kb_answers_read(struct kb_submission *s, struct kb_sources *sources,
		    const char *path, struct kb_err *err);

#endif
