#include "manifest/collective.h"

#include "base/alloc.h"
#include "lib/tap.h"

static const struct {
	struct kb_collective collective;
	int world;
	enum kb_precision precision;
	int64_t bytes;
} moved[] = {
	{ { KB_ALL_REDUCE, 1000 }, 2, KB_FP32, 4000 },
	{ { KB_ALL_REDUCE, 1000 }, 8, KB_BF16, 3500 },
	{ { KB_ALL_GATHER, 1000 }, 4, KB_BF16, 1500 },
	{ { KB_REDUCE_SCATTER, 1000 }, 4, KB_FP16, 1500 },
	{ { KB_ALL_TO_ALL, 1000 }, 2, KB_BF16, 1000 },
	{ { KB_BROADCAST, 1000 }, 4, KB_BF16, 2000 },
	{ { KB_NO_COLLECTIVE, 1000 }, 4, KB_BF16, 0 },
	{ { KB_ALL_REDUCE, KB_COLLECTIVE_ELEMENTS_MAX }, 8, KB_FP32,
	  ((int64_t)7 << 46) / 4 },
};

static void test_bytes_on_the_bus_are_those_of_nccl_tests(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(moved); i++)
		check_int(kb_collective_bus_bytes(&moved[i].collective,
						  moved[i].world,
						  moved[i].precision),
			  moved[i].bytes);
}

TAP_MAIN(
	TAP(test_bytes_on_the_bus_are_those_of_nccl_tests),
);
