#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "device/pattern.h"
#include "gpu/u-on-gpu.h"
#include "lib/tap.h"
#include "random/cuda_random.h"
#include "random/random_kernels.h"

/* Work on a CUDA device against the same on the CPU; u-cuda-compare.c has what
 * compares, and u-cuda-group.c several devices. */

static void test_the_driver_describes_the_device(void)
{
	const struct kb_cuda_device *d;
	uint64_t bytes = 0;

	if (!have_gpu())
		return;
	d = kb_cuda_device(gpu);
	check(d->name[0]);
	check(strchr(d->pci_bus_id, ':'));
	check(d->driver_version >= 12000);
	check(d->capability_major >= 7);
	check(d->multiprocessors > 0);
	check(d->l2_cache_bytes > 0);
	check(d->memory_bytes > ROOM);
	must(kb_cuda_free_bytes(gpu, &bytes, &err), &err);
	check(bytes > 0 && bytes < d->memory_bytes);
	printf("# %s, %d multiprocessors, L2 %" PRIu64 " MiB\n", d->name,
	       d->multiprocessors, d->l2_cache_bytes >> 20);
}

static void test_there_is_no_thousandth_device(void)
{
	struct kb_err e = KB_ERR_INIT;
	struct kb_cuda *c = NULL;

	if (!have_gpu())
		return;
	check_int(kb_cuda_open(&c, 1000, &e), -KB_ERR_MISSING);
	check(!strncmp(e.msg, "there is no CUDA device 1000: the driver has ",
		       45));
	check(!c);
}

static void test_more_memory_than_there_is_is_refused(void)
{
	struct kb_cuda_memory m = KB_CUDA_MEMORY_INIT;
	struct kb_err e = KB_ERR_INIT;

	if (!have_gpu())
		return;
	check_int(kb_cuda_memory_new(gpu, &m,
				     2 * kb_cuda_device(gpu)->memory_bytes,
				     true, &e), -KB_ERR_SYS);
	check_int(e.sys_errno, ENOMEM);
	check_int((intmax_t)m.address, 0);
	check_int(m.fd, -1);
}

static void test_memory_is_whole_pages_and_closed_by_exec(void)
{
	struct kb_cuda_memory m = KB_CUDA_MEMORY_INIT;

	if (!have_gpu())
		return;
	must(kb_cuda_memory_new(gpu, &m, 1, true, &err), &err);
	check(m.bytes >= 65536 && m.bytes % 65536 == 0);
	check(m.address % 65536 == 0);
	check(fcntl(m.fd, F_GETFD) & FD_CLOEXEC);
	kb_cuda_memory_free(gpu, &m);
	check_int((intmax_t)m.address, 0);
	check_int(m.fd, -1);
	kb_cuda_memory_free(gpu, &m);
	must(kb_cuda_memory_new(gpu, &m, 0, false, &err), &err);
	check(m.address && m.bytes);
	check_int(m.fd, -1);
	kb_cuda_memory_free(gpu, &m);
}

static void test_a_shared_descriptor_is_the_same_memory(void)
{
	const struct kb_cu_access_desc access = {
		.location = { KB_CU_LOCATION_DEVICE, 0 },
		.flags = KB_CU_ACCESS_READ_WRITE,
	};
	const struct kb_cuda_api *cu;
	kb_cu_address second;
	kb_cu_handle handle;
	char text[8] = "";

	if (!have_gpu())
		return;
	cu = gpu_api();
	gpu_must(cu->MemImportFromShareableHandle(
		&handle, (void *)(intptr_t)other.fd, KB_CU_HANDLE_FD));
	gpu_must(cu->MemAddressReserve(&second, other.bytes, 0, 0, 0));
	gpu_must(cu->MemMap(second, other.bytes, 0, handle, 0));
	gpu_must(cu->MemSetAccess(second, other.bytes, &access, 1));
	check(second != other.address);
	gpu_write(other.address + 4096, "kernel", 7);
	gpu_read(text, second + 4096, 7);
	check_str(text, "kernel");
	gpu_must(cu->MemUnmap(second, other.bytes));
	gpu_must(cu->MemAddressFree(second, other.bytes));
	gpu_must(cu->MemRelease(handle));
}

