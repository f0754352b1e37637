#ifndef KB_MANIFEST_STATED_H
#define KB_MANIFEST_STATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/derivation.h"
#include "manifest/key.h"
#include "manifest/record.h"

struct kb_err;
struct kb_fields;
struct kb_json;

/* Some ratios, in order of size. */
struct kb_spread {
	size_t problems;		/* that have the ratio */
	int64_t median_micro;		/* KB_UNKNOWN if there are none */
	int64_t min_micro, max_micro;
};

#define KB_SPREAD_INIT { 0, KB_UNKNOWN, KB_UNKNOWN, KB_UNKNOWN }

/* How far an output may be off, of floats of at least so many bits:
 * |a - b| <= atol + rtol |b|. */
struct kb_stated_limit {
	int bits;
	double atol, rtol;
};

#define KB_STATED_LIMITS 3		/* of 32 bits, 16 and 8 */

/*
 * The conditions that a score's numbers depend on and do not show: the member
 * "stated" of its record. It follows from the score's parents and the suite,
 * like all of it.
 */
struct kb_stated {
	int64_t selected;		/* problems of the evaluation */
	int64_t suite_problems;		/* KB_UNKNOWN: the suite was absent,
					   and so are the next three, and
					   `derivation` is none */
	struct kb_key *left_out;	/* not selected; sorted; owned */
	size_t left_out_count;
	enum kb_derivation derivation;	/* of the suite, if it is there, */
	struct kb_digest derived_from;	/* from this one */
	int64_t unsound;		/* of the problems that the score is
					   of, by the suite's audit */
	int64_t not_audited;
	char *tolerance;		/* the policy's name; NULL: not said */
	int64_t error_multiple;		/* or KB_UNKNOWN */
	bool of_tensor;			/* rtol is of an output's largest */
	struct kb_stated_limit limits[KB_STATED_LIMITS];
	size_t limit_count;		/* 0 of a policy that is not known */
	bool has_drift;			/* the baseline is eager, too */
	struct kb_spread drift;		/* evaluation / baseline */
	int64_t attempts;		/* at a problem, at most, that kb-serve was
					   asked for; 0: it is not kb-serve's */
};

#define KB_STATED_INIT { .suite_problems = KB_UNKNOWN, \
	.unsound = KB_UNKNOWN, .not_audited = KB_UNKNOWN, \
	.error_multiple = KB_UNKNOWN, .drift = KB_SPREAD_INIT }

void kb_stated_release(struct kb_stated *s);

struct kb_json *kb_stated_to_json(const struct kb_stated *s);

/* The member `key`. If `f` has failed `s` may be filled in part; the caller
 * releases it. */
void kb_stated_read(struct kb_stated *s, struct kb_fields *f, const char *key);

#endif
