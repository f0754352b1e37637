#ifndef KB_WORKER_PYTHON_H
#define KB_WORKER_PYTHON_H

struct kb_err;
struct kb_launcher;

/*
 * Which Python runs the torch runtime. Whoever names one, with --python or
 * KB_PYTHON, gets it, whatever it has. Otherwise it is the first that has torch
 * of `python3` in PATH, the active environments' (VIRTUAL_ENV, CONDA_PREFIX)
 * and /usr/bin/python3.
 *
 * They are asked as a worker would run, confined: one that another user cannot
 * reach does not count as having anything. This chooses the launcher's user
 * anew. Asked once; it does nothing afterwards, or where one was named.
 *
 * If none has torch the first that is there stays, and `python_tried` of the
 * launcher has what was asked. Returns 1 if one with torch was found now, and 0
 * otherwise; fails with KB_ERR_SYS, KB_ERR_INTERRUPTED.
 */
int kb_launcher_find_torch(struct kb_launcher *l, struct kb_err *err);

#endif
