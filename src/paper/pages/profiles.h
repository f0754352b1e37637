#ifndef KB_PAGES_PROFILES_H
#define KB_PAGES_PROFILES_H

#include "tables/profile_table.h"

struct kb_buf;
struct kb_profile_item;
struct kb_view;

/* The view's times of the profiled candidate. */
struct kb_profile_share kb_view_profile_share(const struct kb_view *v,
					      const struct kb_profile_item *i);

/* A table for each profile beside the evaluation; nothing if there is none. */
void kb_profiles_print(struct kb_buf *out, const struct kb_view *v);

#endif
