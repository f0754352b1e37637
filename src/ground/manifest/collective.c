#include "manifest/collective.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"

static const char *const names[KB_COLLECTIVE_COUNT] = {
	[KB_NO_COLLECTIVE] = "none",
	[KB_ALL_REDUCE] = "all_reduce",
	[KB_ALL_GATHER] = "all_gather",
	[KB_REDUCE_SCATTER] = "reduce_scatter",
	[KB_ALL_TO_ALL] = "all_to_all",
	[KB_BROADCAST] = "broadcast",
};

const char *kb_collective_name(const struct kb_collective *c)
{
	return names[c->operation];
}

/* Among n ranks an all-reduce moves 2 (n - 1) / n of its bytes over each link,
 * a broadcast moves all of them, and the others move (n - 1) / n. */
int64_t kb_collective_bus_bytes(const struct kb_collective *c, int world,
				enum kb_precision precision)
{
	const struct kb_tensor_facts tensor = {
		.dtype = KB_FLOAT32, .shape = { c->elements }, .dim_count = 1,
	};
	const int64_t bytes = kb_tensor_facts_bytes(&tensor, precision);

	switch (c->operation) {
	case KB_ALL_REDUCE:
		return 2 * (world - 1) * bytes / world;
	case KB_ALL_GATHER:
	case KB_REDUCE_SCATTER:
	case KB_ALL_TO_ALL:
		return (world - 1) * bytes / world;
	case KB_BROADCAST:
		return bytes;
	case KB_NO_COLLECTIVE:
	case KB_COLLECTIVE_COUNT:
		break;
	}
	return 0;
}

struct kb_json *kb_collective_to_json(const struct kb_collective *c)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "operation", kb_collective_name(c));
	kb_json_set_int(v, "elements", c->elements);
	return v;
}

int kb_collective_from_json(struct kb_collective *c, const struct kb_json *v,
			    const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	c->operation = 1 + (enum kb_collective_operation)kb_fields_word(
		&f, "operation", names + 1, KB_COLLECTIVE_COUNT - 1);
	c->elements = kb_fields_int(&f, "elements", 1,
				    KB_COLLECTIVE_ELEMENTS_MAX);
	return kb_fields_end(&f);
}

void kb_collective_read(struct kb_collective *c, struct kb_fields *f)
{
	const char key[] = "collective";
	const struct kb_json *v = kb_fields_has(f, key)
					  ? kb_fields_object(f, key) : NULL;

	if (v)
		f->ret = kb_collective_from_json(c, v, f->where, f->err);
}
