#include "random/random.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/clones.h"
#include "base/err.h"
#include "base/half.h"
#include "random/chacha.h"
#include "random/gauss.h"

#define CHUNK KB_RANDOM_CHUNK_ELEMENTS

/* The third word of a derived seed's nonce; attempts count from 0. */
#define DERIVE_NONCE UINT32_MAX

/* Elements `first` to `first + count - 1` of one tensor; at most a chunk. */
struct chunk {
	uint64_t first;
	size_t count;
	enum kb_dtype dtype;
	const struct kb_draw *draw;
	const struct kb_random_stream *stream;
};

static void stream_key(struct kb_chacha *key,
		       const struct kb_random_stream *stream, uint32_t attempt)
{
	kb_chacha_init(key, stream->seed, stream->slot, stream->tensor,
		       attempt);
}

/* All the words of a chunk; a last chunk may come out longer than it is. */
static void chunk_words(uint32_t *words, size_t words_per_element,
			const struct chunk *c)
{
	size_t count = c->count * words_per_element;
	struct kb_chacha key;

	stream_key(&key, c->stream, 0);
	kb_chacha_blocks(words,
			 c->first * words_per_element / KB_CHACHA_BLOCK_WORDS,
			 (count + KB_CHACHA_BLOCK_WORDS - 1) /
			 KB_CHACHA_BLOCK_WORDS, &key);
}

static uint64_t join_words(const uint32_t *words, size_t i)
{
	return words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
}

KB_CLONES static void uniform_floats(float *restrict out,
				     const uint32_t *restrict words, size_t n,
				     float low, float span, float min, float max)
{
	for (size_t i = 0; i < n; i++) {
		/* 24 bits are what a float holds exactly, so that no step is
		 * rounded into another. AVX2 converts signed words and not
		 * unsigned ones. */
		float unit = (float)(int32_t)(words[i] >> 8) * 0x1p-24f;
		float x = low + unit * span;

		x = x < min ? min : x;
		out[i] = x > max ? max : x;
	}
}

static void uniform_narrow(float *out, const struct chunk *c)
{
	struct kb_draw_range range = kb_draw_range(c->draw->low, c->draw->high,
						   c->dtype);
	float low = (float)c->draw->low, high = (float)c->draw->high;
	uint32_t words[CHUNK];

	chunk_words(words, 1, c);
	uniform_floats(out, words, c->count, low, high - low,
		       (float)range.min, (float)range.max);
}

static void uniform_wide(double *out, const struct chunk *c)
{
	struct kb_draw_range range = kb_draw_range(c->draw->low, c->draw->high,
						   c->dtype);
	double low = c->draw->low, span = c->draw->high - low;
	uint32_t words[2 * CHUNK];

	chunk_words(words, 2, c);
	for (size_t i = 0; i < c->count; i++) {
		double unit = (double)(int64_t)(join_words(words, i) >> 11) * 0x1p-53;
		double x = low + unit * span;

		/* It cannot come out below low, which is the least value. */
		out[i] = x > range.max ? range.max : x;
	}
}

/* Standard normal numbers; `z` has room for a whole chunk. */
static void normal_narrow(double *z, const struct chunk *c)
{
	double u[CHUNK / 2], v[CHUNK / 2];
	size_t pairs = (c->count + 1) / 2;
	uint32_t words[CHUNK];

	chunk_words(words, 1, c);
	for (size_t j = 0; j < pairs; j++) {
		/* In the middle of its step, so that no logarithm of 0 is asked
		 * for. */
		u[j] = words[2 * j] * 0x1p-32 + 0x1p-33;
		v[j] = words[2 * j + 1] * 0x1p-32;
	}
	kb_gauss_pairs(z, u, v, pairs);
}

static void normal_wide(double *z, const struct chunk *c)
{
	double u[CHUNK / 2], v[CHUNK / 2];
	size_t pairs = (c->count + 1) / 2;
	uint32_t words[2 * CHUNK];

	chunk_words(words, 2, c);
	for (size_t j = 0; j < pairs; j++) {
		int64_t upper = (int64_t)(join_words(words, 2 * j) >> 12);
		int64_t angle = (int64_t)(join_words(words, 2 * j + 1) >> 12);

		u[j] = (double)upper * 0x1p-52 + 0x1p-53;
		v[j] = (double)angle * 0x1p-52;
	}
	kb_gauss_pairs(z, u, v, pairs);
}

KB_CLONES static void narrow(void *restrict out, enum kb_dtype dtype,
			     const float *restrict in, size_t n)
{
	uint16_t *bits = out;

	if (dtype == KB_FLOAT32)
		memcpy(out, in, n * sizeof(*in));
	else if (dtype == KB_BFLOAT16)
		for (size_t i = 0; i < n; i++)
			bits[i] = kb_bfloat16_from_float(in[i]);
	else
		for (size_t i = 0; i < n; i++)
			bits[i] = kb_float16_from_float(in[i]);
}

static void fill_uniform(void *out, const struct chunk *c)
{
	float x[CHUNK];

	if (c->dtype == KB_FLOAT64) {
		uniform_wide(out, c);
	} else if (c->dtype == KB_FLOAT32) {
		uniform_narrow(out, c);
	} else {
		uniform_narrow(x, c);
		narrow(out, c->dtype, x, c->count);
	}
}