static void test_copies_are_made_all_at_once(void)
{
	struct kb_cuda_copy copies[3];
	char text[16] = "";

	if (!have_gpu())
		return;
	gpu_write(one.address, "the quick brown", 16);
	copies[0] = (struct kb_cuda_copy){ other.address, one.address, 9 };
	copies[1] = (struct kb_cuda_copy){ other.address + 9, 0, 0 };
	copies[2] = (struct kb_cuda_copy){ other.address + 9,
					   one.address + 15, 1 };
	must(kb_cuda_copy(gpu, copies, 3, &err), &err);
	gpu_read(text, other.address, 10);
	check_str(text, "the quick");
	must(kb_cuda_copy(gpu, NULL, 0, &err), &err);
}

/* --- patterns -------------------------------------------------------- */

enum { PATTERN_ROOM = 3 << 16 };

static const struct {
	uint64_t first, end;
} ranges[] = {
	{ 0, 0 }, { 0, 1 }, { 0, 7 }, { 0, 8 }, { 0, 9 }, { 3, 3 },
	{ 3, 4 }, { 3, 8 }, { 5, 17 }, { 7, 1031 }, { 8, 16 }, { 13, 14 },
	{ 15, 17 }, { 16, 4096 }, { 31, 65537 }, { 1, PATTERN_ROOM },
	{ 0, PATTERN_ROOM },
};

static void check_range(uint64_t base, uint64_t first, uint64_t end)
{
	const struct kb_cuda_pattern p = {
		.base = one.address + base, .first = first, .end = end,
		.key = gpu_random(),
	};
	kb_auto(mem) uint8_t *want = kb_xmalloc(PATTERN_ROOM + 64);
	kb_auto(mem) uint8_t *got = kb_xmalloc(PATTERN_ROOM + 64);
	uint64_t damaged = 1, at = first + gpu_random_below(end - first + 1);

	memset(want, 0x5a, PATTERN_ROOM + 64);
	gpu_write(one.address, want, PATTERN_ROOM + 64);
	kb_pattern_fill(want + base, first, end, p.key);
	must(kb_cuda_pattern_fill(gpu, &p, 1, &err), &err);
	gpu_read(got, one.address, PATTERN_ROOM + 64);
	check(!memcmp(got, want, PATTERN_ROOM + 64));

	must(kb_cuda_pattern_check(gpu, &p, 1, &damaged, &err), &err);
	check_int((intmax_t)damaged, 0);
	got[base + at] ^= 0x40;		/* not covered if it is the end */
	gpu_write(one.address, got, PATTERN_ROOM + 64);
	must(kb_cuda_pattern_check(gpu, &p, 1, &damaged, &err), &err);
	check_int((intmax_t)damaged, at < end);
}

static void test_patterns_have_the_same_bytes_as_on_the_cpu(void)
{
	if (!have_gpu())
		return;
	for (size_t i = 0; i < KB_ARRAY_LEN(ranges); i++)
		for (uint64_t base = 0; base <= 8; base += 8)
			check_range(base, ranges[i].first, ranges[i].end);
}

