#ifndef KB_RUNS_DOCTOR_H
#define KB_RUNS_DOCTOR_H

struct kb_buf;
struct kb_err;

/*
 * Find out which parts of kb work on this host: what kb-eval finds out at its
 * start, on the CPU and on each GPU, and what a compiler, Python and CUDA's
 * libraries say when they are asked as a worker asks them. No suite and no
 * store is needed, nothing is timed and nothing is left behind.
 *
 * `out` receives a line for each finding, and below it indented lines of what to
 * do about it. The first word is "ok", "note" for what works less well or is
 * not there and need not be, or "no" for what keeps runs from beginning.
 */
struct kb_doctor_options {
	const char *python, *cc, *nvcc;		/* NULL: as kb-eval finds them */
};

/* Returns 1 if a run can begin on the CPU or a GPU, 0 if not; fails with
 * KB_ERR_INTERRUPTED. */
int kb_doctor(struct kb_buf *out, const struct kb_doctor_options *o,
	      struct kb_err *err);

#endif
