#ifndef KB_CONFINE_NOTIFY_H
#define KB_CONFINE_NOTIFY_H

/*
 * The next system call that `notify_fd` tells of, see kb_confine_syscalls(), fails
 * with EPERM. Returns its number, or below 0 if who made it has gone. No
 * allocation, no locks.
 */
int kb_notify_refuse(int notify_fd);

#endif