/* More than go there at once, of several sizes. */
static void test_many_patterns_are_checked_one_by_one(void)
{
	enum { MANY = 2500, EACH = 1024 };
	kb_auto(mem) struct kb_cuda_pattern *p = kb_xcalloc(MANY, sizeof(*p));
	kb_auto(mem) uint64_t *damaged = kb_xcalloc(MANY, sizeof(*damaged));
	uint8_t bytes[EACH];

	if (!have_gpu())
		return;
	for (size_t i = 0; i < MANY; i++)
		p[i] = (struct kb_cuda_pattern){
			.base = one.address + i * EACH,
			.first = i % 9, .end = EACH - i % 5 * 100,
			.key = kb_pattern_key(5, i),
		};
	must(kb_cuda_pattern_fill(gpu, p, MANY, &err), &err);
	must(kb_cuda_pattern_check(gpu, p, MANY, damaged, &err), &err);
	for (size_t i = 0; i < MANY; i++)
		check_int((intmax_t)damaged[i], 0);

	/* In some of them as many bytes as the remainder says. */
	for (size_t i = 0; i < MANY; i += 7) {
		gpu_read(bytes, p[i].base, EACH);
		for (size_t k = 0; k < i % 13; k++)
			bytes[9 + k * 31] ^= (uint8_t)(1 + i + k) | 1;
		gpu_write(p[i].base, bytes, EACH);
	}
	must(kb_cuda_pattern_check(gpu, p, MANY, damaged, &err), &err);
	for (size_t i = 0; i < MANY; i++)
		check_int((intmax_t)damaged[i], i % 7 ? 0 : (intmax_t)(i % 13));
}

/* --- bytes that differ ----------------------------------------------- */

/* `offset` is where both start, `shift` how much later the second. */
static void check_differ(size_t bytes, size_t offset, size_t shift)
{
	const struct kb_cuda_copy pair = {
		.to = one.address + offset,
		.from = other.address + offset + shift,
		.bytes = bytes,
	};
	kb_auto(mem) uint8_t *a = kb_xmalloc(bytes + 1);
	kb_auto(mem) uint8_t *b = kb_xmalloc(bytes + 1);
	uint64_t want = 0, got = 0;

	for (size_t i = 0; i < bytes; i++) {
		a[i] = (uint8_t)gpu_random();
		b[i] = gpu_random_below(10) ? a[i] : (uint8_t)gpu_random();
		want += a[i] != b[i];
	}
	gpu_write(pair.to, a, bytes);
	gpu_write(pair.from, b, bytes);
	must(kb_cuda_differ(gpu, &pair, 1, &got, &err), &err);
	check_int((intmax_t)got, (intmax_t)want);
	gpu_write(pair.from, a, bytes);
	must(kb_cuda_differ(gpu, &pair, 1, &got, &err), &err);
	check_int((intmax_t)got, 0);
}

static void test_every_byte_that_differs_is_counted(void)
{
	if (!have_gpu())
		return;
	for (size_t i = 0; i < KB_ARRAY_LEN(sizes); i++)
		for (size_t offset = 0; offset < 20; offset += 5)
			for (size_t shift = 0; shift < 3; shift++)
				check_differ(sizes[i], offset, shift);
	check_differ(3000001, 0, 0);
	check_differ(3000001, 1, 0);
}

/* --- random numbers -------------------------------------------------- */

static const struct {
	enum kb_draw_kind kind;
	double low, high;
} draws[] = {
	{ KB_DRAW_ZEROS, 0, 0 },
	{ KB_DRAW_UNIFORM, 0, 1 },
	{ KB_DRAW_UNIFORM, -1, 1 },
	{ KB_DRAW_UNIFORM, -0.3, 0.7 },
	{ KB_DRAW_UNIFORM, 1, 1.0625 },
	{ KB_DRAW_UNIFORM, 1e-7, 2e-7 },
	{ KB_DRAW_UNIFORM, 0, 1e-42 },
	{ KB_DRAW_UNIFORM, -1e300, 1e300 },
	{ KB_DRAW_NORMAL, 0, 1 },
	{ KB_DRAW_NORMAL, 3, 0.1 },
	{ KB_DRAW_NORMAL, -1, 0 },
	{ KB_DRAW_NORMAL, 0, 1e-40 },
	{ KB_DRAW_INTEGERS, 0, 2 },
	{ KB_DRAW_INTEGERS, 0, 1 },
	{ KB_DRAW_INTEGERS, 0, 100 },
	{ KB_DRAW_INTEGERS, -7, 120 },
	{ KB_DRAW_INTEGERS, 0, 256 },
	{ KB_DRAW_INTEGERS, -30000, 30001 },
	{ KB_DRAW_INTEGERS, -2147483648., 2147483647. },
	{ KB_DRAW_INTEGERS, -0x1p63, 0x1p63 },
	{ KB_DRAW_INTEGERS, -0x1p62, 0x1.8p62 },	/* many attempts */
	{ KB_DRAW_INTEGERS, -1024, 0x1p63 },
};

