#ifndef KB_SESSION_LIKE_H
#define KB_SESSION_LIKE_H

#include "cli/options.h"

struct kb_err;
struct kb_session_options;

/*
 * Set the options that --like stands for (manifest/like.h), of those that the
 * program has, and what neither it nor the user has set to its default. One
 * that was set to something else fails with KB_ERR_USAGE, as does a name that
 * there is not.
 */
int kb_session_take_like(struct kb_session_options *o,
			 const struct kb_option options[], struct kb_err *err);

#endif