static void fill_normal(void *out, const struct chunk *c)
{
	double mean = c->draw->low, deviation = c->draw->high;
	double z[CHUNK], *wide = out;
	float x[CHUNK];

	if (c->dtype == KB_FLOAT64) {
		normal_wide(z, c);
		for (size_t i = 0; i < c->count; i++)
			wide[i] = mean + deviation * z[i];
		return;
	}
	normal_narrow(z, c);
	for (size_t i = 0; i < c->count; i++)
		x[i] = (float)(mean + deviation * z[i]);
	narrow(out, c->dtype, x, c->count);
}

/* W[position] of a later attempt. */
static uint64_t redraw_word(uint64_t position, uint32_t attempt,
			    const struct kb_random_stream *stream)
{
	uint32_t words[KB_CHACHA_BLOCK_WORDS];
	struct kb_chacha key;

	stream_key(&key, stream, attempt);
	kb_chacha_blocks(words, 2 * position / KB_CHACHA_BLOCK_WORDS, 1, &key);
	return join_words(words, position % (KB_CHACHA_BLOCK_WORDS / 2));
}

/*
 * Lemire's method (2019): the upper half of W * span is fair if the lower
 * half is not among the first 2^64 mod span values. A span of 2^64 is 0
 * here, and then W itself is the answer.
 */
static uint64_t draw_below(uint64_t span, uint64_t w, uint64_t position,
			   const struct kb_random_stream *stream)
{
	unsigned __int128 product = (unsigned __int128)w * span;
	uint32_t attempt = 0;
	uint64_t threshold;

	if (span == 0)
		return w;
	if ((uint64_t)product < span) {
		threshold = (0 - span) % span;
		while ((uint64_t)product < threshold) {
			w = redraw_word(position, ++attempt, stream);
			product = (unsigned __int128)w * span;
		}
	}
	return (uint64_t)(product >> 64);
}

/* A bound as a number modulo 2^64; up to 2^63, which int64_t has not. */
static uint64_t bound_bits(double bound)
{
	return bound < 0 ? (uint64_t)(int64_t)bound : (uint64_t)bound;
}

static void fill_integers(void *out, const struct chunk *c)
{
	uint64_t low = bound_bits(c->draw->low);
	uint64_t span = bound_bits(c->draw->high) - low;
	size_t size_bytes = kb_dtype_size_bytes(c->dtype);
	uint32_t words[2 * CHUNK];
	uint8_t *bytes = out;

	chunk_words(words, 2, c);
	for (size_t i = 0; i < c->count; i++) {
		uint64_t x = low + draw_below(span, join_words(words, i), c->first + i,
					      c->stream);

		/* The low bytes come first. */
		memcpy(bytes + i * size_bytes, &x, size_bytes);
	}
}

void kb_random_fill(void *data, enum kb_dtype dtype, uint64_t count,
		    const struct kb_draw *draw,
		    const struct kb_random_stream *stream)
{
	static void (*const fill[])(void *, const struct chunk *) = {
		[KB_DRAW_UNIFORM] = fill_uniform,
		[KB_DRAW_NORMAL] = fill_normal,
		[KB_DRAW_INTEGERS] = fill_integers,
	};
	size_t size_bytes = kb_dtype_size_bytes(dtype);
	struct chunk c = { 0, CHUNK, dtype, draw, stream };
	uint8_t *out = data;

	if (stream->first_element % CHUNK)
		KB_BUG("a part of a tensor starts between two chunks");
	if (draw->kind == KB_DRAW_ZEROS) {
		memset(data, 0, count * size_bytes);
		return;
	}
	if (kb_draw_check(draw, dtype, NULL) < 0)
		KB_BUG("a draw was not checked");

	for (uint64_t done = 0; done < count; done += CHUNK) {
		c.first = stream->first_element + done;
		if (c.count > count - done)
			c.count = count - done;
		fill[draw->kind](out + done * size_bytes, &c);
	}
}

int kb_random_seed(uint8_t seed[KB_RANDOM_SEED_BYTES], struct kb_err *err)
{
	ssize_t n;

	/* Up to 256 bytes come all at once, or not at all. */
	do
		n = getrandom(seed, KB_RANDOM_SEED_BYTES, 0);
	while (n < 0 && errno == EINTR);
	if (n != KB_RANDOM_SEED_BYTES)
		return kb_err_sys(err, "cannot get random bytes");
	return 0;
}

void kb_random_derive(uint8_t seed[KB_RANDOM_SEED_BYTES],
		      const uint8_t from[KB_RANDOM_SEED_BYTES],
		      enum kb_seed_purpose purpose, uint32_t index)
{
	uint32_t words[KB_CHACHA_BLOCK_WORDS];
	struct kb_chacha key;

	kb_chacha_init(&key, from, purpose, index, DERIVE_NONCE);
	kb_chacha_blocks(words, 0, 1, &key);
	memcpy(seed, words, KB_RANDOM_SEED_BYTES);
}
