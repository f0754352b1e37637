/* Several devices as one: holding the further devices around a run. */

#include "device/cuda_internal.h"

#include <stddef.h>

#include "base/clock.h"
#include "base/err.h"

int kb_cuda_make_current(struct kb_cuda *c, struct kb_err *err)
{
	kb_cu_result result = c->api->CtxSetCurrent(c->context);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "use the CUDA device '%s'", c->facts.name);
	return 0;
}

static uint64_t word_of(const struct kb_cuda *c, size_t offset)
{
	return c->words_address + offset;
}

/* A device may wait for a time slice while others are held. */
#define HOLD_NS (20 * KB_NS_PER_MS)

static int hold(struct kb_cuda *c, const struct kb_cuda *of, size_t until,
		struct kb_err *err)
{
	const struct kb_kernel_mark m = {
		.release = word_of(of, until),
		.most_ns = HOLD_NS,
		.value = of->chains,
	};

	return kb_cuda_launch(c, KB_CUDA_HOLD, 1, 1, &m, err);
}

static int hold_group(struct kb_cuda *c, size_t until, struct kb_err *err)
{
	const struct kb_kernel_mark m = {
		.flag = word_of(c, offsetof(struct kb_cuda_words, held)),
		.value = c->chains,
	};
	int ret = kb_cuda_launch(c, KB_CUDA_MARK, 1, 1, &m, err);

	return ret < 0 ? ret : hold(c, c, until, err);
}

static int write_word(struct kb_cuda *by, const struct kb_cuda *of,
		      size_t offset, struct kb_err *err)
{
	const kb_cu_result result = by->api->StreamWriteValue32(
		by->stream, word_of(of, offset), of->chains, 0);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, by->api, result,
				   "tell another CUDA device");
	return 0;
}

/* Hold the device until inputs are copied in, evict its cache, and hold it until
 * the gate opens. No kernel of a candidate runs on it in that time. */
static int begin_further(struct kb_cuda *c, struct kb_err *err)
{
	int ret = kb_cuda_make_current(c, err);

	c->chains++;
	if (ret >= 0)
		ret =
			hold_group(c, offsetof(struct kb_cuda_words, copied), err);
	if (ret >= 0)
		ret = kb_cuda_evict(c, err);
	if (ret >= 0)
		ret = write_word(c, c, offsetof(struct kb_cuda_words, evicted),
				 err);
	return ret < 0 ? ret :
		hold_group(c, offsetof(struct kb_cuda_words, open), err);
}

int kb_cuda_group_chain(struct kb_cuda *c, struct kb_err *err)
{
	int ret = 0;

	for (struct kb_cuda *x = c->next; x && ret >= 0; x = x->next)
		ret = begin_further(x, err);
	return ret >= 0 && c->next ? kb_cuda_make_current(c, err) : ret;
}

int kb_cuda_group_copied(struct kb_cuda *c, struct kb_err *err)
{
	int ret = 0;

	for (struct kb_cuda *x = c->next; x && ret >= 0; x = x->next)
		ret = write_word(c, x, offsetof(struct kb_cuda_words, copied),
				 err);
	return ret;
}

/* A kernel waits first: while only a stream waited, a side with several streams
 * behind the gate would get the device, and keep it for a time slice. */
static int wait_for_all(struct kb_cuda *c, size_t offset, struct kb_err *err)
{
	for (struct kb_cuda *x = c->next; x; x = x->next) {
		int ret = hold(c, x, offset, err);
		kb_cu_result result;

		if (ret < 0)
			return ret;
		result = c->api->StreamWaitValue32(c->stream,
						   word_of(x, offset),
						   x->chains,
						   KB_CU_WAIT_VALUE_GEQ);
		if (result != KB_CU_SUCCESS)
			return kb_cuda_err(err, c->api, result,
					   "wait for another CUDA device");
	}
	return 0;
}

int kb_cuda_group_held(struct kb_cuda *c, struct kb_err *err)
{
	return wait_for_all(c, offsetof(struct kb_cuda_words, held), err);
}

int kb_cuda_group_evicted(struct kb_cuda *c, struct kb_err *err)
{
	return wait_for_all(c, offsetof(struct kb_cuda_words, evicted), err);
}

int kb_cuda_group_open(struct kb_cuda *c, struct kb_err *err)
{
	int ret = 0;

	for (struct kb_cuda *x = c->next; x && ret >= 0; x = x->next)
		ret = write_word(c, x, offsetof(struct kb_cuda_words, open),
				 err);
	return ret;
}
