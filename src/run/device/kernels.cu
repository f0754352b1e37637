#include "cuda/cuda_kernel.h"

#include "device/compare.cuh"
#include "device/cuda.h"
#include "device/kernels.h"
#include "device/pattern_word.h"
#include "device/quad.cuh"

/* The sum of what every thread of the block brings is added to `total`. A
 * kernel has `sums` for it, one word a thread. */
static inline void add_up(uint64_t *sums, uint64_t mine, uint64_t *total)
{
	sums[threadIdx.x] = mine;
	for (unsigned half = THREADS / 2; half; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			sums[threadIdx.x] += sums[threadIdx.x + half];
	}
	if (threadIdx.x == 0 && sums[0])
		atomicAdd((unsigned long long *)total,
			  (unsigned long long)sums[0]);
}

/* --- patterns -------------------------------------------------------- */

#define WORD_BYTES KB_PATTERN_WORD_BYTES

/* Bytes `from` to `to` - 1 of word number `n` are covered. */
static inline void covered_part(unsigned *from, unsigned *to, uint64_t n,
				const struct kb_kernel_pattern *p)
{
	const uint64_t start = n * WORD_BYTES;

	*from = start < p->first ? (unsigned)(p->first - start) : 0;
	*to = p->end - start < WORD_BYTES ? (unsigned)(p->end - start) :
		WORD_BYTES;
}

KB_KERNEL kb_kernel_fill(struct kb_kernel_batch batch)
{
	const struct kb_kernel_pattern p =
		((const struct kb_kernel_pattern *)batch.items)[blockIdx.y];
	uint64_t n = p.first / WORD_BYTES + thread_number();

	for (; n * WORD_BYTES < p.end; n += thread_count()) {
		uint64_t word = kb_pattern_word(p.key, n);
		uint8_t *at = (uint8_t *)(p.base + n * WORD_BYTES);
		unsigned from, to;

		covered_part(&from, &to, n, &p);
		if (from == 0 && to == WORD_BYTES)
			*(uint64_t *)at = word;
		else
			for (unsigned i = from; i < to; i++)
				at[i] = (uint8_t)(word >> 8 * i);
	}
}

KB_KERNEL kb_kernel_check(struct kb_kernel_batch batch)
{
	__shared__ uint64_t sums[THREADS];
	struct kb_kernel_pattern *item =
		(struct kb_kernel_pattern *)batch.items + blockIdx.y;
	const struct kb_kernel_pattern p = *item;
	uint64_t n = p.first / WORD_BYTES + thread_number();
	uint64_t damaged = 0;

	for (; n * WORD_BYTES < p.end; n += thread_count()) {
		uint64_t word = kb_pattern_word(p.key, n);
		const uint8_t *at =
			(const uint8_t *)(p.base + n * WORD_BYTES);
		unsigned from, to;

		covered_part(&from, &to, n, &p);
		if (from == 0 && to == WORD_BYTES &&
		    *(const uint64_t *)at == word)
			continue;
		for (unsigned i = from; i < to; i++)
			damaged += at[i] != (uint8_t)(word >> 8 * i);
	}
	add_up(sums, damaged, &item->found);
}

/* --- bytes that differ ----------------------------------------------- */

/* The highest bit of each byte of `x` that is not 0. */
static inline uint32_t bytes_set(uint32_t x)
{
	return (((x & 0x7f7f7f7f) + 0x7f7f7f7f) | x) & 0x80808080;
}

static inline uint64_t quads_differ(struct quad a, struct quad b)
{
	unsigned bytes = 0;

	for (int i = 0; i < 4; i++)
		bytes += (unsigned)__popc(bytes_set(a.word[i] ^ b.word[i]));
	return bytes;
}

KB_KERNEL kb_kernel_differ(struct kb_kernel_batch batch)
{
	__shared__ uint64_t sums[THREADS];
	struct kb_kernel_pair *item =
		(struct kb_kernel_pair *)batch.items + blockIdx.y;
	const struct kb_kernel_pair p = *item;
	const struct quad *a = (const struct quad *)p.to;
	const struct quad *b = (const struct quad *)p.from;
	const uint8_t *a_bytes = (const uint8_t *)p.to;
	const uint8_t *b_bytes = (const uint8_t *)p.from;
	const uint64_t step = thread_count();
	uint64_t quads = is_aligned(p.to | p.from, QUAD_BYTES) ?
		p.bytes / QUAD_BYTES : 0;
	uint64_t differing = 0, i = thread_number();

	/* Two of each at a time, so that more is on its way. */
	for (; i < quads; i += 2 * step) {
		const uint64_t next = i + step < quads ? i + step : i;
		const struct quad a0 = load_quad(a + i);
		const struct quad b0 = load_quad(b + i);
		const struct quad a1 = load_quad(a + next);
		const struct quad b1 = load_quad(b + next);

		differing += quads_differ(a0, b0);
		if (next != i)
			differing += quads_differ(a1, b1);
	}
	for (i = quads * QUAD_BYTES + thread_number(); i < p.bytes; i += step)
		differing += a_bytes[i] != b_bytes[i];
	add_up(sums, differing, &item->found);
}