/* The seed and half of the slot are the device's to find, by itself. */
static void hand_over(const struct kb_cuda_random *r,
		      struct kb_random_stream *stream)
{
	struct kb_random_control control = { .slot = stream->slot / 2 };

	memcpy(control.key, stream->seed, sizeof(control.key));
	gpu_write(r->control, &control, sizeof(control));
	memset(stream->seed, 0, sizeof(stream->seed));
	stream->slot -= control.slot;
}

static void check_fill(struct kb_cuda_random *r, enum kb_dtype dtype,
		       const struct kb_draw *draw, uint64_t count,
		       uint64_t first_element)
{
	const size_t size = kb_dtype_size_bytes(dtype);
	struct kb_random_stream stream = {
		.slot = (uint32_t)gpu_random(),
		.tensor = (uint32_t)gpu_random_below(5),
		.first_element = first_element,
	};
	kb_auto(mem) uint8_t *want = kb_xmalloc(count * size + 8);
	kb_auto(mem) uint8_t *got = kb_xmalloc(count * size + 8);

	for (size_t i = 0; i < sizeof(stream.seed); i++)
		stream.seed[i] = (uint8_t)gpu_random();
	memset(want, 0x5a, count * size + 8);
	gpu_write(one.address, want, count * size + 8);
	kb_random_fill(want, dtype, count, draw, &stream);
	if (r->control)
		hand_over(r, &stream);
	must(kb_cuda_random_fill(r, NULL, &(struct kb_cuda_tensor){
					 one.address, dtype, count },
				 draw, &stream, &err), &err);
	gpu_must(gpu_api()->CtxSynchronize());
	gpu_read(got, one.address, count * size + 8);
	if (memcmp(got, want, count * size + 8))
		tap_fail("%s, draw %d from %g to %g, %" PRIu64 " elements "
			 "from %" PRIu64 " on", kb_dtype_name(dtype),
			 draw->kind, draw->low, draw->high, count,
			 first_element);
}

static void check_draws(struct kb_cuda_random *r, uint64_t count,
			uint64_t first_element)
{
	for (uint32_t d = 0; d < DTYPES; d++)
		for (size_t i = 0; i < KB_ARRAY_LEN(draws); i++) {
			const struct kb_draw draw = {
				.kind = draws[i].kind,
				.low = draws[i].low, .high = draws[i].high,
			};

			if (kb_draw_check(&draw, dtype_number(d), NULL) >= 0)
				check_fill(r, dtype_number(d), &draw, count,
					   first_element);
		}
}

static void test_random_numbers_have_the_same_bits_as_on_the_cpu(void)
{
	struct kb_cuda_random r = KB_CUDA_RANDOM_INIT;

	if (!have_gpu())
		return;
	must(kb_cuda_random_open(&r, gpu_api(), &err), &err);
	for (size_t i = 0; i < KB_ARRAY_LEN(sizes); i++)
		check_draws(&r, sizes[i], 0);
	check_draws(&r, 5003, 1024);
	check_draws(&r, 5003, 3072);
	check_draws(&r, 1500, ((uint64_t)1 << 35) - 2048);
	kb_cuda_random_close(&r);
	check(!r.api);
	kb_cuda_random_close(&r);
}

