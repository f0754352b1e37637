#include <stdint.h>

#include "base/clock.h"
#include "cuda/patience.h"

/*
 * Linked in place of the kernels, for a device that has them without: so
 * programs for the stand-in do not need nvcc.
 */
extern const unsigned char kb_cuda_kernels_fatbin[], kb_cuda_random_fatbin[];
extern const uint64_t kb_cuda_kernels_fatbin_bytes, kb_cuda_random_fatbin_bytes;

const unsigned char kb_cuda_kernels_fatbin[1], kb_cuda_random_fatbin[1];
const uint64_t kb_cuda_kernels_fatbin_bytes = 1;
const uint64_t kb_cuda_random_fatbin_bytes = 1;

/*
 * And in place of cuda/patience.c: a process of a machine that is loaded may wait
 * for a processor longer than any device holds still. Two candidates are made to
 * use up the second. Whoever spins keeps the device from its processor.
 */
const struct kb_patience kb_patience = {
	.hold_ns = KB_NS_PER_S,
	.give_back_ns = 3 * KB_NS_PER_S,
	.queue_ns = KB_NS_PER_S / 4,
	.look_ns = KB_NS_PER_MS / 20,
};
