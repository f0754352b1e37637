#ifndef KB_TESTS_FAKE_CUDA_WIRE_H
#define KB_TESTS_FAKE_CUDA_WIRE_H

#include <stdint.h>

/*
 * What link.c, in each process, says to device.c: one struct
 * fake_request, answered by one struct fake_reply, over a SOCK_SEQPACKET
 * socket named FAKE_SOCKET in the directory that the library was loaded
 * from. A reply that has to wait for the device comes when it is due.
 */
#define FAKE_SOCKET "device"

/*
 * Where device addresses are: nowhere near what mmap() hands out, so they
 * are one address space for all processes and mapped in none of them; only
 * memory of cuMemHostAlloc() is mapped on both sides.
 */
#define FAKE_ARENA (UINT64_C(0x20) << 40)
#define FAKE_ARENA_BYTES (UINT64_C(0x10) << 40)

#define FAKE_GRANULARITY_BYTES ((uint64_t)2 << 20)

/* Copies from and to a process's own memory go through this much. */
#define FAKE_STAGE_BYTES ((uint64_t)1 << 20)

/* They share a processor, and each has memory of its own. */
#define FAKE_GPUS_MAX 256

/* Of the one argument of a kernel. */
#define FAKE_ARGUMENT_BYTES 1024

enum fake_error {
	FAKE_OK = 0,
	FAKE_INVALID_VALUE = 1,
	FAKE_OUT_OF_MEMORY = 2,
	FAKE_NOT_INITIALIZED = 3,
	FAKE_NO_DEVICE = 100,
	FAKE_INVALID_DEVICE = 101,
	FAKE_INVALID_CONTEXT = 201,
	FAKE_INVALID_HANDLE = 400,
	FAKE_NOT_FOUND = 500,
	FAKE_ILLEGAL_ADDRESS = 700,
	FAKE_ALREADY_REGISTERED = 712,
	FAKE_NOT_REGISTERED = 713,
	FAKE_NOT_READY = 600,
	FAKE_NOT_SUPPORTED = 801,
	FAKE_CAPTURE_UNSUPPORTED = 900,
	FAKE_CAPTURE_INVALIDATED = 901,
	FAKE_UNKNOWN = 999,
};

/* The members that a request uses; -> those of its reply. */
enum fake_op {
	FAKE_INIT,		/* -> fd of the stage */
	FAKE_USE,		/* value: which GPU, from 0; its memory counts */
	FAKE_MEMORY,		/* -> address: free; bytes: all */
	FAKE_CREATE,		/* bytes -> address: a handle */
	FAKE_RELEASE,		/* address: a handle */
	FAKE_EXPORT,		/* address: a handle -> fd */
	FAKE_IMPORT,		/* value: inode of an fd -> address: a handle */
	FAKE_RESERVE,		/* bytes -> address */
	FAKE_UNRESERVE,		/* address, bytes */
	FAKE_MAP,		/* address, bytes, value: handle, from: offset */
	FAKE_UNMAP,		/* address, bytes */
	FAKE_ALLOW,		/* address, bytes */
	FAKE_ALLOCATE,		/* bytes -> address */
	FAKE_FREE,		/* address; waits for all streams */
	FAKE_HOST_ALLOCATE,	/* bytes -> address, fd */
	FAKE_HOST_FREE,		/* address; waits for all streams */
	FAKE_REGISTER,		/* address, bytes, maybe fd: /proc/self/mem */
	FAKE_UNREGISTER,	/* address */
	FAKE_FIND_REGISTERED,	/* address */
	FAKE_STREAM_NEW,	/* value: flags -> address: its number */
	FAKE_STREAM_END,	/* stream */
	FAKE_SYNCHRONIZE,	/* stream */
	FAKE_SYNCHRONIZE_ALL,
	FAKE_EVENT_NEW,		/* -> address: its number */
	FAKE_EVENT_END,		/* address */
	FAKE_ELAPSED,		/* from, address: events -> bytes: ns between */
	/* What is queued. */
	FAKE_RECORD,		/* stream, address: an event */
	FAKE_WAIT_EVENT,	/* stream, address: an event */
	FAKE_WAIT_VALUE,	/* stream, address, value */
	FAKE_WRITE_VALUE,	/* stream, address, value */
	FAKE_COPY,		/* stream, address, from, bytes */
	FAKE_COPY_IN,		/* stream, address, bytes: from the stage */
	FAKE_COPY_OUT,		/* stream, from, bytes: to the stage */
	FAKE_LAUNCH,		/* stream, value: kernel, from: early or not, grid,
				 * block, argument */
};

struct fake_request {
	uint32_t op;
	uint32_t stream;		/* 0: the legacy stream */
	uint32_t grid[3], block[3];
	uint64_t address, from, bytes, value;
	_Alignas(8) unsigned char argument[FAKE_ARGUMENT_BYTES];
};

struct fake_reply {
	int32_t result;			/* enum fake_error */
	uint64_t address, bytes;
};

#endif
