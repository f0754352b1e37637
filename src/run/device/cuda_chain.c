/* Chains of device work that begin and end a run, and their costs. */

#include "device/cuda_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/err.h"
#include "cuda/patience.h"

/*
 * The mark says that it has run by a word that it writes to the host's
 * memory: whoever spins on that sees it sooner, and more evenly, than who
 * asks the driver. If nothing comes the driver knows why.
 */
#define PATIENCE_NS (100 * KB_NS_PER_MS)

/* Polls of the completion word between two readings of the clock, where polling
 * does not sleep. */
#define LOOKS 4096

/* An event is exact to a fraction of a microsecond: so many are enough. */
#define COST_RUNS 9

/* --- what is there for good ------------------------------------------ */

static int make_words(struct kb_cuda *c, struct kb_err *err)
{
	kb_cu_result result;
	void *words = NULL;

	result = c->api->MemHostAlloc(&words, sizeof(*c->words),
				      KB_CU_HOST_PORTABLE |
				      KB_CU_HOST_MAPPED);
	if (result == KB_CU_SUCCESS) {
		c->words = words;
		*c->words = (struct kb_cuda_words){ .begin = 0 };
		result = c->api->MemHostGetDevicePointer(&c->words_address,
							 words, 0);
	}
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "share words with the CUDA device");
	return 0;
}

static int make_events(struct kb_cuda *c, struct kb_err *err)
{
	kb_cu_result result = c->api->EventCreate(&c->chain.start, 0);

	if (result == KB_CU_SUCCESS)
		result = c->api->EventCreate(&c->chain.end, 0);
	if (result == KB_CU_SUCCESS)
		result = c->api->EventCreate(&c->chain.marked, 0);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result, "make events");
	return 0;
}

/* The first launch of a kernel loads it, which is slow: not when it counts. */
int kb_cuda_chain_open(struct kb_cuda *c, struct kb_err *err)
{
	static const struct kb_cuda_chain_plan nothing = { .copy_count = 0 };
	int64_t cost_ns;
	int ret = make_words(c, err);

	if (ret >= 0)
		ret = make_events(c, err);
	if (ret >= 0)
		ret = kb_cuda_mark_submit(c, true, err);
	if (ret < 0)
		return ret;
	kb_cuda_mark_begin(c);
	kb_cuda_mark_release(c);
	ret = kb_cuda_mark_await(c, err);
	if (ret >= 0)
		ret = kb_cuda_chain_prepare(c, &nothing, err);
	return ret < 0 ? ret : kb_cuda_chain_cost(c, &cost_ns, err);
}

void kb_cuda_chain_close(struct kb_cuda *c)
{
	if (c->chain.start)
		(void)c->api->EventDestroy(c->chain.start);
	if (c->chain.end)
		(void)c->api->EventDestroy(c->chain.end);
	if (c->chain.marked)
		(void)c->api->EventDestroy(c->chain.marked);
	kb_cuda_list_release(c, &c->chain.pairs);
	kb_cuda_list_release(c, &c->chain.spans);
	if (c->words)
		(void)c->api->MemFreeHost(c->words);
}

int kb_cuda_page_register(struct kb_cuda *c, void *page, size_t bytes,
			  uint64_t *address, struct kb_err *err)
{
	kb_cu_result result = c->api->MemHostRegister(
		page, bytes, KB_CU_HOST_PORTABLE | KB_CU_HOST_MAPPED);

	if (result == KB_CU_SUCCESS)
		result = c->api->MemHostGetDevicePointer(address, page, 0);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "show a page to the CUDA device");
	return 0;
}

void kb_cuda_page_unregister(struct kb_cuda *c, void *page)
{
	(void)c->api->MemHostUnregister(page);
}

/* --- the chain that begins a run ------------------------------------- */

static int upload_list(struct kb_cuda *c, const struct kb_cuda_list *l,
		       size_t bytes, struct kb_err *err)
{
	kb_cu_result result = KB_CU_SUCCESS;

	if (bytes)
		result = c->api->MemcpyHtoDAsync(l->device, l->host, bytes,
						 c->stream);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "copy to the CUDA device");
	return 0;
}

