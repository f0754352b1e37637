#ifndef KB_MANIFEST_COLLECTIVE_H
#define KB_MANIFEST_COLLECTIVE_H

#include <stdint.h>

#include "manifest/tensor_facts.h"

struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * The one collective operation in each call of a problem of several ranks, as the
 * author of the problem states it. Its bus bandwidth is what NCCL's tests call so
 * (github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md): the bytes that a rank's link
 * has to carry, whatever the number of ranks, in the time of the call.
 */
enum kb_collective_operation {
	KB_NO_COLLECTIVE,
	KB_ALL_REDUCE,
	KB_ALL_GATHER,
	KB_REDUCE_SCATTER,
	KB_ALL_TO_ALL,
	KB_BROADCAST,
	KB_COLLECTIVE_COUNT,		/* not an operation */
};

struct kb_collective {
	enum kb_collective_operation operation;
	int64_t elements;		/* floating-point numbers of the larger
					   tensor of a rank: what it gathers,
					   or what it scatters */
};

#define KB_COLLECTIVE_ELEMENTS_MAX ((int64_t)1 << 44)

const char *kb_collective_name(const struct kb_collective *c);

/* The bytes on the bus in each call of `world` ranks; 0 without a collective. */
int64_t kb_collective_bus_bytes(const struct kb_collective *c, int world,
				enum kb_precision precision);

struct kb_json *kb_collective_to_json(const struct kb_collective *c);
int kb_collective_from_json(struct kb_collective *c, const struct kb_json *v,
			    const char *where, struct kb_err *err);

/* The member "collective", if it is there. */
void kb_collective_read(struct kb_collective *c, struct kb_fields *f);

#endif
