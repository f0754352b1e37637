#ifndef KB_DEVICE_COMPARE_CUH
#define KB_DEVICE_COMPARE_CUH

#include "cuda/cuda_kernel.h"

#include "device/compare_elements.cuh"
#include "device/compare_quick.cuh"
#include "device/kernels.h"
#include "device/quad.cuh"

/* The kernels that compare outputs; a part of device/kernels.cu. */

/*
 * Nearly all pairs are near, finite and not the worst so far. So quads are
 * looked at in a way that only tells that this is so: in a handful of
 * operations whose signs say which elements need more. A quad of which one
 * does is looked at once more, element by element, with all the cases of
 * device/compare.h.
 *
 * The worst so far is the block's. When a thread learns of it does not
 * matter: looking twice changes nothing.
 */

/* Of tensors that start anywhere, such as views. */
static inline struct quad load_bytes(const struct quad *at)
{
	const uint8_t *bytes = (const uint8_t *)at;
	struct quad q;

	for (int i = 0; i < 4; i++)
		q.word[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
			(uint32_t)bytes[4 * i + 2] << 16 |
			(uint32_t)bytes[4 * i + 3] << 24;
	return q;
}

static inline bool equal(const struct quad *a, const struct quad *b)
{
	return !((a->word[0] ^ b->word[0]) | (a->word[1] ^ b->word[1]) |
		 (a->word[2] ^ b->word[2]) | (a->word[3] ^ b->word[3]));
}

/* Of the quads that a thread has in hand, one bit each. */
struct verdict {
	unsigned again;			/* look again */
	unsigned infinite;		/* no sum of squares yet */
};

/*
 * A quick look at quad number `k` of those: what it adds to the sum of
 * squares. That depends on the elements alone, not on the worst so far.
 */
static inline double look_at_quad(struct verdict *v, unsigned k,
				  const struct quad *a, const struct quad *b,
				  const struct bounds *m, enum kb_dtype dtype)
{
	const struct look l = look_quickly(a, b, m, dtype);
	const bool finite = l.squares <= DBL_MAX;

	v->again |= (unsigned)(!finite || l.signs >> 31) << k;
	v->infinite |= (unsigned)!finite << k;
	return finite ? l.squares : 0;
}

static inline unsigned elements_per_quad(uint32_t dtype)
{
	switch (dtype) {
	case KB_FLOAT64:
	case KB_INT64:
		return QUAD_BYTES / 8;
	case KB_FLOAT32:
	case KB_INT32:
		return QUAD_BYTES / 4;
	case KB_FLOAT16:
	case KB_BFLOAT16:
	case KB_INT16:
		return QUAD_BYTES / 2;
	default:
		return QUAD_BYTES;
	}
}

static inline void block_start(struct block *s)
{
	s->mismatched[threadIdx.x] = 0;
	s->not_finite[threadIdx.x] = 0;
	s->first[threadIdx.x] = UINT64_MAX;
	if (threadIdx.x == 0)
		s->max_abs = s->max_rel = 0;
	__syncthreads();
}

/* What all threads found, written by the first. */
static inline void block_end(struct block *s, struct kb_kernel_partial *out)
{
	const unsigned i = threadIdx.x;

	for (unsigned half = THREADS / 2; half; half /= 2) {
		__syncthreads();
		if (i >= half)
			continue;
		s->square_sum[i] += s->square_sum[i + half];
		s->mismatched[i] += s->mismatched[i + half];
		s->not_finite[i] += s->not_finite[i + half];
		if (s->first[i + half] < s->first[i])
			s->first[i] = s->first[i + half];
	}
	if (i > 0)
		return;
	out->mismatched = s->mismatched[0];
	out->not_finite = s->not_finite[0];
	out->first_mismatch = s->first[0];
	out->max_abs_error = kb_double_from_bits(s->max_abs);
	out->max_rel_error = kb_double_from_bits(s->max_rel);
	out->square_sum = s->square_sum[0];
}

static inline void read_worst(struct bounds *m, struct block *s)
{
	m->max_abs = kb_double_from_bits(*(volatile unsigned long long *)&s->max_abs);
	m->max_rel = kb_double_from_bits(*(volatile unsigned long long *)&s->max_rel);
	m->narrow.max_abs = fminf((float)m->max_abs, FLT_MAX);
	m->narrow.max_rel = fminf((float)m->max_rel, FLT_MAX);
}

/* Quads number `i` and `next`. Returns what was missing of the sum. */
static inline double look_again(struct block *s,
				const struct kb_kernel_comparison *item,
				enum kb_dtype dtype, struct verdict v,
				uint64_t i, uint64_t next)
{
	const unsigned per_quad = elements_per_quad(item->dtype);
	double squares = 0;

	KB_NOT_UNROLLED
	for (unsigned k = 0; k < 2; k++) {
		double more = 0;

		if (v.again >> k & 1)
			more = look_closely(s, item, dtype,
					    (k ? next : i) * per_quad,
					    per_quad);
		if (v.infinite >> k & 1)
			squares += more;
	}
	return squares;
}

/* The elements after the last quad, which are the last share's. */
static inline double look_at_rest(struct block *s,
				  const struct kb_kernel_comparison *item,
				  enum kb_dtype dtype, uint64_t quads)
{
	const uint64_t first = quads * elements_per_quad(item->dtype);

	return threadIdx.x > 0 ? 0 :
		look_closely(s, item, dtype, first,
			     (unsigned)(item->count - first));
}

/* Which item partial number `n` is of. */
static inline const struct kb_kernel_comparison *
item_of(const struct kb_kernel_comparing *c, uint64_t n)
{
	const struct kb_kernel_comparison *items =
		(const struct kb_kernel_comparison *)c->items;
	uint64_t low = 0, high = c->count;

	while (high - low > 1) {
		const uint64_t middle = (low + high) / 2;

		if (items[middle].first_partial <= n)
			low = middle;
		else
			high = middle;
	}
	return items + low;
}

/* `dtype` is a constant, or KB_UINT8 for all integers. */
static inline void compare(struct block *s, struct kb_kernel_comparing c,
			   enum kb_dtype dtype)
{
	const struct kb_kernel_comparison *first =
		(const struct kb_kernel_comparison *)c.items;
	const uint64_t n = first->first_partial +
		(blockIdx.x * c.multiplier + c.offset) % c.shares;
	const struct kb_kernel_comparison *item = item_of(&c, n);
	const uint64_t share = n - item->first_partial;
	const struct quad *a = (const struct quad *)item->candidate;
	const struct quad *b = (const struct quad *)item->expected;
	const bool aligned = is_aligned(item->candidate | item->expected,
					QUAD_BYTES);
	const uint64_t quads = item->count / elements_per_quad(item->dtype);
	const uint64_t after = (share + 1) * KB_KERNEL_SHARE_QUADS;
	const uint64_t end = after < quads ? after : quads;
	struct bounds m = {
		0, 0, atol_of(item), rtol_of(item),
		{ 0, 0, narrow_tolerance(atol_of(item)),
		  narrow_tolerance(rtol_of(item)) },
	};
	uint64_t i = share * KB_KERNEL_SHARE_QUADS + threadIdx.x;
	double squares = 0;

	block_start(s);
	/* Two of each at a time, so that more is on its way. */
	for (; i < end; i += 2 * THREADS) {
		const uint64_t next = i + THREADS < end ? i + THREADS : i;
		struct verdict v = { 0, 0 };
		struct quad a0, b0, a1, b1;

		if (aligned) {
			a0 = load_quad(a + i), b0 = load_quad(b + i);
			a1 = load_quad(a + next), b1 = load_quad(b + next);
		} else {
			a0 = load_bytes(a + i), b0 = load_bytes(b + i);
			a1 = load_bytes(a + next), b1 = load_bytes(b + next);
		}
		read_worst(&m, s);
		if (!equal(&a0, &b0))
			squares += look_at_quad(&v, 0, &a0, &b0, &m, dtype);
		if (!equal(&a1, &b1) && next != i)
			squares += look_at_quad(&v, 1, &a1, &b1, &m, dtype);
		if (v.again)
			squares += look_again(s, item, dtype, v, i, next);
	}
	if (share == item->shares - 1)
		squares += look_at_rest(s, item, dtype, quads);
	s->square_sum[threadIdx.x] = squares;
	block_end(s, (struct kb_kernel_partial *)c.partials + n);
}

#define COMPARE(name, dtype)						\
	KB_KERNEL_FITS(4, THREADS)					\
	kb_kernel_compare_##name(struct kb_kernel_comparing c)		\
	{								\
		__shared__ struct block s;				\
									\
		compare(&s, c, dtype);					\
	}

COMPARE(float64, KB_FLOAT64)
COMPARE(float32, KB_FLOAT32)
COMPARE(float16, KB_FLOAT16)
COMPARE(bfloat16, KB_BFLOAT16)
COMPARE(float8_e4m3fn, KB_FLOAT8_E4M3FN)
COMPARE(float8_e5m2, KB_FLOAT8_E5M2)
COMPARE(integers, KB_UINT8)

/* Blocks share an item, and threads its elements. */
KB_KERNEL kb_kernel_largest(struct kb_kernel_batch batch)
{
	__shared__ unsigned long long largest;
	struct kb_kernel_comparison *item =
		(struct kb_kernel_comparison *)batch.items + blockIdx.y;
	const enum kb_dtype dtype = (enum kb_dtype)item->dtype;
	const uint64_t count = item->of_tensor && is_float(dtype) ?
		item->count : 0;
	double mine = 0;

	if (threadIdx.x == 0)
		largest = 0;
	__syncthreads();
	for (uint64_t i = thread_number(); i < count; i += thread_count()) {
		const double size = fabs(float_at(item->expected, dtype, i));

		if (size > mine && is_finite(size))
			mine = size;
	}
	raise_to(&largest, mine);
	__syncthreads();
	if (threadIdx.x == 0 && count)
		raise_to((unsigned long long *)&item->largest,
			 kb_double_from_bits(largest));
}

KB_KERNEL kb_kernel_reduce(struct kb_kernel_comparing c)
{
	__shared__ struct block s;
	struct kb_kernel_comparison *item =
		(struct kb_kernel_comparison *)c.items + blockIdx.x;
	const struct kb_kernel_partial *partials =
		(const struct kb_kernel_partial *)c.partials +
		item->first_partial;
	double squares = 0;

	block_start(&s);
	for (uint32_t i = threadIdx.x; i < item->shares; i += THREADS) {
		const struct kb_kernel_partial p = partials[i];

		s.mismatched[threadIdx.x] += p.mismatched;
		s.not_finite[threadIdx.x] += p.not_finite;
		if (p.first_mismatch < s.first[threadIdx.x])
			s.first[threadIdx.x] = p.first_mismatch;
		raise_to(&s.max_abs, p.max_abs_error);
		raise_to(&s.max_rel, p.max_rel_error);
		squares += p.square_sum;
	}
	s.square_sum[threadIdx.x] = squares;
	block_end(&s, &item->result);
}

#endif
