#ifndef KB_VERIFY_ARITHMETIC_H
#define KB_VERIFY_ARITHMETIC_H

struct kb_bundle;
struct kb_checks;
struct kb_err;
struct kb_lineage;

/*
 * Does what a record derives follow from what it holds? Adds to the layer
 * "arithmetic":
 *
 *	times		of baselines and evaluations: every time, by either
 *			clock, is what its samples give, and there is none only
 *			where they give none
 *	match_key	of these and of audits: every field is the fact of the
 *			environment, or of the policy, that it is called after.
 *			One whose section is unavailable cannot be compared, and
 *			is counted in a note
 *	findings	of audits: judged again, in the same words
 *	score		of scores: judged again, from both parents, byte for
 *			byte. Without them the answer is no: a score is nothing
 *			but that
 *
 *	options		of generations: settings, prices and system prompt are
 *			what they say
 *	requests	of generations: each is what its prompt, the settings
 *			and the seed make
 *	answers		each gives, read and extracted again, what the record
 *			says
 *	totals		tokens and cost are the sums of the lines
 *
 * Suites and submissions derive nothing, which one check says. `b` is the
 * bundle that the record of `l` was read from.
 *
 * Fails only with what says nothing of a bundle, such as KB_ERR_SYS.
 */
int kb_arithmetic_check(struct kb_checks *c, const struct kb_lineage *l,
			const struct kb_bundle *b, struct kb_err *err);

#endif
