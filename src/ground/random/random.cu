#include "cuda/cuda_kernel.h"

#include "base/dtype.h"
#include "base/half.h"
#include "random/gauss_pair.h"
#include "random/random_kernels.h"

/*
 * random/random.c, once more, and to the last bit: the same formulas in the
 * same order, no multiplication fused with an addition.
 */

#define THREADS KB_RANDOM_KERNEL_THREADS
#define BLOCK_WORDS 16
#define TILE_WORDS KB_RANDOM_TILE_WORDS

/* Each thread writes 16 words in a row, in banks of their own thanks to one
 * word that is left out after them. */
struct tile {
	uint32_t words[THREADS * (BLOCK_WORDS + 1)];
};

static inline uint32_t tile_word(const struct tile *t, unsigned i)
{
	return t->words[i + i / BLOCK_WORDS];
}

static inline uint64_t tile_pair(const struct tile *t, unsigned i)
{
	return tile_word(t, 2 * i) | (uint64_t)tile_word(t, 2 * i + 1) << 32;
}

/* --- ChaCha20 -------------------------------------------------------- */

static inline uint32_t turn(uint32_t x, int bits)
{
	return x << bits | x >> (32 - bits);
}

static inline void quarter_round(uint32_t x[BLOCK_WORDS], int a, int b, int c,
				 int d)
{
	x[a] += x[b];
	x[d] = turn(x[d] ^ x[a], 16);
	x[c] += x[d];
	x[b] = turn(x[b] ^ x[c], 12);
	x[a] += x[b];
	x[d] = turn(x[d] ^ x[a], 8);
	x[c] += x[d];
	x[b] = turn(x[b] ^ x[c], 7);
}

static inline void start_state(uint32_t x[BLOCK_WORDS],
			       const struct kb_random_kernel *k,
			       uint32_t counter, uint32_t attempt)
{
	/* "expand 32-byte k" */
	x[0] = 0x61707865;
	x[1] = 0x3320646e;
	x[2] = 0x79622d32;
	x[3] = 0x6b206574;
	for (int i = 0; i < 8; i++)
		x[4 + i] = k->key[i];
	x[12] = counter;
	x[13] = k->slot;
	x[14] = k->tensor;
	x[15] = attempt;
}

static inline void chacha_block(uint32_t x[BLOCK_WORDS],
				const struct kb_random_kernel *k,
				uint32_t counter, uint32_t attempt)
{
	uint32_t start[BLOCK_WORDS];

	start_state(start, k, counter, attempt);
	start_state(x, k, counter, attempt);
	for (int i = 0; i < 10; i++) {
		quarter_round(x, 0, 4, 8, 12);
		quarter_round(x, 1, 5, 9, 13);
		quarter_round(x, 2, 6, 10, 14);
		quarter_round(x, 3, 7, 11, 15);
		quarter_round(x, 0, 5, 10, 15);
		quarter_round(x, 1, 6, 11, 12);
		quarter_round(x, 2, 7, 8, 13);
		quarter_round(x, 3, 4, 9, 14);
	}
	for (int i = 0; i < BLOCK_WORDS; i++)
		x[i] += start[i];
}

/* --- recorded launches ----------------------------------------------- */

static inline void resolve(struct kb_random_kernel *k)
{
	const struct kb_random_control *control =
		(const struct kb_random_control *)k->control;

	if (!control)
		return;
	for (int i = 0; i < 8; i++)
		k->key[i] = control->key[i];
	k->slot += control->slot;
}

