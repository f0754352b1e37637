#ifndef KB_DEVICE_PATTERN_WORD_H
#define KB_DEVICE_PATTERN_WORD_H

#include <stdint.h>

/* The words of device/pattern.h's patterns, on every device. */

#define KB_PATTERN_WORD_BYTES 8

/*
 * A bijection of 64 bits in which every bit of the input moves half of the
 * output's: Stafford's variant 13 of MurmurHash3's last step (2011), the
 * one that SplitMix64 uses.
 */
static inline uint64_t kb_pattern_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/*
 * 2^64 divided by the golden ratio, made odd, keeps neighbours apart. The
 * second highest bit of each byte is 0, so that the word is finite in every
 * floating type: an output that was not written is wrong, not infinite.
 */
static inline uint64_t kb_pattern_word(uint64_t key, uint64_t number)
{
	return kb_pattern_mix(key + (number + 1) *
			      UINT64_C(0x9e3779b97f4a7c15)) &
	       UINT64_C(0xbfbfbfbfbfbfbfbf);
}

#endif