static void test_a_seed_in_device_memory_makes_the_same_bits(void)
{
	struct kb_cuda_random r = KB_CUDA_RANDOM_INIT;

	if (!have_gpu())
		return;
	must(kb_cuda_random_open(&r, gpu_api(), &err), &err);
	r.control = other.address;
	check_draws(&r, 5003, 1024);
	kb_cuda_random_close(&r);
}

/* Two calls of two inputs, made twice: where the second input of the last
 * call belongs is the last of eight addresses. */
static void test_what_is_recorded_goes_on_from_slot_to_slot(void)
{
	enum { CALLS = 4, INPUTS = 2, EACH = 4096 };
	struct {
		struct kb_random_control control;
		uint64_t places[CALLS * INPUTS];
	} table = { .control = { .slot = 0 } };
	struct kb_random_put put = { .input_count = INPUTS };
	struct kb_cuda_random r = KB_CUDA_RANDOM_INIT;
	uint8_t from[CALLS * EACH], got[EACH];

	if (!have_gpu())
		return;
	must(kb_cuda_random_open(&r, gpu_api(), &err), &err);
	r.control = other.address;
	for (uint32_t i = 0; i < CALLS * INPUTS; i++)
		table.places[i] = one.address + (CALLS + i) * EACH + i % 3;
	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (uint8_t)gpu_random();
	gpu_write(r.control, &table, sizeof(table));
	gpu_write(one.address, from, sizeof(from));
	for (uint32_t i = 0; i < CALLS * INPUTS; i++) {
		put.call = i / INPUTS % 2;
		put.input = i % INPUTS;
		put.from = one.address + i % 4 * EACH + i % 2 * 8;
		put.bytes = EACH - 24 - i;
		must(kb_cuda_random_put(&r, NULL, &put, &err), &err);
		if (i == CALLS * INPUTS / 2 - 1)
			must(kb_cuda_random_advance(&r, NULL, 2, &err), &err);
	}
	gpu_must(gpu_api()->CtxSynchronize());
	for (uint32_t i = 0; i < CALLS * INPUTS; i++) {
		gpu_read(got, table.places[i], EACH - 24 - i);
		check(!memcmp(got, from + i % 4 * EACH + i % 2 * 8,
			      EACH - 24 - i));
	}
	kb_cuda_random_close(&r);
}

static void test_many_random_numbers_have_the_same_bits(void)
{
	const struct kb_draw normal = { KB_DRAW_NORMAL, 0, 1 };
	const struct kb_draw uniform = { KB_DRAW_UNIFORM, -1, 1 };
	struct kb_cuda_random r = KB_CUDA_RANDOM_INIT;

	if (!have_gpu())
		return;
	must(kb_cuda_random_open(&r, gpu_api(), &err), &err);
	check_fill(&r, KB_FLOAT32, &normal, ROOM / 4 - 7, 0);
	check_fill(&r, KB_FLOAT64, &normal, ROOM / 8 - 7, 0);
	check_fill(&r, KB_FLOAT16, &normal, ROOM / 2 - 7, 0);
	check_fill(&r, KB_BFLOAT16, &uniform, ROOM / 2 - 7, 0);
	kb_cuda_random_close(&r);
}

/* --- the rest -------------------------------------------------------- */

static void fill_one(uint64_t end, uint64_t key)
{
	const struct kb_cuda_pattern p = {
		.base = one.address, .end = end, .key = key,
	};

	must(kb_cuda_pattern_fill(gpu, &p, 1, &err), &err);
}

/* A page that is this process's, as the control page is. */
static volatile uint32_t *page_of_words(uint64_t *address)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	check(page != MAP_FAILED);
	must(kb_cuda_page_register(gpu, page, 4096, address, &err), &err);
	return page;
}

static void drop_page(volatile uint32_t *page)
{
	kb_cuda_page_unregister(gpu, (void *)(uintptr_t)page);
	munmap((void *)(uintptr_t)page, 4096);
}

