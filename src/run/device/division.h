#ifndef KB_DEVICE_DIVISION_H
#define KB_DEVICE_DIVISION_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/baseline.h"
#include "manifest/match_key.h"

struct kb_conditions;
struct kb_evaluation;
struct kb_json;
struct kb_key;
struct kb_suite;

/*
 * May times that were taken under these conditions be divided by times that
 * were taken under those? Both match keys must agree, and so must extra facts,
 * which decide how long these very references take:
 *
 *	os.page_bytes			where a side's is not 4096
 *	torch.triton_version		where the references were compiled: code
 *					for them is written in Triton
 *	torch.transformers_version	where a problem that both sides have
 *					needs it (manifest/suite.h)
 *
 * They are facts of the environment under the rules of a match key, so that
 * "not recorded" and "unavailable" equal themselves alone. They are in no match
 * key, since most references depend on none of them.
 */
struct kb_division_side {
	const struct kb_conditions *conditions;	/* all borrowed */
	const struct kb_key *problems;		/* sorted */
	size_t problem_count;
};

struct kb_division {
	struct kb_division_side left, right;
	enum kb_mode mode;		/* of the references on the right */
	const struct kb_suite *suite;	/* of both; NULL: not there, and any of
					   the problems may need anything */
};

/* An evaluation by a baseline, which are of one suite. */
struct kb_division kb_division_of(const struct kb_evaluation *e,
				  const struct kb_baseline *b,
				  const struct kb_suite *suite);

/* The extra facts of an environment that the division compares, as an object like
 * a match key; without members if it compares none. The caller frees. */
struct kb_json *kb_division_extras(const struct kb_division *d,
				   const struct kb_json *environment);

/* As kb_match_key_diff(), of all that the division compares; the caller
 * releases `out`. */
void kb_division_diff(struct kb_mismatches *out, const struct kb_division *d);

/* Whether either match key has a field of that name, or some division compares
 * an extra fact of that name. */
bool kb_division_knows(const struct kb_division *d, const char *field);

#endif
