#ifndef KB_CONFINE_BECOME_H
#define KB_CONFINE_BECOME_H

#include <stdint.h>

struct kb_spawn;

/*
 * From a fork of the monitor to the program: descriptors, limits, user,
 * Landlock, the filter of system calls, exec. All of it keeps to system calls:
 * no allocation, no stdio, no locks.
 */

/*
 * Become the program of `s` with `features` (enum kb_feature, as bits) in
 * force, and `print_fd` as standard output and error. Returns 0 if the program is
 * one that goes on without exec, or the errno that prevented it; else it does not
 * return. `error_fd` is a socket that ends then, and before that has the
 * descriptor by which the monitor is told of refused calls, if it is to be.
 */
int kb_become_program(const struct kb_spawn *s, int print_fd, int error_fd,
		      uint32_t features);

/* The directory that the program will work in; borrowed from `s`. */
const char *kb_work_of(const struct kb_spawn *s, uint32_t features);

/* Close everything from descriptor 3 up but `keep`; -1 stands for none. */
void kb_close_others(const int keep[], int count);

/* Let every signal do what it does by default. */
void kb_reset_signals(void);

/* A copy that is out of the way of descriptors 0 to 3 and ends at exec; -1 of
 * -1, or with errno set. */
int kb_move_high(int fd);

#endif
