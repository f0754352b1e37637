#ifndef KB_VERIFY_CONDITIONS_H
#define KB_VERIFY_CONDITIONS_H

#include <stdbool.h>

#include "manifest/record.h"

struct kb_checks;
struct kb_conditions;

/*
 * Could a stage have written these conditions? Pure; adds to the layer
 * "arithmetic", as what is there follows from something else that is:
 *
 *	match_key	it is the one that environment and policy make, with
 *			all of its fields
 *	facts		each is told once, or the same twice: verify/facts.h
 *	gpus		GPUs that were taken out of the run are some of the
 *			environment's, each with a reason; only if there are
 *			any
 *	policy		it has the members that the stage writes, of values
 *			that there are; those that are options say what the
 *			options say
 *
 * `kind` is a baseline, an evaluation or an audit.
 */
void kb_conditions_verify(struct kb_checks *c, const struct kb_conditions *k,
			  enum kb_kind kind);

#endif
