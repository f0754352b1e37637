#ifndef KB_WORKER_PROGRAM_H
#define KB_WORKER_PROGRAM_H

struct kb_buf;
struct kb_err;
struct kb_fault;
struct kb_launcher;
struct kb_source;

/*
 * One file of C or CUDA C++ as a program: as it was prepared, or compiled now,
 * in a scratch directory of its own. `*program_fd` becomes a sealed copy of the
 * shared object, which is the only thing that leaves that directory; the
 * caller closes it. Returns and fails as kb_launch().
 */
int kb_program_make(int *program_fd, struct kb_launcher *l,
		    const struct kb_source *source, struct kb_buf *log,
		    struct kb_fault *fault, struct kb_err *err);

#endif
