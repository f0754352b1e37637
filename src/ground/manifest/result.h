#ifndef KB_MANIFEST_RESULT_H
#define KB_MANIFEST_RESULT_H

#include "manifest/device_timing.h"
#include "manifest/key.h"
#include "manifest/fp64_error.h"
#include "manifest/outcome.h"
#include "manifest/output_error.h"
#include "manifest/record.h"
#include "manifest/alternate_trials.h"
#include "manifest/seeds.h"
#include "manifest/timing.h"

struct kb_err;
struct kb_json;

/* The result of one candidate: one line of data/results.jsonl. */
struct kb_result {
	struct kb_key key;
	int sample_id;
	struct kb_digest candidate;	/* of its file; unused if missing */
	struct kb_outcome outcome;
	const char *backend;		/* of its code, one of kb_code_backends;
					   NULL: not recorded, or missing */
	char *built_in_place;		/* why it was built where it ran, not
					   ahead; owned; or NULL */
	char *measured_on;		/* the GPU, as the environment has its
					   id; owned; NULL: unknown, none */
	int64_t cpu_ms;			/* processor time of its workers; 0: not
					   known, or it had none */
	int64_t output_pool_bytes;	/* the candidate's on a CUDA device, if
					   it is not as large as the policy's;
					   else 0 */
	int64_t reference_output_pool_bytes;	/* likewise */
	struct kb_seeds seeds;		/* under which it was correct, if they
					   were to be more than one */
	struct kb_output_error *outputs;	/* owned; none compared: 0 */
	size_t output_count;
	struct kb_fp64_error *fp64_error;	/* owned; NULL: not asked */
	struct kb_alternate_trials *alternates;	/* owned; NULL: it was not to
						   be tried on any */
	struct kb_timing *timing;	/* owned; NULL unless correct */
	struct kb_timing *reference_timing;	/* owned, or NULL */
	/* Both owned, the first NULL unless correct, and both where the
	 * device has no clock of its own. */
	struct kb_device_timing *device_timing;
	struct kb_device_timing *reference_device_timing;
};

#define KB_RESULT_INIT { .outcome = KB_OUTCOME_INIT }

void kb_result_release(struct kb_result *r);
struct kb_json *kb_result_to_json(const struct kb_result *r);
int kb_result_from_json(struct kb_result *r, const struct kb_json *line,
			const char *where, struct kb_err *err);

/* By level, problem, sample: the order of lines. For qsort(3). */
int kb_result_compare(const void *a, const void *b);

static inline void kb_cleanup_result(struct kb_result *r)
{
	kb_result_release(r);
}

#endif
