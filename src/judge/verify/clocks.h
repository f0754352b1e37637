#ifndef KB_VERIFY_CLOCKS_H
#define KB_VERIFY_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/record.h"
#include "verify/checks.h"

struct kb_json;
struct kb_timed;

/*
 * The checks "clocks" and, of an evaluation, "drift" of verify/plausible.h, of
 * a record's lines: begun with its environment, given everything that was
 * timed, and ended, which adds what came of it to `c` and releases.
 */
struct kb_clock_lines {
	enum kb_kind kind;
	struct kb_checks of_clocks, of_drift;
	/* The most that can be; KB_UNKNOWN where the record does not say. */
	int64_t sm_clock_mhz, memory_clock_mhz, power_mw;
	bool tells_all;			/* that can be read of a GPU */
	int64_t timings, slowed, untold, readings, repeated;
	int64_t controls;
};

void kb_clock_lines_begin(struct kb_clock_lines *k, enum kb_kind kind,
			  const struct kb_json *environment);
void kb_clock_lines_take(struct kb_clock_lines *k, const struct kb_timed *t);
void kb_clock_lines_end(struct kb_clock_lines *k, struct kb_checks *c);
void kb_clock_lines_release(struct kb_clock_lines *k);

#endif
