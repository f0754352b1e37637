/* The device's memory: what there is, and who has what of it. */

#include "fake-cuda/device.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"

struct allocation {
	int fd;				/* a memory file; its only name */
	ino_t inode;
	uint64_t bytes;
	unsigned gpu;
	bool counted;
	unsigned uses;			/* handles and mappings */
	struct allocation *next;
};

/* What a client has of the device. */
struct thing {
	enum kind {
		HANDLE,			/* `at` is its number */
		RESERVED,
		MAPPED,			/* in a reserved range */
		ALLOCATED,
		PINNED,			/* host memory that we both map */
		REGISTERED,		/* host memory of its own */
	} kind;
	uint64_t at, bytes;
	struct allocation *a;		/* used once, or NULL */
	struct thing *next;
};

static struct allocation *allocations;
static uint64_t limit_bytes, used_bytes[FAKE_GPUS_MAX];	/* of each GPU */

/* What a client of the driver that had so much does not give back, and until
 * when: 0 is for ever. */
static uint64_t leak_bytes, leaked_bytes;
static unsigned leaked_gpu;
static int64_t leak_ns, leaked_until_ns;
static uint64_t next_address = FAKE_ARENA, next_number = 1;

void memory_limit(uint64_t bytes)
{
	limit_bytes = bytes;
}

void memory_leak(uint64_t bytes, int64_t for_ns)
{
	leak_bytes = bytes;
	leak_ns = for_ns;
}

static void leak(const struct client *c)
{
	uint64_t had = 0;

	for (const struct thing *t = c->things; t; t = t->next)
		had += t->kind == ALLOCATED ? t->bytes : 0;
	if (!leak_bytes || leaked_bytes || had < leak_bytes)
		return;
	leaked_bytes = leak_bytes;
	leaked_gpu = c->gpu;
	used_bytes[leaked_gpu] += leak_bytes;
	leaked_until_ns = leak_ns ? kb_clock_ns() + leak_ns : INT64_MAX;
}

static void end_leak(void)
{
	if (!leaked_bytes || kb_clock_ns() < leaked_until_ns)
		return;
	used_bytes[leaked_gpu] -= leaked_bytes;
	leaked_bytes = leak_bytes = 0;
}

uint64_t memory_number(void)
{
	return next_number++;
}

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/* --- allocations and things ------------------------------------------ */

/* NULL if there is no more; the host's memory is not counted. */
static struct allocation *new_allocation(unsigned gpu, uint64_t bytes,
					 bool counted)
{
	struct allocation *a;
	struct stat st;
	int fd;

	if (counted && bytes > limit_bytes - used_bytes[gpu])
		return NULL;
	fd = memfd_create("fake-cuda", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0 || fstat(fd, &st) < 0)
		KB_BUG("cannot make a memory file");
	a = kb_xcalloc(1, sizeof(*a));
	*a = (struct allocation){
		.fd = fd, .inode = st.st_ino, .bytes = bytes, .gpu = gpu,
		.counted = counted, .next = allocations,
	};
	allocations = a;
	used_bytes[gpu] += counted ? bytes : 0;
	return a;
}

static void put_allocation(struct allocation *a)
{
	struct allocation **p = &allocations;

	if (!a || --a->uses)
		return;
	while (*p != a)
		p = &(*p)->next;
	*p = a->next;
	used_bytes[a->gpu] -= a->counted ? a->bytes : 0;
	close(a->fd);
	free(a);
}

static struct thing *add(struct client *c, enum kind kind, uint64_t at,
			 uint64_t bytes, struct allocation *a)
{
	struct thing *t = kb_xcalloc(1, sizeof(*t));

	*t = (struct thing){
		.kind = kind, .at = at, .bytes = bytes, .a = a,
		.next = c->things,
	};
	c->things = t;
	if (a)
		a->uses++;
	return t;
}

static void drop(struct client *c, struct thing *t)
{
	struct thing **p = &c->things;

	while (*p != t)
		p = &(*p)->next;
	*p = t->next;
	if (t->kind == MAPPED || t->kind == ALLOCATED || t->kind == PINNED)
		munmap(host(t->at), t->bytes);
	put_allocation(t->a);
	free(t);
}

static struct thing *find(const struct client *c, enum kind kind, uint64_t at)
{
	struct thing *t = c->things;

	while (t && (t->kind != kind || t->at != at))
		t = t->next;
	return t;
}

/* What of the client's lies around these bytes, RESERVED or not. */
static struct thing *around(const struct client *c, bool reserved,
			    uint64_t at, uint64_t bytes)
{
	struct thing *t = c->things;

	while (t && (t->kind == HANDLE || (t->kind == RESERVED) != reserved ||
		     at < t->at || at - t->at > t->bytes ||
		     bytes > t->bytes - (at - t->at)))
		t = t->next;
	return t;
}