static int put_copies(struct kb_cuda *c, const struct kb_cuda_copy copies[],
		      size_t count, struct kb_err *err)
{
	struct kb_cuda_chain *x = &c->chain;
	const size_t bytes = count * sizeof(struct kb_kernel_pair);
	struct kb_kernel_pair *pairs;
	int ret = kb_cuda_list_reserve(c, &x->pairs, bytes, err);

	if (ret < 0)
		return ret;
	pairs = x->pairs.host;
	x->count = count;
	x->most_bytes = 0;
	for (size_t i = 0; i < count; i++) {
		pairs[i] = (struct kb_kernel_pair){
			.to = copies[i].to, .from = copies[i].from,
			.bytes = copies[i].bytes,
		};
		if (copies[i].bytes > x->most_bytes)
			x->most_bytes = copies[i].bytes;
	}
	return upload_list(c, &x->pairs, bytes, err);
}

static int put_spans(struct kb_cuda *c, const struct kb_cuda_span from[],
		     size_t count, struct kb_err *err)
{
	struct kb_cuda_chain *x = &c->chain;
	const size_t bytes = count * sizeof(struct kb_kernel_span);
	struct kb_kernel_span *spans;
	int ret = kb_cuda_list_reserve(c, &x->spans, bytes, err);

	if (ret < 0)
		return ret;
	if (getrandom(&x->seed, sizeof(x->seed), 0) != sizeof(x->seed))
		return kb_err_sys(err, "cannot draw random bytes");
	spans = x->spans.host;
	x->span_count = count;
	for (size_t i = 0; i < count; i++)
		spans[i] = (struct kb_kernel_span){ from[i].address,
						    from[i].bytes };
	return upload_list(c, &x->spans, bytes, err);
}

int kb_cuda_chain_prepare(struct kb_cuda *c,
			  const struct kb_cuda_chain_plan *plan,
			  struct kb_err *err)
{
	int ret = put_copies(c, plan->copies, plan->copy_count, err);

	if (ret >= 0)
		ret = put_spans(c, plan->spans, plan->span_count, err);
	return ret < 0 ? ret : kb_cuda_wait(c, err);
}

struct kb_cuda_span kb_cuda_scratch(const struct kb_cuda *c)
{
	return (struct kb_cuda_span){ c->scratch.address, c->scratch.bytes };
}

static int copy_inputs(struct kb_cuda *c, struct kb_err *err)
{
	const struct kb_kernel_batch batch = { .items = c->chain.pairs.device };

	if (!c->chain.count)
		return 0;
	return kb_cuda_launch(c, KB_CUDA_COPY,
			      kb_cuda_blocks_for(c->chain.most_bytes,
						 c->chain.count),
			      c->chain.count, &batch, err);
}

static int scatter_words(struct kb_cuda *c, struct kb_err *err)
{
	const struct kb_kernel_scatter p = {
		.spans = c->chain.spans.device,
		.count = c->chain.span_count,
		.seed = c->chain.seed,
	};
	const uint64_t words = p.count * KB_CUDA_SCATTER_WORDS;

	if (!words)
		return 0;
	return kb_cuda_launch(c, KB_CUDA_SCATTER,
			      (words + KB_KERNEL_THREADS - 1) /
			      KB_KERNEL_THREADS, 1, &p, err);
}

static int record_event(struct kb_cuda *c, kb_cu_event event, struct kb_err *err)
{
	kb_cu_result result = c->api->EventRecord(event, c->stream);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result, "record an event");
	return 0;
}

int kb_cuda_chain_submit(struct kb_cuda *c, const struct kb_cuda_write *writes,
			 size_t write_count, struct kb_err *err)
{
	kb_cu_result result = KB_CU_SUCCESS;
	int ret = kb_cuda_group_chain(c, err);

	if (ret >= 0)
		ret = kb_cuda_evict(c, err);
	if (ret >= 0)
		ret = kb_cuda_group_held(c, err);
	if (ret >= 0)
		ret = record_event(c, c->chain.start, err);
	if (ret >= 0)
		ret = scatter_words(c, err);
	if (ret >= 0)
		ret = copy_inputs(c, err);
	if (ret >= 0)
		ret = kb_cuda_group_copied(c, err);
	if (ret >= 0)
		ret = kb_cuda_evict(c, err);
	if (ret >= 0)
		ret = kb_cuda_group_evicted(c, err);
	if (ret >= 0)
		ret = record_event(c, c->chain.end, err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; result == KB_CU_SUCCESS && i < write_count; i++)
		result = c->api->StreamWriteValue32(c->stream, writes[i].word,
						    writes[i].value, 0);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "open a gate by the CUDA device");
	return kb_cuda_group_open(c, err);
}

static int compare_ns(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Both are over. */
static int read_elapsed_ns(struct kb_cuda *c, kb_cu_event start, kb_cu_event end,
			   int64_t *ns, struct kb_err *err)
{
	float ms = 0;
	kb_cu_result result = c->api->EventElapsedTime(&ms, start, end);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result, "read an event");
	*ns = (int64_t)((double)ms * KB_NS_PER_MS);
	return 0;
}

