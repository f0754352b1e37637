#ifndef KB_VERIFY_PEAKS_H
#define KB_VERIFY_PEAKS_H

#include <stdint.h>

/*
 * The peak rates of a GPU, by its maker's data sheet. Arithmetic is dense
 * (without sparsity) and of the type of operand that the sheet has the highest
 * rate for, on tensor cores where there are any: a candidate may compute in
 * whatever stays within the tolerance. What an SM does in a cycle is the
 * architecture's, by its white paper. The L2 cache is as large as the driver
 * says, or larger.
 */
struct kb_peak {
	const char *name;		/* as the driver has it */
	int64_t memory_mb_per_s;	/* 10^6 bytes */
	int64_t arithmetic_gop_per_s;	/* 10^9; a multiply-add is two */
	int64_t operations_per_cycle;	/* of an SM, of the same type */
	int64_t l2_mib;
};

/* NULL for a device that is not in the table, or is a slice of one (MIG).
 * `name` may begin with "NVIDIA ", which older drivers leave out. */
const struct kb_peak *kb_peak_find(const char *name);

#endif
