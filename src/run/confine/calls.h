#ifndef KB_CONFINE_CALLS_H
#define KB_CONFINE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * System calls by number: which a worker may make, and what those are called
 * that it may not. All that is here is fit for a process between fork and exec.
 */

#define KB_CALL_NUMBERS 467	/* those beyond are newer than these tables */

struct kb_calls {
	uint64_t bits[(KB_CALL_NUMBERS + 63) / 64];
};

static inline void kb_calls_add(struct kb_calls *c, uint32_t number)
{
	c->bits[number / 64] |= UINT64_C(1) << number % 64;
}

static inline bool kb_calls_has(const struct kb_calls *c, uint32_t number)
{
	return number < KB_CALL_NUMBERS &&
	       c->bits[number / 64] >> number % 64 & 1;
}

/* The calls that are allowed whatever their arguments are. With `ipc`, System
 * V's memory and semaphores are among them: they end with the worker's
 * namespace. */
struct kb_calls kb_calls_allowed(bool ipc);

/* The name of a call that is known and never allowed, or only with `ipc`; NULL
 * for any other. */
const char *kb_call_name(uint32_t number);

#endif
