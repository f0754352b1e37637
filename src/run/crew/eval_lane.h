#ifndef KB_CREW_EVAL_LANE_H
#define KB_CREW_EVAL_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "crew/crew.h"
#include "session/candidates.h"

struct kb_bundle;
struct kb_session;
struct kb_submission;

/*
 * A lane of kb-eval: candidates of a submission are judged and timed on the
 * bench of their problem, which stays for the next ones. A candidate that is
 * screened has its result then if kb_eval_is_final().
 */
struct kb_eval_lane {
	struct kb_session *session;		/* borrowed, as are these */
	const struct kb_bundle *bundle;		/* the submission's */
	bool is_loose;				/* that is a directory in which a
						   job's candidates lie; it has no
						   members */
	const struct kb_submission *submission;	/* NULL: not known beforehand */
	bool wants_rooms;			/* kb_session_check_rooms() before the
						   first job */
	struct kb_problem_bench bench;
	struct kb_key key;			/* of its problem; level 0: none */
	uint32_t others;			/* lanes that screen at the same time */
	bool has_left;				/* the device to others */
	bool is_shared;				/* with other programs, it seems */
};

#define KB_EVAL_LANE_INIT { .bench = KB_PROBLEM_BENCH_INIT }

extern const struct kb_lane_kind kb_eval_lane_kind;

/* Would a candidate with this result fail alike, whatever else is on its device? It
 * does not compile, has outputs of another shape or type or far off the reference's,
 * or raises what Python raises for wrong code. No result that speaks of memory, time, a
 * killed program or the capture of a CUDA graph is so. */
bool kb_eval_is_final(const struct kb_result *r);

/* Is a candidate likely to fail alone that has failed so in a screen, or NULL? Then it
 * is verified before it is timed. One that was late may have compiled, and would
 * compile once more for that. */
bool kb_eval_fails_again(const char *doubt);

#endif
