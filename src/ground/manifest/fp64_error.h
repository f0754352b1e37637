#ifndef KB_MANIFEST_FP64_ERROR_H
#define KB_MANIFEST_FP64_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_fields;
struct kb_json;

/* The member of results that has it. */
#define KB_FP64_ERROR_MEMBER "fp64_reference_error"

/*
 * How far the reference itself is from what the same computation gives in
 * float64: what a candidate's errors are to be seen beside. With b the
 * reference's output and o float64's, the largest of all draws of inputs.
 */
struct kb_fp64_error_output {
	bool is_float;			/* false: integers, and all 0 */
	double max_abs_error;		/* max |b - o|; finite, as they all are */
	double rms_error;		/* sqrt(mean |b - o|^2), not above it */
	double max_abs;			/* max |b| */
	double rms;			/* sqrt(mean |b|^2), not above it */
};

struct kb_fp64_error {
	int64_t draws;			/* 0 if it is unavailable */
	struct kb_fp64_error_output *outputs;	/* owned; NULL if it is */
	size_t output_count;
	char *unavailable;		/* why, one line; else NULL */
};

/* With `count` outputs, all of integers until they are filled in; or without
 * any, for the reason `why`, which is copied; or as `o`, which may be NULL. */
struct kb_fp64_error *kb_fp64_error_new(int64_t draws, size_t count);
struct kb_fp64_error *kb_fp64_error_new_unavailable(const char *why);
struct kb_fp64_error *kb_fp64_error_copy(const struct kb_fp64_error *o);
void kb_fp64_error_free(struct kb_fp64_error *o);	/* NULL is allowed */

/* The error of output `i`, which must be of floats; otherwise NULL. `o` may be
 * NULL. */
const struct kb_fp64_error_output *
kb_fp64_error_find(const struct kb_fp64_error *o, size_t i);

/* NULL gives null. The caller owns the result. */
struct kb_json *kb_fp64_error_to_json(const struct kb_fp64_error *o);

/*
 * The member `key`, which must be there: null gives NULL. Refuses what
 * contradicts itself: outputs with a reason why there are none, none without
 * one, none of floats, a mean above the largest. The caller frees.
 */
struct kb_fp64_error *kb_fp64_error_read(struct kb_fields *f, const char *key);

static inline void kb_cleanup_fp64_error(struct kb_fp64_error **o)
{
	kb_fp64_error_free(*o);
}

#endif
