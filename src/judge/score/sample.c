#include "score/sample.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "manifest/evaluation.h"
#include "random/chacha.h"
#include "score/times.h"

#define WORDS64_PER_BLOCK (KB_CHACHA_BLOCK_WORDS / 2)

struct drawn {
	size_t place;			/* in the evaluation */
	int64_t candidate_ns, reference_ns;	/* or both KB_UNKNOWN */
	uint64_t word;
};

int64_t kb_sample_seed_of(const struct kb_digest *evaluation)
{
	uint64_t seed = 0;

	for (size_t i = 0; i < 7; i++)
		seed = seed << 8 | evaluation->bytes[i];
	return (int64_t)(seed >> 4);
}

static void add_words(struct drawn c[], size_t count, int64_t seed)
{
	const size_t blocks = (count + WORDS64_PER_BLOCK - 1) /
			      WORDS64_PER_BLOCK;
	kb_auto(mem) uint32_t *words =
		kb_xcalloc(blocks, KB_CHACHA_BLOCK_BYTES);
	uint8_t key[KB_CHACHA_KEY_BYTES] = { 0 };
	struct kb_chacha chacha;

	for (size_t i = 0; i < sizeof(seed); i++)
		key[i] = (uint8_t)((uint64_t)seed >> (8 * i));
	kb_chacha_init(&chacha, key, 0, 0, 0);
	kb_chacha_blocks(words, 0, blocks, &chacha);
	for (size_t i = 0; i < count; i++)
		c[i].word = (uint64_t)words[2 * i + 1] << 32 | words[2 * i];
}

/* All that may be drawn; the caller frees. */
static struct drawn *correct_ones(size_t *count, const struct kb_evaluation *e,
				  enum kb_clock clock)
{
	struct drawn *out = kb_xcalloc(e->result_count + 1, sizeof(*out));

	*count = 0;
	for (size_t i = 0; i < e->result_count; i++) {
		const struct kb_result *r = &e->results[i];
		const struct kb_session_times t = kb_session_times_of(
			r, kb_problem_clock(clock, r->reference_timing,
					    r->reference_device_timing));
		struct drawn d = {
			.place = i,
			.candidate_ns = kb_times_median_ns(t.candidate),
			.reference_ns = kb_times_median_ns(t.reference),
		};

		if (r->outcome.status != KB_STATUS_CORRECT)
			continue;
		if (d.candidate_ns == KB_UNKNOWN ||
		    d.reference_ns == KB_UNKNOWN)
			d.candidate_ns = d.reference_ns = KB_UNKNOWN;
		out[(*count)++] = d;
	}
	return out;
}

static int by_place(const void *pa, const void *pb)
{
	const struct drawn *a = pa, *b = pb;

	return (a->place > b->place) - (a->place < b->place);
}

/* reference / candidate, the greatest first. */
static int by_speedup(const void *pa, const void *pb)
{
	const struct drawn *a = pa, *b = pb;
	__int128 left, right;

	if (a->candidate_ns == KB_UNKNOWN || b->candidate_ns == KB_UNKNOWN) {
		const int unknown = (a->candidate_ns == KB_UNKNOWN) -
				    (b->candidate_ns == KB_UNKNOWN);

		return unknown ? unknown : by_place(a, b);
	}
	left = (__int128)a->reference_ns * b->candidate_ns;
	right = (__int128)b->reference_ns * a->candidate_ns;
	return left == right ? by_place(a, b) : (left < right) - (left > right);
}

static int by_word(const void *pa, const void *pb)
{
	const struct drawn *a = pa, *b = pb;

	return a->word == b->word ? by_place(a, b)
				  : (a->word > b->word) - (a->word < b->word);
}

size_t kb_sample_draw(size_t **out, size_t *correct_count,
		      const struct kb_evaluation *e, enum kb_clock clock,
		      size_t count, int64_t seed)
{
	kb_auto(mem) struct drawn *c = correct_ones(correct_count, e, clock);
	const size_t total = *correct_count;
	size_t fastest;

	if (!count || count > total)
		count = total;
	fastest = count / 2 + count % 2;
	add_words(c, total, seed);
	qsort(c, total, sizeof(*c), by_speedup);
	qsort(c + fastest, total - fastest, sizeof(*c), by_word);
	qsort(c, count, sizeof(*c), by_place);

	*out = kb_xcalloc(count + 1, sizeof(**out));
	for (size_t i = 0; i < count; i++)
		(*out)[i] = c[i].place;
	return count;
}