bool memory_has(const struct client *c, uint64_t at, uint64_t bytes)
{
	return around(c, false, at, bytes);
}

bool memory_sees(const struct client *c, uint64_t at, uint64_t bytes)
{
	const struct thing *t = around(c, false, at, bytes);

	return t && t->kind != REGISTERED;
}

bool memory_is_registered(const struct client *c, uint64_t at)
{
	const struct thing *t = around(c, false, at, sizeof(uint32_t));

	return t && t->kind == REGISTERED;
}

/* A part of the arena that nobody ever had. Behind it is a gap, so that
 * running over the end is a fault. */
static uint64_t new_range(uint64_t bytes)
{
	uint64_t at = next_address;

	next_address += round_up(bytes, FAKE_GRANULARITY_BYTES) +
			FAKE_GRANULARITY_BYTES;
	if (next_address > FAKE_ARENA + FAKE_ARENA_BYTES)
		KB_BUG("out of addresses");
	return at;
}

static void map(uint64_t at, uint64_t bytes, int protection,
		const struct allocation *a, uint64_t offset)
{
	if (mmap(host(at), bytes, protection,
		 MAP_SHARED | MAP_FIXED_NOREPLACE, a->fd, (off_t)offset) ==
	    MAP_FAILED)
		KB_BUG("cannot map memory");
}

/* --- requests about memory ------------------------------------------- */

static int create(struct client *c, struct fake_reply *reply)
{
	const uint64_t bytes = c->r.bytes;
	struct allocation *a;

	if (!bytes || bytes % FAKE_GRANULARITY_BYTES)
		return FAKE_INVALID_VALUE;
	a = new_allocation(c->gpu, bytes, true);
	if (!a)
		return FAKE_OUT_OF_MEMORY;
	reply->address = add(c, HANDLE, memory_number(), bytes, a)->at;
	return FAKE_OK;
}

static int import(struct client *c, struct fake_reply *reply)
{
	struct allocation *a = allocations;

	while (a && a->inode != c->r.value)
		a = a->next;
	if (!a)
		return FAKE_INVALID_VALUE;
	reply->address = add(c, HANDLE, memory_number(), a->bytes, a)->at;
	return FAKE_OK;
}

/* Memory of cuMemAlloc() or cuMemHostAlloc(). */
static int allocate(struct client *c, enum kind kind, struct fake_reply *reply,
		    int *fd)
{
	const uint64_t bytes = round_up(c->r.bytes, 4096);
	struct allocation *a;

	if (!bytes || bytes < c->r.bytes)
		return FAKE_INVALID_VALUE;
	a = new_allocation(c->gpu, bytes, kind == ALLOCATED);
	if (!a)
		return FAKE_OUT_OF_MEMORY;
	reply->address = new_range(bytes);
	reply->bytes = bytes;
	map(reply->address, bytes, PROT_READ | PROT_WRITE, a, 0);
	add(c, kind, reply->address, bytes, a);
	*fd = a->fd;
	return FAKE_OK;
}

static int map_handle(struct client *c)
{
	const struct fake_request *r = &c->r;
	const struct thing *t = find(c, HANDLE, r->value);

	if (!t || !r->bytes || r->bytes % FAKE_GRANULARITY_BYTES ||
	    r->from > t->a->bytes || r->bytes > t->a->bytes - r->from ||
	    !around(c, true, r->address, r->bytes))
		return FAKE_INVALID_VALUE;
	for (const struct thing *m = c->things; m; m = m->next)
		if (m->kind == MAPPED && r->address < m->at + m->bytes &&
		    m->at < r->address + r->bytes)
			return FAKE_INVALID_VALUE;
	map(r->address, r->bytes, PROT_NONE, t->a, r->from);
	add(c, MAPPED, r->address, r->bytes, t->a);
	return FAKE_OK;
}

static int allow(struct client *c)
{
	const struct thing *t = around(c, false, c->r.address, c->r.bytes);

	if (!t || t->kind != MAPPED)
		return FAKE_INVALID_VALUE;
	return mprotect(host(c->r.address), c->r.bytes,
			PROT_READ | PROT_WRITE) < 0 ? FAKE_INVALID_VALUE
						    : FAKE_OK;
}

/* Give back one thing of a kind; its size must be `bytes`, if that is
 * known. */
static int give_back(struct client *c, enum kind kind, uint64_t bytes,
		     int none)
{
	struct thing *t = find(c, kind, c->r.address);

	if (!t || (bytes && t->bytes != bytes))
		return none;
	drop(c, t);
	return FAKE_OK;
}

