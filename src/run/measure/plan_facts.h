#ifndef KB_MEASURE_PLAN_FACTS_H
#define KB_MEASURE_PLAN_FACTS_H

#include "manifest/suite.h"
#include "worker/protocol.h"

struct kb_err;

/*
 * Could the suite's facts of a problem be those of the one whose reference
 * wrote this plan?
 * Inputs are as many, of as many elements together, since those that have names
 * have no order; outputs have the same shapes and, at fp32, the same types.
 * The rest of the facts is not looked at, and there need not be any.
 *
 * Fails with KB_ERR_INPUT, and says of which problem and in what they differ.
 */
int kb_plan_check_facts(const struct kb_plan *plan,
			const struct kb_problem *problem,
			enum kb_precision precision, struct kb_err *err);

#endif
