/*
 * device DIRECTORY COMMAND [ARGUMENT...]: run COMMAND on a machine with a
 * GPU that is this process. DIRECTORY holds libcuda.so.1 and becomes the
 * first entry of LD_LIBRARY_PATH; the status is that of COMMAND.
 *
 * There is one thread. It takes requests (wire.h), each of which is a
 * change of the memory map, or goes into a stream's queue, or has to wait
 * for queues; and it takes from each queue what can be done. So kernels run
 * one after the other, while a stream that waits holds up nobody else.
 *
 * Not like a GPU: there is no speed and no cache; one process's kernels can
 * reach another's memory, if they guess where that is; a copy stays within
 * one mapping; of registered host memory the device reaches only the words
 * that streams wait for and write; copies from ordinary memory never wait
 * for the device; and there are no events, graphs, priorities or per-thread
 * streams, nor any function that base/cuda_api.h does not name.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "fake-cuda/kernels.h"
#include "fake-cuda/wire.h"

#define CLIENTS_MAX 64
#define QUEUE_MAX 1024			/* then launches wait, as on a GPU */
#define MEMORY_MIB 2048
#define LOOK_NS 20000			/* at words that streams wait for */

/* How a request ends if not with an enum fake_error: not yet. */
#define LATER (-1)

static int64_t (*const kernels[])(const void *, unsigned, unsigned,
				  unsigned) = {
#define ENTRY(name, type, blocks) fake_run_##name,
	FAKE_KERNELS(ENTRY)
#undef ENTRY
};

