#include "device/cuda_internal.h"

#include <string.h>

#include "base/clock.h"
#include "base/err.h"

/*
 * The probe says that it has run by a word that it writes to the host's
 * memory: whoever spins on that sees it sooner, and more evenly, than who
 * asks the driver. If nothing comes the driver knows why.
 */
#define PATIENCE_NS (100 * KB_NS_PER_MS)

/* How often to look between two looks at the clock. */
#define LOOKS 4096

/* Counters on the device: the ticket, and how many words changed. */
struct counters {
	uint64_t ticket;
	uint64_t changed;
};

static void forget_places(struct kb_cuda *c)
{
	struct kb_kernel_probe *k = &c->probe.kernel;

	if (k->places)
		(void)c->api->MemFree(k->places);
	if (k->seen)
		(void)c->api->MemFree(k->seen);
	k->places = k->seen = k->words = 0;
	c->probe.capacity = 0;
}

void kb_cuda_probe_close(struct kb_cuda *c)
{
	forget_places(c);
	if (c->probe.flag)
		(void)c->api->MemFreeHost(c->probe.flag);
	if (c->probe.kernel.ticket)
		(void)c->api->MemFree(c->probe.kernel.ticket);
}

static int make_room(struct kb_cuda *c, uint64_t words, struct kb_err *err)
{
	struct kb_kernel_probe *k = &c->probe.kernel;
	int ret;

	if (words <= c->probe.capacity)
		return 0;
	forget_places(c);
	ret = kb_cuda_reserve(c, &k->places, words * sizeof(uint64_t),
			      "the probe", err);
	if (ret >= 0)
		ret = kb_cuda_reserve(c, &k->seen, words * sizeof(uint32_t),
				      "the probe", err);
	if (ret >= 0)
		c->probe.capacity = words;
	return ret;
}

static uint64_t blocks_for(uint64_t words)
{
	return (words + KB_KERNEL_THREADS - 1) / KB_KERNEL_THREADS;
}

static int place_round(struct kb_cuda *c, const struct kb_cuda_span spans[],
		       uint64_t first, uint64_t count, uint64_t seed,
		       struct kb_err *err)
{
	const struct kb_kernel_place place = {
		.spans = c->items,
		.first = first,
		.count = count,
		.seed = seed,
		.places = c->probe.kernel.places,
	};
	struct kb_kernel_span *items = c->host;
	int ret;

	for (uint64_t i = 0; i < count; i++)
		items[i] = (struct kb_kernel_span){
			.address = spans[first + i].address,
			.bytes = spans[first + i].bytes,
		};
	ret = kb_cuda_send(c, count * sizeof(*items), err);
	if (ret >= 0)
		ret = kb_cuda_launch(c, KB_CUDA_PLACE,
				     blocks_for(count * KB_CUDA_PROBE_WORDS),
				     1, &place, err);
	return ret < 0 ? ret : kb_cuda_wait(c, err);
}

int kb_cuda_probe_set(struct kb_cuda *c, const struct kb_cuda_span spans[],
		      size_t count, uint64_t seed, struct kb_err *err)
{
	const uint64_t words = (uint64_t)count * KB_CUDA_PROBE_WORDS;
	int ret = make_room(c, words, err);

	c->probe.kernel.words = 0;
	for (size_t i = 0; i < count && ret >= 0; i += KB_CUDA_ROUND_ITEMS) {
		size_t n = count - i < KB_CUDA_ROUND_ITEMS ? count - i :
			KB_CUDA_ROUND_ITEMS;

		ret = place_round(c, spans, i, n, seed, err);
	}
	if (ret >= 0)
		c->probe.kernel.words = words;
	return ret;
}

static uint64_t probe_blocks(const struct kb_cuda *c)
{
	return c->probe.kernel.words ? blocks_for(c->probe.kernel.words) : 1;
}

int kb_cuda_probe(struct kb_cuda *c, struct kb_err *err)
{
	const uint32_t value = ++c->probe.kernel.value;
	int64_t deadline_ns = 0;
	int ret;

	ret = kb_cuda_launch(c, KB_CUDA_PROBE, probe_blocks(c), 1,
			     &c->probe.kernel, err);
	if (ret < 0)
		return ret;
	for (unsigned looks = 1;; looks++) {
		if (__atomic_load_n(c->probe.flag, __ATOMIC_ACQUIRE) == value)
			return 0;
		if (looks % LOOKS)
			continue;
		if (!deadline_ns)
			deadline_ns = kb_clock_ns() + PATIENCE_NS;
		else if (kb_clock_ns() > deadline_ns)
			return kb_cuda_wait(c, err);
	}
}

static int make_flag(struct kb_cuda *c, struct kb_err *err)
{
	kb_cu_result result;
	void *flag = NULL;

	result = c->api->MemHostAlloc(&flag, sizeof(*c->probe.flag),
				      KB_CU_HOST_PORTABLE |
				      KB_CU_HOST_MAPPED);
	if (result == KB_CU_SUCCESS) {
		c->probe.flag = flag;
		*c->probe.flag = 0;
		result = c->api->MemHostGetDevicePointer(
			&c->probe.kernel.flag, flag, 0);
	}
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result, "set up the probe");
	return 0;
}

static int make_counters(struct kb_cuda *c, struct kb_err *err)
{
	struct kb_kernel_probe *k = &c->probe.kernel;
	kb_cu_result result;
	int ret;

	ret = kb_cuda_reserve(c, &k->ticket, sizeof(struct counters),
			      "the probe", err);
	if (ret < 0)
		return ret;
	k->changed = k->ticket + offsetof(struct counters, changed);
	memset(c->host, 0, sizeof(struct counters));
	result = c->api->MemcpyHtoDAsync(k->ticket, c->host,
					 sizeof(struct counters), c->stream);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result, "set up the probe");
	return kb_cuda_wait(c, err);
}

/* The first launch of a kernel loads it, which is slow: not when it counts. */
int kb_cuda_probe_open(struct kb_cuda *c, struct kb_err *err)
{
	int ret = make_flag(c, err);

	if (ret >= 0)
		ret = make_counters(c, err);
	return ret < 0 ? ret : kb_cuda_probe(c, err);
}

int kb_cuda_probe_check(struct kb_cuda *c, uint64_t *changed,
			struct kb_err *err)
{
	const struct kb_kernel_probe *k = &c->probe.kernel;
	uint64_t *count = c->host;
	kb_cu_result result;
	int ret;

	*count = 0;
	result = c->api->MemcpyHtoDAsync(k->changed, count, sizeof(*count),
					 c->stream);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "copy to the CUDA device");
	ret = kb_cuda_launch(c, KB_CUDA_AGAIN, probe_blocks(c), 1, k, err);
	if (ret < 0)
		return ret;
	result = c->api->MemcpyDtoHAsync(count, k->changed, sizeof(*count),
					 c->stream);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "copy from the CUDA device");
	ret = kb_cuda_wait(c, err);
	if (ret >= 0)
		*changed = *count;
	return ret;
}
