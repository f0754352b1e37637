#ifndef KB_WORKER_QUERY_H
#define KB_WORKER_QUERY_H

struct kb_buf;
struct kb_err;
struct kb_launcher;
struct kb_scratch_dir;

/*
 * Ask a program, such as a compiler or Python: run `argv` in `dir` to its end,
 * confined as compilers are, but without a limit of memory. Returns 1 if it ended
 * with status 0; what it printed, and nothing else, is appended to `said`. Returns
 * 0 if it failed; then the reason is appended, in one line: how it ended, the last
 * line that it printed, and the system calls that it was refused. Fails with
 * KB_ERR_SYS, KB_ERR_INTERRUPTED.
 */
int kb_query(struct kb_buf *said, struct kb_launcher *l,
	     struct kb_scratch_dir *dir, const char *const argv[],
	     struct kb_err *err);

#endif
