/* The device's streams: what is queued, and the doing of it. */

#include "fake-cuda/device.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "fake-cuda/kernels.h"

#define QUEUE_MAX 1024			/* then launches wait, as on a GPU */
#define LOOK_NS 50000			/* at words that streams wait for */

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

/* What is queued. */
struct item {
	struct fake_request r;
	uint64_t order;			/* among all items of its client */
	int64_t busy_ns;		/* of a kernel that has run, or 0 */
	int64_t busy_until_ns;		/* then: by the host's clock */
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

struct event {
	uint64_t number;
	int64_t at_ns;			/* worked_ns; 0 until it is recorded */
	uint64_t queued, recorded;	/* how often */
	struct event *next;
};

/*
 * The device's clock: how long it has worked. It counts what each item takes of
 * the processor and how long a kernel says that it is busy, and stands still
 * while the device waits, be it for the host or for a processor: so what is
 * timed by it does not depend on what else the machine does.
 */
static int64_t worked_ns = 1;

static sigjmp_buf fault;
static volatile sig_atomic_t guarded;

static void on_fault(int sig)
{
	if (guarded)
		siglongjmp(fault, 1);
	signal(sig, SIG_DFL);
	raise(sig);
}

void streams_catch_faults(void)
{
	struct sigaction action = { .sa_handler = on_fault };

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

/* --- events ---------------------------------------------------------- */

static struct event *find_event(const struct client *c, uint64_t number)
{
	struct event *e = c->events;

	while (e && e->number != number)
		e = e->next;
	return e;
}

static uint64_t new_event(struct client *c)
{
	struct event *e = kb_xcalloc(1, sizeof(*e));

	*e = (struct event){ .number = memory_number(), .next = c->events };
	c->events = e;
	return e->number;
}

static int end_event(struct client *c)
{
	for (struct event **p = &c->events; *p; p = &(*p)->next) {
		struct event *e = *p;

		if (e->number != c->r.address)
			continue;
		*p = e->next;
		free(e);
		return FAKE_OK;
	}
	return FAKE_INVALID_HANDLE;
}

static int elapsed(const struct client *c, uint64_t *ns)
{
	const struct event *start = find_event(c, c->r.from);
	const struct event *end = find_event(c, c->r.address);

	if (!start || !end)
		return FAKE_INVALID_HANDLE;
	if (!start->at_ns || !end->at_ns)
		return FAKE_NOT_READY;
	*ns = (uint64_t)(end->at_ns - start->at_ns);
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

bool streams_idle(const struct client *c)
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
		return memory_has(c, r->address, sizeof(uint32_t));
	case FAKE_COPY:
		return memory_sees(c, r->address, r->bytes) &&
		       memory_sees(c, r->from, r->bytes);
	case FAKE_COPY_IN:
		return memory_sees(c, r->address, r->bytes);
	case FAKE_COPY_OUT:
		return memory_sees(c, r->from, r->bytes);
	case FAKE_LAUNCH:
		return r->value < KB_ARRAY_LEN(kernels);
	case FAKE_RECORD:
	case FAKE_WAIT_EVENT:
		return find_event(c, r->address);
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
	i->order = memory_number();
	if (c->r.op == FAKE_RECORD)
		find_event(c, c->r.address)->queued++;
	/* For what was asked for before, and nothing that comes later. */
	if (c->r.op == FAKE_WAIT_EVENT)
		i->r.value = find_event(c, c->r.address)->queued;
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

static uint32_t load_word(const struct client *c, uint64_t at)
{
	uint32_t word = 0;

	if (!memory_is_registered(c, at))
		return __atomic_load_n((uint32_t *)host(at),
				       __ATOMIC_ACQUIRE);
	if (!memory_move_word(c, at, &word, false))
		siglongjmp(fault, 1);
	return word;
}

static void store_word(const struct client *c, uint64_t at, uint32_t word)
{
	if (!memory_is_registered(c, at))
		__atomic_store_n((uint32_t *)host(at), word, __ATOMIC_RELEASE);
	else if (!memory_move_word(c, at, &word, true))
		siglongjmp(fault, 1);
}

/* True when it is over; a kernel may have run and still be busy. */
static bool run_kernel(struct item *i)
{
	const struct fake_request *r = &i->r;

	if (!i->busy_until_ns) {
		int64_t start_ns = kb_clock_ns();

		i->busy_ns = kernels[r->value](r->argument, r->grid[0],
					       r->grid[1], r->block[0]);
		i->busy_until_ns = i->busy_ns > INT64_MAX - start_ns ?
			INT64_MAX : start_ns + i->busy_ns;
	}
	return kb_clock_ns() >= i->busy_until_ns;
}

/* One that is gone by now is recorded nowhere. */
static void record(const struct client *c, uint64_t number)
{
	struct event *e = find_event(c, number);

	if (e) {
		e->at_ns = worked_ns;
		e->recorded++;
	}
}

static bool is_recorded(const struct client *c, uint64_t number, uint64_t times)
{
	const struct event *e = find_event(c, number);

	return !e || e->recorded >= times;
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
	case FAKE_RECORD:
		record(c, r->address);
		return true;
	case FAKE_WAIT_EVENT:
		return is_recorded(c, r->address, r->value);
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

static int64_t processor_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * KB_NS_PER_S + t.tv_nsec;
}

/* False if the context is lost by that. */
static bool run_guarded(struct client *c, struct item *i, bool *over)
{
	if (!sigsetjmp(fault, 1)) {
		guarded = 1;
		*over = run(c, i);
		guarded = 0;
		return true;
	}
	guarded = 0;
	lose(c, FAKE_ILLEGAL_ADDRESS);
	return false;
}

/* For how long the item, which is first in its queue, cannot be over. One that waits
 * for an event is over when another is. */
static int64_t wait_ns(const struct item *i)
{
	switch (i->r.op) {
	case FAKE_WAIT_VALUE:
		return LOOK_NS;
	case FAKE_WAIT_EVENT:
		return INT64_MAX;
	default:
		return i->busy_until_ns == INT64_MAX ? INT64_MAX :
		       i->busy_until_ns - kb_clock_ns();
	}
}

int64_t streams_wait_ns(const struct client *c)
{
	int64_t least_ns = INT64_MAX;

	for (const struct stream *s = c->streams; s; s = s->next) {
		const int64_t ns = s->first && is_next(c, s)
			? wait_ns(s->first) : INT64_MAX;

		least_ns = ns < least_ns ? ns : least_ns;
	}
	return least_ns > 0 ? least_ns : 0;
}

/* What may begin as soon as what is first has. */
static struct item *early(const struct stream *s)
{
	struct item *next = s->first->next;

	return s->first->busy_until_ns && next && next->r.op == FAKE_LAUNCH &&
	       next->r.from ? next : NULL;
}

/* Do what is first in a queue. True if it is over. */
static bool advance(struct client *c, struct stream *s)
{
	bool over, ignored;
	int64_t start_ns;

	if (!s->first || !is_next(c, s))
		return false;
	start_ns = processor_ns();
	if (!run_guarded(c, s->first, &over))
		return true;
	if (over) {
		worked_ns += s->first->busy_ns + processor_ns() - start_ns;
		remove_first(s);
	} else if (early(s)) {
		return !run_guarded(c, early(s), &ignored);
	}
	return over;
}

bool streams_advance(struct client *c)
{
	bool any = false;

	for (struct stream *s = c->streams; s; s = s->next)
		any |= advance(c, s);
	remove_ended(c);
	return any;
}

/* --- requests -------------------------------------------------------- */

void streams_init(struct client *c)
{
	new_stream(c, 0, false);
}

static int end_stream(struct client *c)
{
	struct stream *s = c->r.stream ? find_stream(c, c->r.stream) : NULL;

	if (!s)
		return FAKE_INVALID_HANDLE;
	s->ended = true;
	return FAKE_OK;
}

int streams_answer(struct client *c, struct fake_reply *reply)
{
	switch (c->r.op) {
	case FAKE_STREAM_NEW:
		reply->address = new_stream(c, (uint32_t)memory_number(),
					    c->r.value)->number;
		return FAKE_OK;
	case FAKE_STREAM_END:
		return end_stream(c);
	case FAKE_EVENT_NEW:
		reply->address = new_event(c);
		return FAKE_OK;
	case FAKE_EVENT_END:
		return end_event(c);
	case FAKE_ELAPSED:
		return elapsed(c, &reply->bytes);
	case FAKE_SYNCHRONIZE:
		return synchronize(c);
	case FAKE_SYNCHRONIZE_ALL:
		return streams_idle(c) ? FAKE_OK : LATER;
	case FAKE_COPY_OUT:
		return copy_out(c);
	default:
		return enqueue(c);
	}
}

void streams_release(struct client *c)
{
	lose(c, FAKE_UNKNOWN);
	for (struct stream *s = c->streams; s; s = s->next)
		s->ended = true;
	remove_ended(c);
	while (c->events) {
		struct event *e = c->events;

		c->events = e->next;
		free(e);
	}
}
