#ifndef KB_DEVICE_COMPARE_CUH
#define KB_DEVICE_COMPARE_CUH

#include "cuda/cuda_kernel.h"

#include "base/dtype.h"
#include "base/float8.h"
#include "base/float_bits.h"
#include "base/half.h"
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
struct block {
	double square_sum[THREADS];
	uint64_t mismatched[THREADS];
	uint64_t not_finite[THREADS];
	uint64_t first[THREADS];
	/* As bits, of which the largest are those of the largest number. */
	unsigned long long max_abs, max_rel;
};

struct bounds {
	double max_abs, max_rel;	/* so far */
	double atol, rtol;
	struct {
		float max_abs, max_rel;
		float atol, rtol;
	} narrow;			/* the same for narrow types */
};

/* What became of the quick look at a quad. */
struct look {
	double squares;			/* not finite: look again */
	uint32_t signs;			/* highest bit set: look again */
};

static inline uint32_t sign_of(double x)
{
	return (uint32_t)(kb_double_bits(x) >> 32);
}

/*
 * Relative errors are rounded up. So error / size exceeds max_rel only if
 * error exceeds the product of the two, and whoever set max_rel does not; a
 * fused operation gets the sign of that difference right.
 */
static inline void look_wide(struct look *l, double a, double b,
			     const struct bounds *m)
{
	double error = fabs(a - b), size = fabs(b);

	l->squares = fma(error, error, l->squares);
	l->signs |= sign_of(m->max_abs - error) |
		sign_of(fma(m->max_rel, size, -error)) |
		sign_of(m->atol + m->rtol * size - error);
}

/*
 * The same in float32, for float32 and types of 8 bits. Here an error is the
 * difference rounded to float32, so these are the numbers of which max_abs
 * is one, and max_rel has as many digits.
 */
struct narrow_look {
	float squares;
	uint32_t signs;
};

static inline bool is_narrow(enum kb_dtype dtype)
{
	return dtype == KB_FLOAT32 || dtype >= KB_FLOAT8_E4M3FN;
}

/*
 * Less than the tolerance `x`, which is not negative, by so much that what
 * rounding does is made up for; 0 for what float32 may lack digits for.
 */
static inline float narrow_tolerance(double x)
{
	float f = (float)(x * (1 - 0x1p-20));

	return f < 0x1p-100f ? 0 : fminf(f, FLT_MAX);
}

static inline void look_narrow(struct narrow_look *l, float a, float b,
			       const struct bounds *m)
{
	float error = fabsf(a - b), size = fabsf(b);

	l->squares = fmaf(error, error, l->squares);
	l->signs |= kb_float_bits(m->narrow.max_abs - error) |
		kb_float_bits(fmaf(m->narrow.max_rel, size, -error)) |
		kb_float_bits(fmaf(m->narrow.rtol, size,
				   m->narrow.atol - error));
}

/* What the chip converts, it converts as base/half.h does. */
static inline float float_from_float16(uint32_t bits)
{
#ifdef __CUDA_ARCH__
	float x;

	asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((uint16_t)bits));
	return x;
#else
	return kb_float_from_float16((uint16_t)bits);
#endif
}

static inline float float_from_float8(uint32_t bits, enum kb_dtype dtype)
{
	return dtype == KB_FLOAT8_E5M2 ? float_from_float16(bits << 8) :
		kb_float_from_float8_e4m3fn((uint8_t)bits);
}

/* Two float8 in the lower half of `bits`. */
static inline void widen_float8(float x[2], uint32_t bits, enum kb_dtype dtype)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
	uint32_t halves;

	if (dtype == KB_FLOAT8_E5M2)
		asm("cvt.rn.f16x2.e5m2x2 %0, %1;"
		    : "=r"(halves) : "h"((uint16_t)bits));
	else
		asm("cvt.rn.f16x2.e4m3x2 %0, %1;"
		    : "=r"(halves) : "h"((uint16_t)bits));
	x[0] = float_from_float16(halves & 0xffff);
	x[1] = float_from_float16(halves >> 16);
#else
	x[0] = float_from_float8(bits & 0xff, dtype);
	x[1] = float_from_float8(bits >> 8 & 0xff, dtype);
