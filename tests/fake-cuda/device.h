#ifndef KB_TESTS_FAKE_CUDA_DEVICE_H
#define KB_TESTS_FAKE_CUDA_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "fake-cuda/wire.h"

/*
 * The parts of the stand-in device: its memory, its streams, and who talks
 * to it. device.c says what it is.
 */

/* How a request ends if not with an enum fake_error: not yet; or it is not
 * one for memory_answer(). */
#define LATER (-1)
#define NOT_ABOUT_MEMORY (-2)

struct thing;
struct stream;
struct event;

struct client {
	int fd;
	pid_t pid;
	int memory_fd;			/* what it has mapped, if it said */
	int32_t error;			/* sticky */
	unsigned gpu;			/* whose memory it has */
	unsigned char *stage;
	struct thing *things;
	struct stream *streams;		/* the legacy stream is in it */
	struct event *events;
	struct fake_request r;		/* being answered, if it is `held` */
	bool held;
	int r_fd;
};

static inline void *host(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

/* --- memory, device_memory.c ------------------------------------------ */

void memory_limit(uint64_t bytes);

/* Once a client that has allocated so much is gone, as much is not given back for
 * so long; 0 is for ever. */
void memory_leak(uint64_t bytes, int64_t for_ns);

/* The next of numbers that are never used twice. */
uint64_t memory_number(void);

/* Returns an enum fake_error or one of the above. A descriptor for the
 * client, if there is one, is borrowed. */
int memory_answer(struct client *c, struct fake_reply *reply, int *fd);

/* Do these bytes lie in one thing of the client's? */
bool memory_has(const struct client *c, uint64_t at, uint64_t bytes);

/* And does the device itself see them? */
bool memory_sees(const struct client *c, uint64_t at, uint64_t bytes);

/* Is this word in memory that the client registered? */
bool memory_is_registered(const struct client *c, uint64_t at);

/* A word of a client's own memory: a GPU's access to the host's. It works
 * while the client is stopped. */
bool memory_move_word(const struct client *c, uint64_t at, uint32_t *word,
		      bool store);

void memory_release(struct client *c);

/* --- streams, device_streams.c ---------------------------------------- */

/* Kernels that touch what is not theirs are caught from here on. */
void streams_catch_faults(void);

/* The client's legacy stream. */
void streams_init(struct client *c);

/* A request about streams, or one that goes into a queue. */
int streams_answer(struct client *c, struct fake_reply *reply);

bool streams_idle(const struct client *c);

/* For how long nothing can be over, in nanoseconds, unless a request comes before;
 * INT64_MAX, if nothing is queued. */
int64_t streams_wait_ns(const struct client *c);

/* Do what can be done. True if something is over. */
bool streams_advance(struct client *c);

void streams_release(struct client *c);

#endif
