#include "lib/on-cpu.h"

#include "fake-cuda/kernels.h"

#define TILE 64

/* Each block, of TILE threads, takes tiles for as long as there are any; who is
 * last leaves the counters as it found them. */
KB_KERNEL test_tiles(struct test_tiles a)
{
	const struct test_scale *s = &a.scale;
	const float *in = (const float *)s->in, *bias = (const float *)s->bias;
	unsigned long long *taken = (unsigned long long *)a.counters;
	__shared__ uint64_t tile;

	for (;;) {
		uint64_t i;

		if (threadIdx.x == 0)
			tile = atomicAdd(taken, 1);
		__syncthreads();
		i = tile * TILE + threadIdx.x;
		if (tile * TILE >= s->count)
			break;
		if (i < s->count)
			((float *)s->out)[i] =
				s->scale * in[i] + bias[i] + s->offset;
		__syncthreads();
	}
	if (threadIdx.x == 0 &&
	    atomicAdd(taken + 1, 1) == (unsigned long long)gridDim.x - 1)
		taken[0] = taken[1] = 0;
}

#define RUN(name, type, blocks)						\
	ON_CPU_START(name, type)					\
									\
	int64_t fake_run_##name(const void *argument, unsigned x,	\
				unsigned y, unsigned threads)		\
	{								\
		on_cpu_launch(start_##name, argument,			\
			      x < (blocks) ? x : (blocks), y, threads);	\
		return ((const type *)argument)->scale.busy_ns;		\
	}
TILE_KERNELS(RUN)
