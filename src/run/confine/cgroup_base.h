#ifndef KB_CONFINE_CGROUP_BASE_H
#define KB_CONFINE_CGROUP_BASE_H

#include <stdbool.h>

/*
 * A control group in which others may be made. Limits of memory and processes
 * are for the groups in it, and then none of its own processes may be in it,
 * unless it is the uppermost of all.
 */

#define KB_CGROUP_SELF "kb-self"	/* where those of its own go then */

/*
 * As confine/cgroups.h says where that is: a descriptor, or -1 with the reason
 * in `*why_not`, which the caller frees. `*is_gathered`: what was in it is now
 * in KB_CGROUP_SELF.
 */
int kb_cgroup_base_open(bool *is_gathered, char **why_not);

/* Move the gathered processes back, unless somebody has groups there by now. */
void kb_cgroup_base_scatter(int fd);

#endif