#endif
}

static inline struct look look_at_float8(const struct quad *a,
					 const struct quad *b,
					 const struct bounds *m,
					 enum kb_dtype dtype)
{
	struct narrow_look n = { 0, 0 };
	struct look l;

	for (int i = 0; i < 8; i++) {
		float x[2], y[2];

		widen_float8(x, a->word[i / 2] >> 16 * (i % 2), dtype);
		widen_float8(y, b->word[i / 2] >> 16 * (i % 2), dtype);
		look_narrow(&n, x[0], y[0], m);
		look_narrow(&n, x[1], y[1], m);
	}
	l.squares = (double)n.squares;
	l.signs = n.signs;
	return l;
}

/* Squares that float32 has the exponents for are added up in it. */
static inline struct look look_at_float32(const struct quad *a,
					  const struct quad *b,
					  const struct bounds *m)
{
	struct narrow_look n = { 0, 0 };
	struct look l;

	for (int i = 0; i < 4; i++)
		look_narrow(&n, kb_float_from_bits(a->word[i]),
			    kb_float_from_bits(b->word[i]), m);
	l.squares = (double)n.squares;
	l.signs = n.signs;
	if (n.squares >= 0x1p-100f && n.squares <= FLT_MAX)
		return l;
	l.squares = 0;
	for (int i = 0; i < 4; i++) {
		double error = (double)(kb_float_from_bits(a->word[i]) -
					kb_float_from_bits(b->word[i]));

		l.squares = fma(error, error, l.squares);
	}
	return l;
}

static inline double quad_double(const struct quad *q, int i)
{
	return kb_double_from_bits(q->word[2 * i] |
			 (uint64_t)q->word[2 * i + 1] << 32);
}

/* The lower half of a word comes first. */
static inline double quad_half(const struct quad *q, int i,
			       enum kb_dtype dtype)
{
	uint32_t word = q->word[i / 2];
	uint32_t half = i % 2 ? word >> 16 : word & 0xffff;

	return dtype == KB_FLOAT16 ? (double)float_from_float16(half) :
		(double)kb_float_from_bits(half << 16);
}

static inline struct look look_quickly(const struct quad *a,
				       const struct quad *b,
				       const struct bounds *m,
				       enum kb_dtype dtype)
{
	struct look l = { 0, 0 };

	switch (dtype) {
	case KB_FLOAT64:
		for (int i = 0; i < 2; i++)
			look_wide(&l, quad_double(a, i), quad_double(b, i), m);
		return l;
	case KB_FLOAT32:
		return look_at_float32(a, b, m);
	case KB_FLOAT16:
	case KB_BFLOAT16:
		for (int i = 0; i < 8; i++)
			look_wide(&l, quad_half(a, i, dtype),
				  quad_half(b, i, dtype), m);
		return l;
	case KB_FLOAT8_E4M3FN:
	case KB_FLOAT8_E5M2:
		return look_at_float8(a, b, m, dtype);
	default:	/* integers that differ */
		l.squares = HUGE_VAL;
		return l;
	}
}

static inline double float_at(uint64_t data, enum kb_dtype dtype, uint64_t i)
{
	switch (dtype) {
	case KB_FLOAT64:
		return ((const double *)data)[i];
	case KB_FLOAT32:
		return (double)((const float *)data)[i];
	case KB_FLOAT16:
		return (double)float_from_float16(((const uint16_t *)data)[i]);
	case KB_BFLOAT16:
		return (double)kb_float_from_bfloat16(
			((const uint16_t *)data)[i]);
	default:
		return (double)float_from_float8(((const uint8_t *)data)[i],
						 dtype);
	}
}

static inline int64_t integer_at(uint64_t data, enum kb_dtype dtype,
				 uint64_t i)
{
	switch (dtype) {
	case KB_INT64:
		return ((const int64_t *)data)[i];
	case KB_INT32:
		return ((const int32_t *)data)[i];
	case KB_INT16:
		return ((const int16_t *)data)[i];
	case KB_INT8:
		return ((const int8_t *)data)[i];
	default:
		return ((const uint8_t *)data)[i];
	}
}

