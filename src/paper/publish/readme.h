#ifndef KB_PUBLISH_README_H
#define KB_PUBLISH_README_H

struct kb_buf;
struct kb_err;
struct kb_publication;

/*
 * A publication's README.md, for somebody who found it and has never heard of
 * us: what it is, the numbers of each score that was asked for, what is in
 * which folder, what is not here, and how to check all of it, with our tools
 * and without.
 *
 * Fails as kb_score_load() and the like.
 */
#define KB_PUBLISH_README_NAME "README.md"
int kb_publish_readme_print(struct kb_buf *out, const struct kb_publication *p,
			    struct kb_err *err);

#endif
