#ifndef KB_MANIFEST_REFERENCE_RESULT_H
#define KB_MANIFEST_REFERENCE_RESULT_H

#include <stdbool.h>

#include "manifest/device_timing.h"
#include "manifest/key.h"
#include "manifest/fp64_error.h"
#include "manifest/outcome.h"
#include "manifest/timing.h"

struct kb_err;
struct kb_fields;
struct kb_json;

/* How the reference is run. */
enum kb_mode {
	KB_MODE_EAGER,
	KB_MODE_COMPILE_DEFAULT,
	KB_MODE_COMPILE_REDUCE_OVERHEAD,
	KB_MODE_COMPILE_MAX_AUTOTUNE,
	KB_MODE_COMPILE_MAX_AUTOTUNE_NO_CUDAGRAPHS,
	KB_MODE_CUDAGRAPHS,
	KB_MODE_COUNT,			/* not a mode */
};

const char *kb_mode_name(enum kb_mode mode);

/* Whether code is generated for a reference: cudagraphs records what eager
 * mode calls. */
bool kb_mode_compiles(enum kb_mode mode);

/* Fails with KB_ERR_INPUT. */
int kb_mode_parse(enum kb_mode *out, const char *name, struct kb_err *err);

/* The member `key`. */
enum kb_mode kb_mode_read(struct kb_fields *f, const char *key);

/* The time of one reference: one line of data/results.jsonl. */
struct kb_reference_result {
	struct kb_key key;
	enum kb_mode mode;
	struct kb_outcome outcome;
	char *measured_on;		/* the GPU, as the environment has its
					   id; owned; NULL: unknown, none */
	int64_t output_pool_bytes;	/* on a CUDA device, if it is not as
					   large as the policy's; else 0 */
	struct kb_fp64_error *fp64_error;	/* owned; NULL: not asked */
	struct kb_timing *timing;	/* owned; NULL unless timed */
	struct kb_device_timing *device_timing;	/* owned; NULL unless timed,
						   or without such a clock */
};

#define KB_REFERENCE_RESULT_INIT { .outcome = KB_OUTCOME_INIT }

void kb_reference_result_release(struct kb_reference_result *r);
struct kb_json *
kb_reference_result_to_json(const struct kb_reference_result *r);
int kb_reference_result_from_json(struct kb_reference_result *r,
				  const struct kb_json *line,
				  const char *where, struct kb_err *err);

#endif