#define FITS(name, type, blocks)					\
	_Static_assert(sizeof(type) <= FAKE_ARGUMENT_BYTES, #name);
FAKE_KERNELS(FITS)
#undef FITS

struct allocation {
	int fd;				/* a memory file; its only name */
	ino_t inode;
	uint64_t bytes;
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

/* What is queued. */
struct item {
	struct fake_request r;
	uint64_t order;			/* among all items of its client */
	int64_t busy_until_ns;		/* of a kernel that has run; or 0 */
	void *data;			/* of a FAKE_COPY_IN */
	struct item *next;
};

struct stream {
	uint32_t number;
	bool non_blocking;
	bool ended;			/* goes when it is empty */
	unsigned count;
	struct item *first, **end;
	struct stream *next;
};

struct client {
	int fd;
	pid_t pid;
	int32_t error;			/* sticky */
	unsigned char *stage;
	struct thing *things;
	struct stream *streams;		/* the legacy stream is in it */
	struct fake_request r;		/* being answered, if it is `held` */
	bool held;
	int r_fd;
};

static struct client *clients[CLIENTS_MAX];
static struct allocation *allocations;
static uint64_t limit_bytes, used_bytes;
static uint64_t next_address = FAKE_ARENA, next_number = 1;

static sigjmp_buf fault;
static volatile sig_atomic_t guarded;

static void on_fault(int sig)
{
	if (guarded)
		siglongjmp(fault, 1);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void *host(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/* --- allocations and things ------------------------------------------ */

/* NULL if there is no more; the host's memory is not counted. */
static struct allocation *new_allocation(uint64_t bytes, bool counted)
{
	struct allocation *a;
	struct stat st;
	int fd;

	if (counted && bytes > limit_bytes - used_bytes)
		return NULL;
	fd = memfd_create("fake-cuda", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0 || fstat(fd, &st) < 0)
		KB_BUG("cannot make a memory file");
	a = kb_xcalloc(1, sizeof(*a));
	*a = (struct allocation){
		.fd = fd, .inode = st.st_ino, .bytes = bytes,
		.counted = counted, .next = allocations,
	};
	allocations = a;
	used_bytes += counted ? bytes : 0;
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
	used_bytes -= a->counted ? a->bytes : 0;
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

/* Does the device itself see these bytes? */
static bool sees(const struct client *c, uint64_t at, uint64_t bytes)
{
	const struct thing *t = around(c, false, at, bytes);

	return t && t->kind != REGISTERED;
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
	a = new_allocation(bytes, true);
	if (!a)
		return FAKE_OUT_OF_MEMORY;
	reply->address = add(c, HANDLE, next_number++, bytes, a)->at;
	return FAKE_OK;
}

static int import(struct client *c, struct fake_reply *reply)
{
	struct allocation *a = allocations;
	struct stat st;

	if (c->r_fd < 0 || fstat(c->r_fd, &st) < 0)
		return FAKE_INVALID_VALUE;
	while (a && a->inode != st.st_ino)
		a = a->next;
	if (!a)
		return FAKE_INVALID_VALUE;
	reply->address = add(c, HANDLE, next_number++, a->bytes, a)->at;
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
	a = new_allocation(bytes, kind == ALLOCATED);
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

/* A word of a client's own memory: a GPU's access to the host's. It works
 * while the client is stopped. */
static bool move_word(const struct client *c, uint64_t at, uint32_t *word,
		      bool store)
{
	struct iovec ours = { .iov_base = word, .iov_len = sizeof(*word) };
	struct iovec theirs = {
		.iov_base = host(at), .iov_len = sizeof(*word),
	};
	ssize_t n;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	n = store ? process_vm_writev(c->pid, &ours, 1, &theirs, 1, 0)
		  : process_vm_readv(c->pid, &ours, 1, &theirs, 1, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return n == sizeof(*word);
}

static int register_memory(struct client *c)
{
	const uint64_t at = c->r.address, bytes = c->r.bytes;
	uint32_t word;

	if (!at || !bytes)
		return FAKE_INVALID_VALUE;
	for (const struct thing *t = c->things; t; t = t->next)
		if (t->kind == REGISTERED && at < t->at + t->bytes &&
		    t->at < at + bytes)
			return FAKE_ALREADY_REGISTERED;
	if (bytes >= sizeof(word) && !move_word(c, at, &word, false))
		return errno == EPERM ? FAKE_NOT_SUPPORTED
				      : FAKE_INVALID_VALUE;
	add(c, REGISTERED, at, bytes, NULL);
	return FAKE_OK;
}

/* --- streams --------------------------------------------------------- */

static struct stream *find_stream(const struct client *c, uint32_t number)
{
	struct stream *s = c->streams;

	while (s && (s->number != number || s->ended))
		s = s->next;
	return s;
}

static struct stream *new_stream(struct client *c, uint32_t number,
				 bool non_blocking)
{
	struct stream *s = kb_xcalloc(1, sizeof(*s));

	*s = (struct stream){
		.number = number, .non_blocking = non_blocking,
		.next = c->streams,
	};
	s->end = &s->first;
	c->streams = s;
	return s;
}

static void remove_first(struct stream *s)
{
	struct item *i = s->first;

	s->first = i->next;
	if (!s->first)
		s->end = &s->first;
	s->count--;
	free(i->data);
	free(i);
}

static void remove_ended(struct client *c)
{
	for (struct stream **p = &c->streams; *p;) {
		struct stream *s = *p;

		if (!s->ended || s->first) {
			p = &s->next;
			continue;
		}
		*p = s->next;
		free(s);
	}
}

static bool is_idle(const struct client *c)
{
	for (const struct stream *s = c->streams; s; s = s->next)
		if (s->first)
			return false;
	return true;
}

/* The context is lost: nothing that was queued will happen. */
static void lose(struct client *c, int32_t error)
{
	c->error = error;
	for (struct stream *s = c->streams; s; s = s->next)
		while (s->first)
			remove_first(s);
}

/* May all the addresses of an item be used? Kernels find out when they
 * run. */
static bool is_sound(const struct client *c, const struct fake_request *r)
{
	switch (r->op) {
	case FAKE_WAIT_VALUE:
	case FAKE_WRITE_VALUE:
		return around(c, false, r->address, sizeof(uint32_t));
	case FAKE_COPY:
		return sees(c, r->address, r->bytes) &&
		       sees(c, r->from, r->bytes);
	case FAKE_COPY_IN:
		return sees(c, r->address, r->bytes);
	case FAKE_COPY_OUT:
		return sees(c, r->from, r->bytes);
	case FAKE_LAUNCH:
		return r->value < KB_ARRAY_LEN(kernels);
	default:
		return true;
	}
}

static int enqueue(struct client *c)
{
	struct stream *s = find_stream(c, c->r.stream);
	struct item *i;

	if (!s)
		return FAKE_INVALID_HANDLE;
	if (!is_sound(c, &c->r))
		return FAKE_INVALID_VALUE;
	if (s->count >= QUEUE_MAX)
		return LATER;
	i = kb_xcalloc(1, sizeof(*i));
	i->r = c->r;
	i->order = next_number++;
	if (c->r.op == FAKE_COPY_IN) {
		i->data = kb_xmalloc(c->r.bytes);
		memcpy(i->data, c->stage, c->r.bytes);
	}
	*s->end = i;
	s->end = &i->next;
	s->count++;
	return FAKE_OK;
}

static int synchronize(const struct client *c)
{
	const struct stream *s = find_stream(c, c->r.stream);

	if (!s)
		return FAKE_INVALID_HANDLE;
	return s->first ? LATER : FAKE_OK;
}

/* Queued when it is asked for, answered when it is done. */
static int copy_out(struct client *c)
{
	int ret = c->held ? FAKE_OK : enqueue(c);

	return ret == FAKE_OK ? synchronize(c) : ret;
}

/* --- what is queued -------------------------------------------------- */

static bool is_registered(const struct client *c, uint64_t at)
{
	const struct thing *t = around(c, false, at, sizeof(uint32_t));

	return t && t->kind == REGISTERED;
}

static uint32_t load_word(const struct client *c, uint64_t at)
{
	uint32_t word = 0;

	if (!is_registered(c, at))
		return __atomic_load_n((uint32_t *)host(at),
				       __ATOMIC_ACQUIRE);
	if (!move_word(c, at, &word, false))
		siglongjmp(fault, 1);
	return word;
}

static void store_word(const struct client *c, uint64_t at, uint32_t word)
{
	if (!is_registered(c, at))
		__atomic_store_n((uint32_t *)host(at), word, __ATOMIC_RELEASE);
	else if (!move_word(c, at, &word, true))
		siglongjmp(fault, 1);
}

/* True when it is over; a kernel may have run and still be busy. */
static bool run_kernel(struct item *i)
{
	const struct fake_request *r = &i->r;

	if (!i->busy_until_ns) {
		int64_t start_ns = kb_clock_ns();
		int64_t busy_ns = kernels[r->value](r->argument, r->grid[0],
						    r->grid[1], r->block[0]);

		if (!busy_ns)
			return true;
		i->busy_until_ns = busy_ns > INT64_MAX - start_ns ?
			INT64_MAX : start_ns + busy_ns;
	}
	return kb_clock_ns() >= i->busy_until_ns;
}

static bool run(struct client *c, struct item *i)
{
	const struct fake_request *r = &i->r;

	switch (r->op) {
	case FAKE_WAIT_VALUE:
		return (int32_t)(load_word(c, r->address) -
				 (uint32_t)r->value) >= 0;
	case FAKE_WRITE_VALUE:
		store_word(c, r->address, (uint32_t)r->value);
		return true;
	case FAKE_COPY:
		memmove(host(r->address), host(r->from), r->bytes);
		return true;
	case FAKE_COPY_IN:
		memcpy(host(r->address), i->data, r->bytes);
		return true;
	case FAKE_COPY_OUT:
		memcpy(c->stage, host(r->from), r->bytes);
		return true;
	default:
		return run_kernel(i);
	}
}

/* The legacy stream and blocking streams wait for what was queued in the
 * other before. */
static bool is_next(const struct client *c, const struct stream *s)
{
	for (const struct stream *other = c->streams; other;
	     other = other->next)
		if (other != s && other->first && !other->non_blocking &&
		    !s->non_blocking && (!other->number || !s->number) &&
		    other->first->order < s->first->order)
			return false;
	return true;
}

/* Do what is first in a queue. True if it is over. */
static bool advance(struct client *c, struct stream *s)
{
	bool over = false;

	if (!s->first || !is_next(c, s))
		return false;
	if (!sigsetjmp(fault, 1)) {
		guarded = 1;
		over = run(c, s->first);
		guarded = 0;
	} else {
		guarded = 0;
		lose(c, FAKE_ILLEGAL_ADDRESS);
		return true;
	}
	if (over)
		remove_first(s);
	return over;
}

static bool advance_all(void)
{
	bool any = false;

	for (size_t k = 0; k < CLIENTS_MAX; k++) {
		struct client *c = clients[k];

		for (struct stream *s = c ? c->streams : NULL; s; s = s->next)
			any |= advance(c, s);
		if (c)
			remove_ended(c);
	}
	return any;
}

/* --- requests -------------------------------------------------------- */

static int init(struct client *c, int *fd)
{
	if (c->stage)
		return FAKE_INVALID_VALUE;
	*fd = memfd_create("fake-cuda-stage", MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, FAKE_STAGE_BYTES) < 0)
		KB_BUG("cannot make a memory file");
	c->stage = mmap(NULL, FAKE_STAGE_BYTES, PROT_READ | PROT_WRITE,
			MAP_SHARED, *fd, 0);
	if (c->stage == MAP_FAILED)
		KB_BUG("cannot map memory");
	new_stream(c, 0, false);
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

static int end_stream(struct client *c)
{
	struct stream *s = c->r.stream ? find_stream(c, c->r.stream) : NULL;

	if (!s)
		return FAKE_INVALID_HANDLE;
	s->ended = true;
	return FAKE_OK;
}

static int answer(struct client *c, struct fake_reply *reply, int *fd)
{
	switch (c->r.op) {
	case FAKE_INIT:
		return init(c, fd);
	case FAKE_MEMORY:
		reply->address = limit_bytes - used_bytes;
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
		return is_idle(c) ? give_back(c, ALLOCATED, 0,
					      FAKE_INVALID_VALUE) : LATER;
	case FAKE_HOST_ALLOCATE:
		return allocate(c, PINNED, reply, fd);
	case FAKE_HOST_FREE:
		if (find(c, PINNED, c->r.address))
			reply->bytes = find(c, PINNED, c->r.address)->bytes;
		return is_idle(c) ? give_back(c, PINNED, 0,
					      FAKE_INVALID_VALUE) : LATER;
	case FAKE_REGISTER:
		return register_memory(c);
	case FAKE_UNREGISTER:
		return give_back(c, REGISTERED, 0, FAKE_NOT_REGISTERED);
	case FAKE_FIND_REGISTERED:
		return find(c, REGISTERED, c->r.address) ||
		       find(c, PINNED, c->r.address) ? FAKE_OK
						     : FAKE_INVALID_VALUE;
	case FAKE_STREAM_NEW:
		reply->address = new_stream(c, (uint32_t)next_number++,
					    c->r.value)->number;
		return FAKE_OK;
	case FAKE_STREAM_END:
		return end_stream(c);
	case FAKE_SYNCHRONIZE:
		return synchronize(c);
	case FAKE_SYNCHRONIZE_ALL:
		return is_idle(c) ? FAKE_OK : LATER;
	case FAKE_COPY_OUT:
		return copy_out(c);
	default:
		return enqueue(c);
	}
}

static void send_reply(const struct client *c, const struct fake_reply *reply,
		       int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { .bytes = { 0 } };
	struct fake_reply copy = *reply;
	struct iovec iov = { .iov_base = &copy, .iov_len = sizeof(copy) };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *h = &control.align;

		m.msg_control = control.bytes;
		m.msg_controllen = sizeof(control.bytes);
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(h), &fd, sizeof(fd));
	}
	/* A client that is gone is found out by poll(). */
	(void)sendmsg(c->fd, &m, MSG_NOSIGNAL);
}

/* Answer, unless that has to wait. */
static void try_answer(struct client *c)
{
	struct fake_reply reply = { .result = c->error };
	int fd = -1;

	if (!reply.result)
		reply.result = answer(c, &reply, &fd);
	c->held = reply.result == LATER;
	if (c->held)
		return;
	send_reply(c, &reply, fd);
	if (c->r.op == FAKE_INIT && fd >= 0)
		close(fd);
	if (c->r_fd >= 0)
		close(c->r_fd);
	c->r_fd = -1;
}

/* --- clients --------------------------------------------------------- */

static void accept_client(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct ucred who;
	socklen_t len = sizeof(who);
	size_t k = 0;

	while (k < CLIENTS_MAX && clients[k])
		k++;
	if (fd < 0 || k == CLIENTS_MAX ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) < 0)
		KB_BUG("cannot take one more client");
	clients[k] = kb_xcalloc(1, sizeof(*clients[k]));
	*clients[k] = (struct client){ .fd = fd, .pid = who.pid, .r_fd = -1 };
}

static void remove_client(size_t k)
{
	struct client *c = clients[k];

	lose(c, FAKE_UNKNOWN);
	for (struct stream *s = c->streams; s; s = s->next)
		s->ended = true;
	remove_ended(c);
	while (c->things)
		drop(c, c->things);
	if (c->stage)
		munmap(c->stage, FAKE_STAGE_BYTES);
	if (c->r_fd >= 0)
		close(c->r_fd);
	close(c->fd);
	free(c);
	clients[k] = NULL;
}

/* False when the client is gone. */
static bool take_request(struct client *c)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = &c->r, .iov_len = sizeof(c->r) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};

	if (recvmsg(c->fd, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) !=
	    sizeof(c->r))
		return false;
	if (CMSG_FIRSTHDR(&m))
		memcpy(&c->r_fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(int));
	try_answer(c);
	return true;
}

static bool any_queued(void)
{
	for (size_t k = 0; k < CLIENTS_MAX; k++)
		if (clients[k] && !is_idle(clients[k]))
			return true;
	return false;
}

/* --- the machine ----------------------------------------------------- */

static int listen_in(const char *directory)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s",
		 directory, FAKE_SOCKET);
	unlink(address.sun_path);
	/* Workers are another user's. */
	if (fd < 0 ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
	    chmod(address.sun_path, 0666) < 0 || listen(fd, CLIENTS_MAX) < 0) {
		perror(address.sun_path);
		exit(4);
	}
	return fd;
}