/* Sizes and alignments at which a copy goes by quads, by bytes, by both. */
static void test_a_chain_copies_and_then_opens(void)
{
	static const struct {
		uint64_t to, from, bytes;
	} cases[] = {
		{ 0, 0, 0 },
		{ 0, 0, 1 },
		{ 0, 0, 16 },
		{ 0, 16, 4096 + 15 },
		{ 3, 16, 1000 },
		{ 16, 5, 1000 },
		{ 32, 64, 1 << 20 },
	};
	uint64_t address;
	volatile uint32_t *words;

	if (!have_gpu())
		return;
	words = page_of_words(&address);
	for (uint32_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const struct kb_cuda_copy copy = {
			other.address + cases[i].to,
			one.address + cases[i].from, cases[i].bytes,
		};
		const struct kb_cuda_copy same = {
			copy.to, copy.from, copy.bytes,
		};
		uint64_t differing = 1;

		fill_one(2 << 20, i + 1);
		must(kb_cuda_chain_prepare(
			     gpu, &(struct kb_cuda_chain_plan){
				.copies = &copy, .copy_count = 1 }, &err),
		     &err);
		must(kb_cuda_chain_submit(
			     gpu, (const struct kb_cuda_write[]){
				{ address + 4, 7 }, { address + 8, i + 5 } },
			     2, &err), &err);
		must(kb_cuda_mark_submit(gpu, false, &err), &err);
		kb_cuda_mark_begin(gpu);
		must(kb_cuda_mark_await(gpu, &err), &err);
		check_int(words[1], 7);
		check_int(words[2], i + 5);
		must(kb_cuda_differ(gpu, &same, 1, &differing, &err), &err);
		check_int((intmax_t)differing, 0);
	}
	drop_page(words);
}

static void test_a_chain_of_many_copies_is_made_whole(void)
{
	enum { MANY_COPIES = 3000, EACH = 48 };
	kb_auto(mem) struct kb_cuda_copy *copies =
		kb_xcalloc(MANY_COPIES, sizeof(*copies));
	kb_auto(mem) uint64_t *differing =
		kb_xcalloc(MANY_COPIES, sizeof(*differing));
	const struct kb_cuda_chain_plan plan = {
		.copies = copies, .copy_count = MANY_COPIES,
	};
	uint64_t address;
	volatile uint32_t *words;

	if (!have_gpu())
		return;
	words = page_of_words(&address);
	for (size_t i = 0; i < MANY_COPIES; i++)
		copies[i] = (struct kb_cuda_copy){
			other.address + i * EACH,
			one.address + (MANY_COPIES - 1 - i) * EACH, EACH,
		};
	fill_one(MANY_COPIES * EACH, 77);
	must(kb_cuda_chain_prepare(gpu, &plan, &err), &err);
	must(kb_cuda_chain_submit(
		     gpu, &(struct kb_cuda_write){ address, 1 }, 1, &err),
	     &err);
	must(kb_cuda_differ(gpu, copies, MANY_COPIES, differing, &err), &err);
	for (size_t i = 0; i < MANY_COPIES; i++)
		check_int((intmax_t)differing[i], 0);
	drop_page(words);
}

static void test_a_chain_has_a_cost(void)
{
	struct kb_cuda_copy copy;
	const struct kb_cuda_chain_plan plan = {
		.copies = &copy, .copy_count = 1,
	};
	int64_t cost_ns = -1;

	if (!have_gpu())
		return;
	copy = (struct kb_cuda_copy){ other.address, one.address, 1 << 20 };
	must(kb_cuda_chain_prepare(gpu, &plan, &err), &err);
	must(kb_cuda_chain_cost(gpu, &cost_ns, &err), &err);
	check(cost_ns > 0);
	check(cost_ns < INT64_C(1000000000));
}

/* Each span has other words afterwards, at most so many, and all of them
 * inside it. */
