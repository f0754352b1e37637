#include "fake-cuda/kernels.h"

#include <stddef.h>

#include "fake-cuda/wire.h"

static void *at(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

static int64_t test_scale(const struct test_scale *a)
{
	const float *in = at(a->in), *bias = at(a->bias);
	float *out = at(a->out);

	for (uint64_t i = 0; i < a->count; i++) {
		float x = in[i];

		if (a->limit && (x > a->limit || x < -a->limit))
			x = x > 0 ? a->limit : -a->limit;
		out[i] = a->scale * x + (bias ? bias[i] : 0) + a->offset;
	}
	return (int64_t)a->busy_ns;
}

static int64_t test_store(const struct test_store *a)
{
	__atomic_store_n((uint32_t *)at(a->address), a->value,
			 __ATOMIC_RELEASE);
	return 0;
}

static int64_t test_spin(const struct test_spin *a)
{
	return (int64_t)a->ns;
}

static int64_t test_fault(const struct test_none *a)
{
	(void)a;
	*(volatile uint32_t *)at(FAKE_ARENA + FAKE_ARENA_BYTES) = 0;
	return 0;
}

static int64_t test_once(const struct test_once *a)
{
	static const uint32_t mark = 0x7f80beef;	/* not a number */
	uint32_t *word = at(a->address);

	if (*word == mark)
		return test_fault(NULL);
	*word = mark;
	return 0;
}

static int64_t test_hang(const struct test_none *a)
{
	(void)a;
	return INT64_MAX;
}

/* Whatever the launch, once. */
#define RUN(name, type, blocks)						\
	int64_t fake_run_##name(const void *argument, unsigned x,	\
				unsigned y, unsigned threads)		\
	{								\
		(void)x;						\
		(void)y;						\
		(void)threads;						\
		return name(argument);					\
	}
TEST_KERNELS(RUN)
