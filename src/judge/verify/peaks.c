#include "verify/peaks.h"

#include <string.h>

#include "base/alloc.h"

/*
 * From NVIDIA's data sheets, whose titles are above the lines; what else a
 * line is from stands behind the title. L2 caches are not in them: these are
 * from white papers of the architectures, and where those do not have the
 * board's it is the whole chip's, which is a bound.
 *
 * Rates that a sheet gives with sparsity are halved. The types are FP16 of
 * Volta, 4-bit integers from Turing to Ada, at twice the rate of 8-bit ones
 * whether or not the sheet lists them, FP8 of Hopper and FP4 of Blackwell.
 * Where a sheet gives a rate at so low a clock that the highest is beyond the
 * slack of verify/floor.h (the NVL boards), or one that its cores may exceed
 * (A10G), the rate is that of the next larger board, or that with sparsity.
 * Operations of a cycle are from the white papers of the architectures: of an
 * SM's tensor cores in half precision (1024 of Volta, Turing, GA10x and Ada,
 * 2048 of GA100, 4096 of Hopper, 8192 of Blackwell), and twice as many with each
 * halving of the operands.
 */
static const struct kb_peak peaks[] = {
	/* NVIDIA V100 Tensor Core GPU; V100S */
	{ "Tesla V100-PCIE-16GB",	 900000,  112000,  1024,   6 },
	{ "Tesla V100-PCIE-32GB",	 900000,  112000,  1024,   6 },
	{ "Tesla V100-SXM2-16GB",	 900000,  125000,  1024,   6 },
	{ "Tesla V100-SXM2-32GB",	 900000,  125000,  1024,   6 },
	{ "Tesla V100S-PCIE-32GB",	1134000,  130000,  1024,   6 },
	/* NVIDIA T4 Tensor Core GPU; memory: NVIDIA T4, Product Brief */
	{ "Tesla T4",			 320000,  260000,  4096,   4 },
	/* NVIDIA A10 Tensor Core GPU; A10G */
	{ "A10",			 600000,  500000,  4096,   6 },
	{ "A10G",			 600000,  560000,  4096,   6 },
	/* NVIDIA L4 Tensor Core GPU; NVIDIA L40S */
	{ "L4",				 300000,  485000,  4096,  48 },
	{ "L40S",			 864000, 1466000,  4096,  96 },
	/* NVIDIA A100 Tensor Core GPU; of 40 GB: NVIDIA A100 Tensor Core GPU
	 * Architecture */
	{ "A100-PCIE-40GB",		1555000, 1248000,  8192,  40 },
	{ "A100-SXM4-40GB",		1555000, 1248000,  8192,  40 },
	{ "A100 80GB PCIe",		1935000, 1248000,  8192,  40 },
	{ "A100-SXM4-80GB",		2039000, 1248000,  8192,  40 },
	/* NVIDIA H100 Tensor Core GPU */
	{ "H100 PCIe",			2000000, 1513000,  8192,  50 },
	{ "H100 80GB HBM3",		3350000, 1979000,  8192,  50 },
	{ "H100 NVL",			3900000, 1979000,  8192,  60 },
	/* NVIDIA H200 Tensor Core GPU */
	{ "H200",			4800000, 1979000,  8192,  60 },
	{ "H200 NVL",			4800000, 1979000,  8192,  60 },
	/* NVIDIA HGX B200, an eighth of it; NVIDIA Blackwell Architecture
	 * Technical Brief */
	{ "B200",			8000000, 9000000, 32768, 128 },
};

const struct kb_peak *kb_peak_find(const char *name)
{
	static const char maker[] = "NVIDIA ";

	if (!strncmp(name, maker, strlen(maker)))
		name += strlen(maker);
	for (size_t i = 0; i < KB_ARRAY_LEN(peaks); i++)
		if (!strcmp(name, peaks[i].name))
			return &peaks[i];
	return NULL;
}