static inline void copy(uint64_t to, uint64_t from, uint64_t bytes)
{
	const uint64_t step = (uint64_t)gridDim.x * THREADS;
	uint64_t words = (to | from) % 8 ? 0 : bytes / 8;
	uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;

	for (uint64_t n = i; n < words; n += step)
		((uint64_t *)to)[n] = ((const uint64_t *)from)[n];
	for (i += words * 8; i < bytes; i += step)
		((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
}

KB_KERNEL kb_random_kernel_put(struct kb_random_put p)
{
	const struct kb_random_control *control =
		(const struct kb_random_control *)p.control;
	const uint64_t *places = (const uint64_t *)(control + 1);
	const uint64_t call = (uint64_t)control->slot + p.call;

	copy(places[call * p.input_count + p.input], p.from, p.bytes);
}

KB_KERNEL kb_random_kernel_advance(struct kb_random_advance a)
{
	struct kb_random_control *control =
		(struct kb_random_control *)a.control;

	if (threadIdx.x == 0)
		control->slot += a.slots;
}

/* --- tiles ----------------------------------------------------------- */

static inline unsigned tile_elements(const struct kb_random_kernel *k)
{
	switch (k->dtype) {
	case KB_FLOAT32:
	case KB_FLOAT16:
	case KB_BFLOAT16:
		return TILE_WORDS;
	default:
		return TILE_WORDS / 2;
	}
}

static inline uint64_t tile_count(const struct kb_random_kernel *k)
{
	return (k->count + tile_elements(k) - 1) / tile_elements(k);
}

/* All words of tile `number`, for all threads. The last tile has more than
 * is asked for, and its counter may wrap there. */
static inline void tile_make(struct tile *t, const struct kb_random_kernel *k,
			     uint64_t number)
{
	const uint64_t words_per_element = TILE_WORDS / tile_elements(k);
	const uint64_t first = k->first_element * words_per_element /
		BLOCK_WORDS;
	uint32_t x[BLOCK_WORDS];

	chacha_block(x, k, (uint32_t)(first + number * THREADS + threadIdx.x),
		     0);
	__syncthreads();	/* the tile before has been used */
	for (int i = 0; i < BLOCK_WORDS; i++)
		t->words[threadIdx.x * (BLOCK_WORDS + 1) + i] = x[i];
	__syncthreads();
}

/* Calls `make` for every element of the tiles that are this block's: for
 * element `i` of a tile that begins with element `first`. */
static inline void each_element(struct kb_random_kernel *k, struct tile *t,
				void (*make)(const struct kb_random_kernel *,
					     const struct tile *,
					     uint64_t first, unsigned i))
{
	const unsigned elements = tile_elements(k);

	resolve(k);
	for (uint64_t n = blockIdx.x; n < tile_count(k); n += gridDim.x) {
		const uint64_t first = n * elements;

		tile_make(t, k, n);
		for (unsigned i = threadIdx.x; i < elements; i += THREADS) {
			if (first + i >= k->count)
				break;
			make(k, t, first, i);
		}
	}
}

/* --- floats ---------------------------------------------------------- */

static inline void store(const struct kb_random_kernel *k, uint64_t i, float x)
{
	if (k->dtype == KB_FLOAT32)
		((float *)k->address)[i] = x;
	else if (k->dtype == KB_BFLOAT16)
		((uint16_t *)k->address)[i] = kb_bfloat16_from_float(x);
	else
		((uint16_t *)k->address)[i] = kb_float16_from_float(x);
}

static inline float uniform_narrow(const struct kb_random_kernel *k,
				   uint32_t word)
{
	const float min = (float)k->min, max = (float)k->max;
	float unit = (float)(int32_t)(word >> 8) * 0x1p-24f;
	float x = (float)k->low + unit * (float)k->span;

	x = x < min ? min : x;
	return x > max ? max : x;
}

static inline double uniform_wide(const struct kb_random_kernel *k,
				  uint64_t word)
{
	double unit = (double)(int64_t)(word >> 11) * 0x1p-53;
	double x = k->low + unit * k->span;

	return x > k->max ? k->max : x;
}

static inline void uniform_store(const struct kb_random_kernel *k,
				 const struct tile *t, uint64_t first,
				 unsigned i)
{
	if (k->dtype == KB_FLOAT64)
		((double *)k->address)[first + i] =
			uniform_wide(k, tile_pair(t, i));
	else
		store(k, first + i, uniform_narrow(k, tile_word(t, i)));
}

KB_KERNEL kb_random_kernel_uniform(struct kb_random_kernel k)
{
	__shared__ struct tile t;

	each_element(&k, &t, uniform_store);
}

/* Two standard normal numbers, of elements 2 * pair and 2 * pair + 1. */
static inline void normal_pair(double z[2], const struct kb_random_kernel *k,
			       const struct tile *t, unsigned pair)
{
	double u, v;

	if (k->dtype == KB_FLOAT64) {
		int64_t upper = (int64_t)(tile_pair(t, 2 * pair) >> 12);
		int64_t angle = (int64_t)(tile_pair(t, 2 * pair + 1) >> 12);

		u = (double)upper * 0x1p-52 + 0x1p-53;
		v = (double)angle * 0x1p-52;
	} else {
		u = tile_word(t, 2 * pair) * 0x1p-32 + 0x1p-33;
		v = tile_word(t, 2 * pair + 1) * 0x1p-32;
	}
	kb_gauss_pair(&z[0], &z[1], u, v);
}

static inline void normal_store(const struct kb_random_kernel *k, uint64_t i,
				double z)
{
	double x = k->low + k->high * z;

	if (i >= k->count)
		return;
	if (k->dtype == KB_FLOAT64)
		((double *)k->address)[i] = x;
	else
		store(k, i, (float)x);
}

KB_KERNEL kb_random_kernel_normal(struct kb_random_kernel k)
{
	__shared__ struct tile t;
	const unsigned elements = tile_elements(&k);

	resolve(&k);
	for (uint64_t n = blockIdx.x; n < tile_count(&k); n += gridDim.x) {
		const uint64_t first = n * elements;

		tile_make(&t, &k, n);
		for (unsigned i = threadIdx.x; i < elements / 2; i += THREADS) {
			double z[2];

			if (first + 2 * i >= k.count)
				break;
			normal_pair(z, &k, &t, i);
			normal_store(&k, first + 2 * i, z[0]);
			normal_store(&k, first + 2 * i + 1, z[1]);
		}
	}
}

/* --- integers -------------------------------------------------------- */

/* W[position] of a later attempt. */
static inline uint64_t redraw(const struct kb_random_kernel *k,
			      uint64_t position, uint32_t attempt)
{
	const unsigned wanted = position % (BLOCK_WORDS / 2);
	uint32_t x[BLOCK_WORDS];
	uint64_t word = 0;

	chacha_block(x, k, (uint32_t)(2 * position / BLOCK_WORDS), attempt);
	for (unsigned i = 0; i < BLOCK_WORDS / 2; i++)
		if (i == wanted)
			word = x[2 * i] | (uint64_t)x[2 * i + 1] << 32;
	return word;
}

/* Lemire's method; a span of 2^64 is 0. */
static inline uint64_t below(const struct kb_random_kernel *k, uint64_t w,
			     uint64_t position)
{
	uint32_t attempt = 0;

	if (k->integer_span == 0)
		return w;
	while (w * k->integer_span < k->threshold)
		w = redraw(k, position, ++attempt);
	return __umul64hi(w, k->integer_span);
}

static inline void integer_store(const struct kb_random_kernel *k, uint64_t i,
				 uint64_t x)
{
	switch (k->size_bytes) {
	case 8:
		((uint64_t *)k->address)[i] = x;
		break;
	case 4:
		((uint32_t *)k->address)[i] = (uint32_t)x;
		break;
	case 2:
		((uint16_t *)k->address)[i] = (uint16_t)x;
		break;
	default:
		((uint8_t *)k->address)[i] = (uint8_t)x;
	}
}

static inline void integer_make(const struct kb_random_kernel *k,
				const struct tile *t, uint64_t first,
				unsigned i)
{
	const uint64_t position = k->first_element + first + i;

	integer_store(k, first + i,
		      k->integer_low + below(k, tile_pair(t, i), position));
}

KB_KERNEL kb_random_kernel_integers(struct kb_random_kernel k)
{
	__shared__ struct tile t;

	each_element(&k, &t, integer_make);
}

/* --- zeros ----------------------------------------------------------- */

KB_KERNEL kb_random_kernel_zeros(struct kb_random_kernel k)
{
	const uint64_t step = (uint64_t)gridDim.x * THREADS;
	uint64_t words = k.address % 8 ? 0 : k.count / 8;
	uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;

	for (uint64_t n = i; n < words; n += step)
		((uint64_t *)k.address)[n] = 0;
	for (i += words * 8; i < k.count; i += step)
		((uint8_t *)k.address)[i] = 0;
}