static inline void raise_to(unsigned long long *most, double x)
{
	unsigned long long bits = kb_double_bits(x);

	if (bits > *(volatile unsigned long long *)most)
		atomicMax(most, bits);
}

/* error / size, rounded up. */
static inline double ratio_above(double error, double size)
{
	double q = error / size;
	uint32_t sign = sign_of(fma(q, size, -error));	/* also of -0 */

	return q < DBL_MAX && sign >> 31 ? kb_double_from_bits(kb_double_bits(q) + 1) : q;
}

/*
 * The same, with the digits of a float32. These are above 0 and no product
 * of such a number and a size is so close to an error as a double is to
 * the next, so it does not matter that the quotient was rounded before.
 */
static inline double narrow_ratio_above(double error, double size)
{
	const uint64_t low = ((uint64_t)1 << (DBL_MANT_DIG - FLT_MANT_DIG)) - 1;

	return kb_double_from_bits((kb_double_bits(error / size) + low) & ~low);
}

static inline double add_errors(struct block *s, double error, double size)
{
	raise_to(&s->max_abs, error);
	if (size > 0)
		raise_to(&s->max_rel, ratio_above(error, size));
	return error * error;
}

/* Errors as in look_narrow(), unless float32 has no such number. */
static inline double add_narrow_errors(struct block *s, double a, double b)
{
	double error = (double)fabsf((float)a - (float)b), size = fabs(b);

	if (error > FLT_MAX)
		error = fabs(a - b);
	raise_to(&s->max_abs, error);
	if (size > 0)
		raise_to(&s->max_rel, narrow_ratio_above(error, size));
	return error * error;
}

static inline void add_mismatch(struct block *s, uint64_t index)
{
	s->mismatched[threadIdx.x]++;
	if (index < s->first[threadIdx.x])
		s->first[threadIdx.x] = index;
}

static inline bool is_finite(double x)
{
	return fabs(x) <= DBL_MAX;
}

static inline double look_at_floats(struct block *s,
				    const struct kb_kernel_comparison *item,
				    enum kb_dtype dtype, uint64_t index)
{
	double a = float_at(item->candidate, dtype, index);
	double b = float_at(item->expected, dtype, index);
	double error = fabs(a - b), size = fabs(b);

	if (is_finite(a) && is_finite(b)) {
		if (error - (item->atol + item->rtol * size) > 0)
			add_mismatch(s, index);
		return is_narrow(dtype) ? add_narrow_errors(s, a, b) :
			add_errors(s, error, size);
	}
	if (is_finite(b)) {
		s->not_finite[threadIdx.x]++;
		add_mismatch(s, index);
	} else if (a != b && !(a != a && b != b)) {
		add_mismatch(s, index);
	}
	return 0;
}

static inline double look_at_integers(struct block *s,
				      const struct kb_kernel_comparison *item,
				      uint64_t index)
{
	const enum kb_dtype dtype = (enum kb_dtype)item->dtype;
	int64_t a = integer_at(item->candidate, dtype, index);
	int64_t b = integer_at(item->expected, dtype, index);
	uint64_t distance = a > b ? (uint64_t)a - (uint64_t)b :
		(uint64_t)b - (uint64_t)a;

	if (a == b)
		return 0;
	add_mismatch(s, index);
	return add_errors(s, (double)distance, fabs((double)b));
}

static inline bool is_float(enum kb_dtype dtype)
{
	return dtype <= KB_BFLOAT16 || dtype >= KB_FLOAT8_E4M3FN;
}

/* `n` elements, one after the other. Returns the sum of their squares. */
static inline double look_closely(struct block *s,
				  const struct kb_kernel_comparison *item,
				  enum kb_dtype dtype, uint64_t first,
				  unsigned n)
{
	double squares = 0;

	KB_NOT_UNROLLED
	for (unsigned i = 0; i < n; i++)
		squares += is_float(dtype) ?
			look_at_floats(s, item, dtype, first + i) :
			look_at_integers(s, item, first + i);
	return squares;
}

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
		0, 0, item->atol, item->rtol,
		{ 0, 0, narrow_tolerance(item->atol),
		  narrow_tolerance(item->rtol) },
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
