#ifndef KB_MANIFEST_EVIDENCE_H
#define KB_MANIFEST_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dtype.h"
#include "manifest/record.h"

struct kb_err;
struct kb_json;

/*
 * The measurements of an audit of one problem: numbers without a judgement. The
 * torch runtime's kb_torch_audit.py takes them and doc/kb-manifest.5 says what
 * each is; audit/judge.h makes findings of them.
 */

/* How near is an element to what is expected? Each that is counted for one
 * of these is counted for those that follow. */
enum kb_nearness {
	KB_NEAR_EQUAL,
	KB_NEAR_1E_4,			/* |a - b| <= t + t |b|, t = 1e-4 */
	KB_NEAR_1E_2,			/* t = 1e-2 */
	KB_NEARNESS_COUNT,		/* not a nearness */
};

double kb_nearness_tolerance(enum kb_nearness nearness);

/* How many elements are so near. */
struct kb_near {
	int64_t counts[KB_NEARNESS_COUNT];
};

/* Outputs of another call. */
struct kb_difference {
	double max_abs;
	double max_rel;			/* of the output's largest magnitude */
	struct kb_near within;
};

/* Against float64. */
struct kb_precision_error {
	double max_abs;
	double max_scaled;		/* |a - b| / (1 + |b|) */
	double rms;
};

/* The distance by which each rounded result moved in float64. */
enum kb_noise {
	KB_NOISE_SMALL,			/* 2^-18 of it */
	KB_NOISE_LARGE,			/* 2^-11 */
	KB_NOISE_COUNT,			/* not a noise */
};

#define KB_NOISE_RATIO 128.0		/* of the two */

struct kb_output_evidence {
	enum kb_dtype dtype;
	int64_t elements;
	int64_t finite;
	double min, max, mean, std;	/* of finite elements; 0 if none is */
	struct kb_near zero, midrange, average;	/* such a constant is near */
	int64_t identity;		/* the input that it is, bit by bit, or
					   KB_UNKNOWN */
	struct kb_difference other_input, repeat, redraw;
	struct kb_precision_error error;	/* 0 if there is no float64 */
	struct kb_precision_error noise[KB_NOISE_COUNT];	/* the same */
};

/* An operation that was taken out. */
struct kb_removal {
	int64_t call;			/* it was this call, from 0 */
	char *name;			/* "torch.relu" */
	char *module;			/* "layers.0"; "" for the problem's */
	double max_rel;			/* change of the worst output */
};

/* On one distribution of inputs. */
struct kb_distribution {
	struct kb_output_evidence *outputs;
	size_t output_count;		/* 1 or more */
	char *no_float64;		/* why there is none, or NULL */
	char *no_removal;		/* the same */
	bool has_noise;			/* older audits say nothing of it */
	char *no_noise;			/* why it could not be made, or NULL */
	struct kb_removal *removals;	/* by `call` */
	size_t removal_count;
	int64_t untried;		/* operations that there was no time for */
};

struct kb_evidence {
	struct kb_distribution stated;
	/* Where inputs can be given signs; else without outputs. */
	struct kb_distribution with_signs;
	char *no_signs;			/* why that failed, or NULL */
};

#define KB_EVIDENCE_INIT { .no_signs = NULL }

void kb_evidence_release(struct kb_evidence *e);
struct kb_json *kb_evidence_to_json(const struct kb_evidence *e);
int kb_evidence_from_json(struct kb_evidence *out, const struct kb_json *v,
			  const char *where, struct kb_err *err);

/* Something is not known because there was not enough memory for it. */
bool kb_evidence_lacks_memory(const struct kb_evidence *e);

static inline void kb_cleanup_evidence(struct kb_evidence *e)
{
	kb_evidence_release(e);
}

#endif
