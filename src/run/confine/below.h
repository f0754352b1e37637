#ifndef KB_CONFINE_BELOW_H
#define KB_CONFINE_BELOW_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Does a process that the program below a monitor has started, or one that such a
 * process has, use a processor or wait for a disk at this moment? So a compiler
 * at work is seen that is a program of its own. The program itself and its
 * threads do not count, nor who waits for something else, as compilers that wait
 * for work do. Of `generations` 2, the program's own children do not count either:
 * they are the ranks of a group, which may spin.
 *
 * It is what /proc says now; false also where the kernel lists no children
 * (CONFIG_PROC_CHILDREN), or does not show them to us.
 */
bool kb_is_busy_below(pid_t monitor, int generations);

/*
 * Have all processes below this one, with their threads, use these processors, and
 * whatever they start, but for those that are spared and all below them. Returns false
 * if one cannot be told to, such as another user's: all others are.
 */
bool kb_move_below(const cpu_set_t *set,
		   bool (*is_spared)(void *context, pid_t pid), void *context);

#endif
