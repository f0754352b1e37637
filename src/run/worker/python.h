#ifndef KB_WORKER_PYTHON_H
#define KB_WORKER_PYTHON_H

struct kb_buf;
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

/*
 * Where the launcher's Python finds its modules, as a worker would: the
 * directories that it is installed in, one a line; an empty line; and the
 * directories and archives of modules. Appended to `out`; nothing if it cannot
 * be asked.
 */
void kb_python_paths(struct kb_buf *out, struct kb_launcher *l);

#endif
