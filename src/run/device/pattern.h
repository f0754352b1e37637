#ifndef KB_DEVICE_PATTERN_H
#define KB_DEVICE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes that nobody computes by chance, to see what was written.
 *
 * Outputs are filled with a pattern before a run, so that an element that
 * the candidate leaves alone holds a random value, another in every trial,
 * and fails the comparison: always for floats in practice, for a bool or
 * a byte 255 times in 256. Guards are filled with one and checked after
 * the run, so that a write beyond a tensor shows.
 *
 * This finds the careless. A candidate can read both patterns in its own
 * memory, put back what it overwrote, and compute the key from any eight
 * bytes: a pattern's key is good for nothing else.
 *
 * A pattern covers the bytes `first` to `end - 1` of a mapping at `base`,
 * which is aligned to 8 bytes. Each byte depends on the key and on its
 * offset, not on what is covered: a part of a pattern can be checked.
 */

void kb_pattern_fill(void *base, uint64_t first, uint64_t end, uint64_t key);

/* If it does not hold, `damaged` is the offset of the first wrong byte. */
bool kb_pattern_holds(const void *base, uint64_t first, uint64_t end,
		      uint64_t key, uint64_t *damaged);

/* A key for mapping number `number`, from one key for them all. */
uint64_t kb_pattern_key(uint64_t key, uint64_t number);

#endif
