#ifndef KB_CONFINE_TOLD_H
#define KB_CONFINE_TOLD_H

/*
 * The next system call that `told_fd` tells of, see kb_confine_syscalls(), fails
 * with EPERM. Returns its number, or below 0 if who made it has gone. No
 * allocation, no locks.
 */
int kb_told_refuse(int told_fd);

#endif
