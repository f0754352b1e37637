#include "lib/on-cpu.h"

#include "random/random.cu"

#include "fake-cuda/kernels.h"

#define RUN(name, type, blocks)						\
	ON_CPU_START(name, type)					\
									\
	int64_t fake_run_##name(const void *argument, unsigned x,	\
				unsigned y, unsigned threads)		\
	{								\
		on_cpu_launch(start_##name, argument,			\
			      x < (blocks) ? x : (blocks), y, threads);	\
		return 0;						\
	}
RANDOM_KERNELS(RUN)
