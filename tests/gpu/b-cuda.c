#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "gpu/on-gpu.h"

/*
 * How fast are comparisons, next to copies? Buffers of 1 GiB; a comparison
 * reads two of them, a copy reads one and writes one. The best of several
 * runs, in 10^9 bytes a second. "near" has all floats one unit in the last
 * place away, and one integer in a thousand.
 */
enum {
	RUNS = 9,
	PIECE = 16 << 20,	/* bytes that the buffers repeat */
};

static const uint64_t bytes = (uint64_t)1 << 30;

static struct kb_cuda_memory a = KB_CUDA_MEMORY_INIT;
static struct kb_cuda_memory b = KB_CUDA_MEMORY_INIT;

static void fill(struct kb_cuda *gpu, uint64_t to, const uint8_t *piece)
{
	struct kb_err err = KB_ERR_INIT;

	gpu_write(to, piece, PIECE);
	for (uint64_t done = PIECE; done < bytes; done *= 2) {
		const struct kb_cuda_copy copy = { to + done, to, done };

		must(kb_cuda_copy(gpu, &copy, 1, &err), &err);
	}
}

static void fill_both(struct kb_cuda *gpu, enum kb_dtype dtype, bool near)
{
	const size_t size = kb_dtype_size_bytes(dtype);
	const bool floats = kb_dtype_class(dtype) == KB_CLASS_FLOAT;
	kb_auto(mem) uint8_t *piece = kb_xmalloc(PIECE);

	for (size_t i = 0; i < PIECE / size; i++)
		gpu_set_bits(piece, size, i, gpu_ordinary_bits(size));
	fill(gpu, b.address, piece);
	for (size_t i = 0; i < PIECE / size && near; i++)
		if (floats || i % 1000 == 0)
			gpu_set_bits(piece, size, i,
				     gpu_bits_at(piece, size, i) ^ 1);
	fill(gpu, a.address, piece);
}

static double gigabytes_a_second(int64_t best_ns)
{
	return 2 * (double)bytes / (double)best_ns;
}

static double copy_speed(struct kb_cuda *gpu)
{
	const struct kb_cuda_copy copy = { a.address, b.address, bytes };
	struct kb_err err = KB_ERR_INIT;
	int64_t best_ns = INT64_MAX;

	for (int i = 0; i < RUNS; i++) {
		int64_t start_ns = kb_clock_ns(), ns;

		must(kb_cuda_copy(gpu, &copy, 1, &err), &err);
		ns = kb_clock_ns() - start_ns;
		best_ns = ns < best_ns ? ns : best_ns;
	}
	return gigabytes_a_second(best_ns);
}

static double compare_speed(struct kb_cuda *gpu, enum kb_dtype dtype)
{
	const struct kb_cuda_comparison c = {
		.candidate = a.address,
		.expected = b.address,
		.dtype = dtype,
		.count = bytes / kb_dtype_size_bytes(dtype),
		.tolerance = { 1e-2, 1e-2 },
	};
	struct kb_err err = KB_ERR_INIT;
	struct kb_compare_result r;
	int64_t best_ns = INT64_MAX;

	for (int i = 0; i < RUNS; i++) {
		int64_t start_ns = kb_clock_ns(), ns;

		must(kb_cuda_compare(gpu, &c, 1, &r, &err), &err);
		ns = kb_clock_ns() - start_ns;
		best_ns = ns < best_ns ? ns : best_ns;
	}
	return gigabytes_a_second(best_ns);
}

static void measure(struct kb_cuda *gpu, enum kb_dtype dtype)
{
	double copy = copy_speed(gpu), equal, near;

	fill_both(gpu, dtype, false);
	equal = compare_speed(gpu, dtype);
	fill_both(gpu, dtype, true);
	near = compare_speed(gpu, dtype);
	printf("%-14s %8.0f %8.0f %5.2f %8.0f %5.2f\n", kb_dtype_name(dtype),
	       copy, equal, equal / copy, near, near / copy);
	fflush(stdout);
}

int main(void)
{
	struct kb_err err = KB_ERR_INIT;
	const char *why;
	struct kb_cuda *gpu = gpu_open(&why);

	if (!gpu) {
		printf("skip: %s\n", why);
		return 0;
	}
	must(kb_cuda_memory_new(gpu, &a, bytes, false, &err), &err);
	must(kb_cuda_memory_new(gpu, &b, bytes, false, &err), &err);
	printf("%s\n%-14s %8s %8s %5s %8s %5s\n", kb_cuda_device(gpu)->name,
	       "GB/s", "copy", "equal", "", "near", "");
	for (uint32_t i = 1; i < KB_DTYPE_COUNT; i++)
		measure(gpu, (enum kb_dtype)i);
	kb_cuda_memory_free(gpu, &a);
	kb_cuda_memory_free(gpu, &b);
	kb_cuda_close(gpu);
	return 0;
}
