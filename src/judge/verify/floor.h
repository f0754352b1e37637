#ifndef KB_VERIFY_FLOOR_H
#define KB_VERIFY_FLOOR_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/tensor_facts.h"

struct kb_peak;
struct kb_problem_facts;

/*
 * The least time in which a device can do one call of a problem: pure
 * arithmetic on what the suite says of the problem and the data sheet of the
 * device. Whoever is faster did not do the work.
 *
 * That is a charge, so everything that an honest candidate could save is
 * granted:
 *
 *	memory		every output is written, and half of every input read:
 *			one that is triangular or symmetric is known from the
 *			other half. None is, where one of them is of integers,
 *			which may select from the others. The state may have
 *			been made into something smaller when the candidate was
 *			loaded. Twice the L2
 *			cache is free: it may hold inputs of calls before (it is
 *			evicted before a batch, and within one calls follow each
 *			other), and outputs that are never seen to be written
 *	arithmetic	only of dense matrix products, by tags and shapes:
 *			convolutions can be transformed, and other products be
 *			simplified with what follows them. Two levels of
 *			Strassen's algorithm are granted: 49/64 of the
 *			operations
 *	the device	KB_PEAK_MEMORY_SLACK_PPM and
 *			KB_PEAK_ARITHMETIC_SLACK_PPM above its sheet: sheets are
 *			rounded, and their arithmetic is at a lower clock than
 *			the highest
 *
 * None of it holds for a problem that can be answered without the work. So
 * only one of which an audit said that it is sound, and found none of
 * "input_independent", "zero_output", "constant_output" and "removable", has
 * a floor that binds. For others, and for times between the floor and what
 * the problem would take as it is stated, there is something to look at, and
 * no more.
 */
#define KB_PEAK_MEMORY_SLACK_PPM 50000
#define KB_PEAK_ARITHMETIC_SLACK_PPM 125000

struct kb_floor {
	int64_t floor_ns;	/* with all that is granted; 0 or more */
	int64_t stated_ns;	/* bytes_min and flops, at the same peaks and
				   with the same L2 cache free; not less */
	int64_t needed_operations;	/* that nobody saves; 0: not known */
	int64_t stated_memory_ns;	/* the same of bytes_min alone */
	bool binds;		/* by what an audit found */
};

void kb_floor_of(struct kb_floor *out, const struct kb_problem_facts *facts,
		 enum kb_precision precision, const struct kb_peak *peak);

#endif
