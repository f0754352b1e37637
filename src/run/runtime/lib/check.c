/* The plan and the state that the supervisor hands over, checked. */

#include <string.h>

#include "base/err.h"
#include "runtime/lib/kbrt.h"

/*
 * Plan and state come to a candidate's worker from a reference by way of
 * the supervisor, so a broken one is a bug and not an attack. They are
 * still read only after these checks, for a bug should say where it is.
 */

static int check_specs(const struct kb_tensor_spec *specs, uint32_t count,
		       const char *noun, struct kb_err *err)
{
	for (uint32_t i = 0; i < count; i++)
		if (kb_tensor_bytes(&specs[i]) == UINT64_MAX)
			return kb_err(err, KB_ERR_CORRUPT,
				      "plan: %s %u makes no sense", noun, i);
	return 0;
}

int kbrt_plan_check(const struct kb_plan *plan, struct kb_err *err)
{
	int ret;

	if (plan->version != KB_PLAN_VERSION)
		return kb_err(err, KB_ERR_CORRUPT, "plan: version %u, not %d",
			      plan->version, KB_PLAN_VERSION);
	if (plan->input_count > KB_INPUTS_MAX ||
	    plan->output_count > KB_OUTPUTS_MAX)
		return kb_err(err, KB_ERR_CORRUPT, "plan: too many tensors");
	ret = check_specs(plan->inputs, plan->input_count, "input", err);
	if (ret < 0)
		return ret;
	return check_specs(plan->outputs, plan->output_count, "output", err);
}

static int check_entry(const struct kb_state_entry *e, uint64_t data_from,
		       uint64_t bytes, uint32_t index, struct kb_err *err)
{
	const uint64_t size = kb_tensor_bytes(&e->spec);

	if (!e->name[0] || !memchr(e->name, '\0', sizeof(e->name)))
		return kb_err(err, KB_ERR_CORRUPT, "state: entry %u has no name",
			      index);
	if (size == UINT64_MAX || e->offset_bytes % KB_STATE_ALIGN_BYTES)
		return kb_err(err, KB_ERR_CORRUPT,
			      "state: entry %u makes no sense", index);
	if (e->offset_bytes < data_from || e->offset_bytes > bytes ||
	    size > bytes - e->offset_bytes)
		return kb_err(err, KB_ERR_CORRUPT,
			      "state: entry %u lies outside", index);
	return 0;
}

int kbrt_state_check(const void *state, uint64_t bytes, struct kb_err *err)
{
	const struct kb_state_header *header = state;
	const struct kb_state_entry *entries = (const void *)(header + 1);
	uint64_t data_from;

	if (bytes < sizeof(*header) || header->magic != KB_STATE_MAGIC)
		return kb_err(err, KB_ERR_CORRUPT, "state: not a state");
	if (header->bytes != bytes)
		return kb_err(err, KB_ERR_CORRUPT, "state: the size is wrong");
	data_from = sizeof(*header) + header->count * (uint64_t)sizeof(*entries);
	if (data_from > bytes)
		return kb_err(err, KB_ERR_CORRUPT, "state: too many entries");

	for (uint32_t i = 0; i < header->count; i++) {
		int ret = check_entry(&entries[i], data_from, bytes, i, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}
