#ifndef KB_BASE_NUMBERS_H
#define KB_BASE_NUMBERS_H

#include <stdint.h>

/* Parts of a whole, as integers. */
#define KB_PPM 1000000

/* 2^53 - 1: up to here a double holds every integer, and so does whoever reads
 * our JSON. */
#define KB_EXACT_INT_MAX INT64_C(9007199254740991)

static inline int64_t kb_max_i64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t kb_min_i64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t kb_max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t kb_min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

#endif