static pid_t start(const char *directory, char **argv)
{
	const char *had = getenv("LD_LIBRARY_PATH");
	char *path = had ? kb_xasprintf("%s:%s", directory, had)
			 : kb_xasprintf("%s", directory);
	pid_t pid = fork();

	if (!pid) {
		sigset_t none;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		setenv("LD_LIBRARY_PATH", path, 1);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	free(path);
	return pid;
}

/* One round; false when the command has ended. */
static bool serve(int listener, int signals, bool busy)
{
	const struct timespec pause = { .tv_nsec = busy ? 0 : LOOK_NS };
	struct pollfd fds[CLIENTS_MAX + 2];

	fds[0] = (struct pollfd){ .fd = listener, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = signals, .events = POLLIN };
	/* A client whose request is held is only asked whether it lives. */
	for (size_t k = 0; k < CLIENTS_MAX; k++)
		fds[k + 2] = (struct pollfd){
			.fd = clients[k] ? clients[k]->fd : -1,
			.events = clients[k] && !clients[k]->held ? POLLIN : 0,
		};
	if (ppoll(fds, CLIENTS_MAX + 2, any_queued() ? &pause : NULL, NULL) <
	    0 && errno != EINTR)
		KB_BUG("cannot wait");
	for (size_t k = 0; k < CLIENTS_MAX; k++)
		if (fds[k + 2].revents && !take_request(clients[k]))
			remove_client(k);
	if (fds[0].revents)
		accept_client(listener);
	return !fds[1].revents;
}

int main(int argc, char **argv)
{
	const char *mib = getenv("KB_FAKE_CUDA_MEMORY_MIB");
	struct sigaction action = { .sa_handler = on_fault };
	int listener, signals, status;
	bool busy = false;
	sigset_t child;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: device DIRECTORY COMMAND [ARGUMENT...]\n");
		return 4;
	}
	limit_bytes = (mib ? strtoull(mib, NULL, 10) : MEMORY_MIB) << 20;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	prctl(PR_SET_TIMERSLACK, 1);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	signals = signalfd(-1, &child, SFD_CLOEXEC);
	listener = listen_in(argv[1]);
	pid = start(argv[1], argv + 2);

	while (serve(listener, signals, busy)) {
		busy = advance_all();
		for (size_t k = 0; k < CLIENTS_MAX; k++)
			if (clients[k] && clients[k]->held)
				try_answer(clients[k]);
	}
	if (waitpid(pid, &status, 0) != pid)
		return 4;
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : 128 + WTERMSIG(status);
}
