#include <stdint.h>

/*
 * Linked in place of the kernels, for a device that has them without: so
 * programs for the stand-in do not need nvcc.
 */
extern const unsigned char kb_cuda_kernels_fatbin[], kb_cuda_random_fatbin[];
extern const uint64_t kb_cuda_kernels_fatbin_bytes, kb_cuda_random_fatbin_bytes;

const unsigned char kb_cuda_kernels_fatbin[1], kb_cuda_random_fatbin[1];
const uint64_t kb_cuda_kernels_fatbin_bytes = 1;
const uint64_t kb_cuda_random_fatbin_bytes = 1;