static int unreserve(struct client *c)
{
	for (const struct thing *m = c->things; m; m = m->next)
		if (m->kind == MAPPED && m->at >= c->r.address &&
		    m->at < c->r.address + c->r.bytes)
			return FAKE_INVALID_VALUE;
	return give_back(c, RESERVED, c->r.bytes, FAKE_INVALID_VALUE);
}

bool memory_move_word(const struct client *c, uint64_t at, uint32_t *word,
		      bool store)
{
	struct iovec ours = { .iov_base = word, .iov_len = sizeof(*word) };
	struct iovec theirs = {
		.iov_base = host(at), .iov_len = sizeof(*word),
	};
	ssize_t n;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (c->memory_fd >= 0)
		n = store ? pwrite(c->memory_fd, word, sizeof(*word), (off_t)at)
			  : pread(c->memory_fd, word, sizeof(*word), (off_t)at);
	else
		n = store ? process_vm_writev(c->pid, &ours, 1, &theirs, 1, 0)
			  : process_vm_readv(c->pid, &ours, 1, &theirs, 1, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return n == sizeof(*word);
}

static int register_memory(struct client *c)
{
	const uint64_t at = c->r.address, bytes = c->r.bytes;
	uint32_t word;

	if (c->memory_fd < 0) {
		c->memory_fd = c->r_fd;
		c->r_fd = -1;
	}
	if (!at || !bytes)
		return FAKE_INVALID_VALUE;
	for (const struct thing *t = c->things; t; t = t->next)
		if (t->kind == REGISTERED && at < t->at + t->bytes &&
		    t->at < at + bytes)
			return FAKE_ALREADY_REGISTERED;
	if (bytes >= sizeof(word) && !memory_move_word(c, at, &word, false))
		return errno == EPERM ? FAKE_NOT_SUPPORTED
				      : FAKE_INVALID_VALUE;
	add(c, REGISTERED, at, bytes, NULL);
	return FAKE_OK;
}

static int export(const struct client *c, int *fd)
{
	const struct thing *t = find(c, HANDLE, c->r.address);

	if (!t)
		return FAKE_INVALID_VALUE;
	*fd = t->a->fd;
	return FAKE_OK;
}

int memory_answer(struct client *c, struct fake_reply *reply, int *fd)
{
	end_leak();
	switch (c->r.op) {
	case FAKE_USE:
		if (c->r.value >= FAKE_GPUS_MAX)
			return FAKE_INVALID_VALUE;
		c->gpu = (unsigned)c->r.value;
		return FAKE_OK;
	case FAKE_MEMORY:
		reply->address = limit_bytes - used_bytes[c->gpu];
		reply->bytes = limit_bytes;
		return FAKE_OK;
	case FAKE_CREATE:
		return create(c, reply);
	case FAKE_RELEASE:
		return give_back(c, HANDLE, 0, FAKE_INVALID_VALUE);
	case FAKE_EXPORT:
		return export(c, fd);
	case FAKE_IMPORT:
		return import(c, reply);
	case FAKE_RESERVE:
		if (!c->r.bytes || c->r.bytes % FAKE_GRANULARITY_BYTES)
			return FAKE_INVALID_VALUE;
		reply->address = new_range(c->r.bytes);
		add(c, RESERVED, reply->address, c->r.bytes, NULL);
		return FAKE_OK;
	case FAKE_UNRESERVE:
		return unreserve(c);
	case FAKE_MAP:
		return map_handle(c);
	case FAKE_UNMAP:
		return give_back(c, MAPPED, c->r.bytes, FAKE_INVALID_VALUE);
	case FAKE_ALLOW:
		return allow(c);
	case FAKE_ALLOCATE:
		return allocate(c, ALLOCATED, reply, fd);
	case FAKE_FREE:
		return streams_idle(c) ? give_back(c, ALLOCATED, 0,
						   FAKE_INVALID_VALUE) : LATER;
	case FAKE_HOST_ALLOCATE:
		return allocate(c, PINNED, reply, fd);
	case FAKE_HOST_FREE:
		if (find(c, PINNED, c->r.address))
			reply->bytes = find(c, PINNED, c->r.address)->bytes;
		return streams_idle(c) ? give_back(c, PINNED, 0,
						   FAKE_INVALID_VALUE) : LATER;
	case FAKE_REGISTER:
		return register_memory(c);
	case FAKE_UNREGISTER:
		return give_back(c, REGISTERED, 0, FAKE_NOT_REGISTERED);
	case FAKE_FIND_REGISTERED:
		return find(c, REGISTERED, c->r.address) ||
		       find(c, PINNED, c->r.address) ? FAKE_OK
						     : FAKE_INVALID_VALUE;
	default:
		return NOT_ABOUT_MEMORY;
	}
}

void memory_release(struct client *c)
{
	leak(c);
	while (c->things)
		drop(c, c->things);
	if (c->memory_fd >= 0)
		close(c->memory_fd);
}