static int time_chain(struct kb_cuda *c, int64_t *ns, struct kb_err *err)
{
	const struct kb_cuda_write unheard = {
		c->words_address + offsetof(struct kb_cuda_words, unheard), 0,
	};
	int ret = kb_cuda_chain_submit(c, &unheard, 1, err);

	if (ret >= 0)
		ret = kb_cuda_wait(c, err);
	return ret < 0 ? ret :
		read_elapsed_ns(c, c->chain.start, c->chain.end, ns, err);
}

int kb_cuda_chain_cost(struct kb_cuda *c, int64_t *cost_ns, struct kb_err *err)
{
	int64_t samples_ns[COST_RUNS];

	for (int i = 0; i < COST_RUNS; i++) {
		int ret = time_chain(c, &samples_ns[i], err);

		if (ret < 0)
			return ret;
	}
	qsort(samples_ns, COST_RUNS, sizeof(*samples_ns), compare_ns);
	*cost_ns = samples_ns[COST_RUNS / 2];
	return 0;
}

/* --- the mark that ends a run ---------------------------------------- */

static int submit_mark(struct kb_cuda *c, bool holds, struct kb_err *err)
{
	const struct kb_kernel_mark m = {
		.flag = c->words_address + offsetof(struct kb_cuda_words, mark),
		.release = c->words_address +
			   offsetof(struct kb_cuda_words, release),
		.most_ns = (uint64_t)kb_patience.hold_ns,
		.value = ++c->marks,
	};
	const kb_cu_result result = c->api->StreamWaitValue32(
		c->stream,
		c->words_address + offsetof(struct kb_cuda_words, begin),
		m.value, KB_CU_WAIT_VALUE_GEQ);
	int ret;

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "make the device wait");
	ret = kb_cuda_launch(c, KB_CUDA_MARK, 1, 1, &m, err);
	if (ret >= 0)
		ret = record_event(c, c->chain.marked, err);
	if (ret >= 0 && holds)
		ret = kb_cuda_launch(c, KB_CUDA_HOLD, 1, 1, &m, err);
	return ret;
}

/* The further devices of a group are held, too. The first compares. */
int kb_cuda_mark_submit(struct kb_cuda *c, bool holds, struct kb_err *err)
{
	int ret = 0;

	for (struct kb_cuda *x = c->next; x && ret >= 0; x = x->next) {
		ret = kb_cuda_make_current(x, err);
		if (ret >= 0)
			ret = submit_mark(x, true, err);
	}
	if (ret >= 0 && c->next)
		ret = kb_cuda_make_current(c, err);
	return ret < 0 ? ret : submit_mark(c, holds, err);
}

void kb_cuda_mark_begin(struct kb_cuda *c)
{
	for (; c; c = c->next)
		__atomic_store_n(&c->words->begin, c->marks, __ATOMIC_RELEASE);
}

static int await_mark(struct kb_cuda *c, struct kb_err *err)
{
	const uint32_t *mark = &c->words->mark;
	int64_t deadline_ns = 0;

	for (unsigned looks = 1;
	     __atomic_load_n(mark, __ATOMIC_ACQUIRE) != c->marks; looks++) {
		kb_patience_look();
		if (looks % LOOKS && !kb_patience.look_ns)
			continue;
		if (!deadline_ns)
			deadline_ns = kb_clock_ns() + PATIENCE_NS;
		else if (kb_clock_ns() > deadline_ns)
			return kb_cuda_wait(c, err);
	}
	return 0;
}

int kb_cuda_mark_await(struct kb_cuda *c, struct kb_err *err)
{
	int ret = 0;

	for (; c && ret >= 0; c = c->next)
		ret = await_mark(c, err);
	return ret;
}

void kb_cuda_mark_release(struct kb_cuda *c)
{
	__atomic_store_n(&c->words->release, c->marks, __ATOMIC_RELEASE);
}

void kb_cuda_mark_end(struct kb_cuda *c)
{
	for (; c; c = c->next)
		kb_cuda_mark_release(c);
}

int kb_cuda_mark_time(struct kb_cuda *c, int64_t *elapsed_ns,
		      struct kb_err *err)
{
	int ret;

	kb_cuda_mark_end(c);
	ret = kb_cuda_wait(c, err);
	return ret < 0 ? ret :
		read_elapsed_ns(c, c->chain.start, c->chain.marked, elapsed_ns, err);
}
