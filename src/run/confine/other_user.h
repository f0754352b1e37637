#ifndef KB_CONFINE_OTHER_USER_H
#define KB_CONFINE_OTHER_USER_H

#include <stdbool.h>

/*
 * Why can a worker not run as KB_WORKER_UID? NULL if it can, which takes user 0
 * with its rights: in a container they may have been dropped, and in a user
 * namespace there may be no other user. Static text.
 */
const char *kb_other_user_why_not(void);

/* May this process choose the processors of another user's (sched_setaffinity(2))? */
bool kb_other_user_is_movable(void);

#endif