static void test_a_chain_writes_to_random_places_of_spans(void)
{
	static const uint64_t bytes[] = { 0, 3, 4, 64, 4099, 65536 };
	enum { EACH = 1 << 17 };
	const struct kb_cuda_span scratch = gpu ? kb_cuda_scratch(gpu) :
		(struct kb_cuda_span){ 0, 0 };

	if (!have_gpu())
		return;
	check(scratch.bytes > 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(bytes); i++) {
		const struct kb_cuda_span span = { one.address + EACH + 1,
						   bytes[i] };
		const struct kb_cuda_chain_plan plan = {
			.spans = &span, .span_count = 1,
		};
		const struct kb_cuda_pattern around[] = {
			{ one.address, 0, EACH + 1, 5 },
			{ one.address, EACH + 1, EACH + 1 + bytes[i], 5 },
			{ one.address, EACH + 1 + bytes[i], 3 * EACH, 5 },
		};
		uint64_t damaged[3];
		int64_t cost_ns;

		fill_one(3 * EACH, 5);
		must(kb_cuda_chain_prepare(gpu, &plan, &err), &err);
		must(kb_cuda_chain_cost(gpu, &cost_ns, &err), &err);
		must(kb_cuda_pattern_check(gpu, around, 3, damaged, &err),
		     &err);
		check_int((intmax_t)damaged[0], 0);
		check_int((intmax_t)damaged[2], 0);
		check(damaged[1] <= 4 * KB_CUDA_SCATTER_WORDS);
		check_int(damaged[1] > 0, bytes[i] >= 7);
	}
}

/* What is behind a mark that holds runs when it is let go. */
static void test_a_mark_is_seen_and_let_go(void)
{
	if (!have_gpu())
		return;
	for (int i = 0; i < 100; i++) {
		must(kb_cuda_mark_submit(gpu, i % 2, &err), &err);
		kb_cuda_mark_begin(gpu);
		must(kb_cuda_mark_await(gpu, &err), &err);
		kb_cuda_mark_release(gpu);
	}
	fill_one(4096, 3);
}

static void test_a_device_is_closed_and_opened_again(void)
{
	const char *why;

	if (!have_gpu())
		return;
	kb_cuda_memory_free(gpu, &one);
	kb_cuda_memory_free(gpu, &other);
	kb_cuda_close(gpu);
	gpu = gpu_open(&why);
	check(gpu != NULL);
	must(kb_cuda_mark_submit(gpu, false, &err), &err);
	kb_cuda_mark_begin(gpu);
	must(kb_cuda_mark_await(gpu, &err), &err);
	kb_cuda_close(gpu);
	kb_cuda_close(NULL);
}

TAP_MAIN(
	TAP(test_the_driver_describes_the_device),
	TAP(test_there_is_no_thousandth_device),
	TAP(test_more_memory_than_there_is_is_refused),
	TAP(test_memory_is_whole_pages_and_closed_by_exec),
	TAP(test_a_shared_descriptor_is_the_same_memory),
	TAP(test_copies_are_made_all_at_once),
	TAP(test_patterns_have_the_same_bytes_as_on_the_cpu),
	TAP(test_many_patterns_are_checked_one_by_one),
	TAP(test_every_byte_that_differs_is_counted),
	TAP(test_random_numbers_have_the_same_bits_as_on_the_cpu),
	TAP(test_a_seed_in_device_memory_makes_the_same_bits),
	TAP(test_what_is_recorded_goes_on_from_slot_to_slot),
	TAP(test_many_random_numbers_have_the_same_bits),
	TAP(test_a_chain_copies_and_then_opens),
	TAP(test_a_chain_of_many_copies_is_made_whole),
	TAP(test_a_chain_has_a_cost),
	TAP(test_a_chain_writes_to_random_places_of_spans),
	TAP(test_a_mark_is_seen_and_let_go),
	TAP(test_a_device_is_closed_and_opened_again)
);
