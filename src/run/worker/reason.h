#ifndef KB_WORKER_REASON_H
#define KB_WORKER_REASON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Why code failed, in one line, from what was printed: a log as kb_log_read()
 * gives it. A record has both, so that anybody can derive the line again.
 *
 * The log is the code's own, so the line is what the code says of itself: it
 * decides nothing.
 */
#define KB_REASON_SIZE 201	/* bytes, with the NUL */

/*
 * Each returns false, and leaves `out`, if the log does not say. A line that is
 * too long is cut between two characters and ends in "...".
 *
 * By a worker: behind "kb_torch: " or "kb-worker-native: " of the last line that
 * begins so.
 */
bool kb_reason_by_worker(char out[KB_REASON_SIZE], const char *log, size_t len);

/* By a compiler or a linker: the first line that says "error". */
bool kb_reason_by_compiler(char out[KB_REASON_SIZE], const char *log,
			   size_t len);

/* By a program that ends itself, as libraries do by abort(3): the last line
 * above what Python's faulthandler prints then. */
bool kb_reason_by_end(char out[KB_REASON_SIZE], const char *log, size_t len);

/* By the leader of `ranks` ranks, in its last line: which of them ended before the
 * leader did. Sets `*len` to the length of the log above that line; or returns -1,
 * and leaves it. */
int kb_reason_ended_rank(const char *log, size_t *len, uint32_t ranks);

/* Where Python's faulthandler says that it crashed: the line of candidate.py;
 * 0 if it does not. */
int kb_reason_crash_line(const char *log, size_t len);

/* Does the text speak of the machine: of lacking memory, room or time, or of a program
 * that was killed? Then a failed compiler may succeed another time. The words are also
 * in kb_torch_failures.py. */
bool kb_reason_is_of_machine(const char *text, size_t len);

#endif