/* --- the L2 cache ---------------------------------------------------- */

KB_KERNEL kb_kernel_wash(struct kb_kernel_scratch scratch)
{
	struct quad *quads = (struct quad *)scratch.address;
	const uint64_t count = scratch.bytes / QUAD_BYTES;

	for (uint64_t i = thread_number(); i < count; i += thread_count()) {
		const uint32_t x = (uint32_t)i;
		const struct quad q = { { x, x, x, x } };

		quads[i] = q;
	}
}

KB_KERNEL kb_kernel_rinse(struct kb_kernel_scratch scratch)
{
	struct quad *quads = (struct quad *)scratch.address;
	const uint64_t count = scratch.bytes / QUAD_BYTES;
	bool odd = false;

	for (uint64_t i = thread_number(); i < count; i += thread_count()) {
		const struct quad q = quads[i];

		odd |= q.word[0] != q.word[1] || q.word[2] != q.word[3];
	}
	/* It never is, but the loop has a purpose that the compiler sees. */
	if (odd)
		quads[0].word[0] = 0;
}

/* --- copies ---------------------------------------------------------- */

/* By the multiprocessors, not a copy engine: those keep no time slices. */
KB_KERNEL kb_kernel_copy(struct kb_kernel_batch batch)
{
	const struct kb_kernel_pair p =
		((const struct kb_kernel_pair *)batch.items)[blockIdx.y];
	struct quad *to = (struct quad *)p.to;
	const struct quad *from = (const struct quad *)p.from;
	const uint64_t step = thread_count();
	const uint64_t quads = is_aligned(p.to | p.from, QUAD_BYTES) ?
		p.bytes / QUAD_BYTES : 0;
	uint64_t i = thread_number();

	for (; i < quads; i += 2 * step) {
		const uint64_t next = i + step < quads ? i + step : i;
		const struct quad a = load_quad(from + i);
		const struct quad b = load_quad(from + next);

		to[i] = a;
		to[next] = b;
	}
	for (i = quads * QUAD_BYTES + thread_number(); i < p.bytes; i += step)
		((uint8_t *)p.to)[i] = ((const uint8_t *)p.from)[i];
}

/* --- words at random places ------------------------------------------ */

KB_KERNEL kb_kernel_scatter(struct kb_kernel_scatter p)
{
	const uint64_t i = thread_number();
	struct kb_kernel_span span;
	uint64_t start, words, place;

	if (i >= p.count * KB_CUDA_SCATTER_WORDS)
		return;
	span = ((const struct kb_kernel_span *)p.spans)
		[i / KB_CUDA_SCATTER_WORDS];
	start = (span.address + 3) / 4 * 4;
	words = span.address + span.bytes > start ?
		(span.address + span.bytes - start) / 4 : 0;
	if (!words)
		return;
	place = __umul64hi(kb_pattern_mix(p.seed + 2 * i), words);
	*(uint32_t *)(start + 4 * place) =
		(uint32_t)kb_pattern_word(p.seed, 2 * i + 1);
}

/* --- the mark -------------------------------------------------------- */

KB_KERNEL kb_kernel_mark(struct kb_kernel_mark m)
{
	if (thread_number() == 0)
		*(volatile uint32_t *)m.flag = m.value;
}

/* The stand-in of tests has one context at a time: there is nothing to keep
 * it from. */
KB_KERNEL kb_kernel_hold(struct kb_kernel_mark m)
{
#ifdef __CUDA_ARCH__
	uint64_t start_ns, now_ns;

	if (thread_number() > 0)
		return;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start_ns));
	do
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now_ns));
	while (*(volatile uint32_t *)m.release != m.value &&
	       now_ns - start_ns < m.most_ns);
#else
	(void)m;
#endif
}
