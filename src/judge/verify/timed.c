#include "verify/timed.h"

#include <stdio.h>

#include "manifest/baseline.h"
#include "manifest/result.h"

const char *const kb_timed_clocks[KB_CLOCK_COUNT] = {
	[KB_CLOCK_CALL] = "the call clock",
	[KB_CLOCK_DEVICE] = "the device clock",
};

void kb_timed_name(char out[KB_TIMED_NAME_SIZE], const struct kb_timed *t)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, t->key);
	if (t->sample_id < 0)
		snprintf(out, KB_TIMED_NAME_SIZE, "%s", key);
	else
		snprintf(out, KB_TIMED_NAME_SIZE, "%s sample %d%s", key,
			 t->sample_id, t->is_reference ? ", reference" : "");
}

/* Has it been timed by the device, if it was timed at all? */
static bool is_by_device(const struct kb_timing *call,
			 const struct kb_device_timing *device)
{
	return device ? device->timing != NULL : !call;
}

void kb_timed_result(const struct kb_result *r,
		     void (*take)(void *into, const struct kb_timed *t),
		     void *into)
{
	const bool by_device =
		is_by_device(r->timing, r->device_timing) &&
		is_by_device(r->reference_timing, r->reference_device_timing);
	const struct kb_timed reference = {
		.key = r->key, .sample_id = r->sample_id,
		.is_reference = true, .by_device = by_device,
		.wall_ns = r->outcome.wall_ns,
		.call = r->reference_timing,
		.device = r->reference_device_timing,
	};
	const struct kb_timed candidate = {
		.key = r->key, .sample_id = r->sample_id,
		.by_device = by_device, .wall_ns = r->outcome.wall_ns,
		.call = r->timing, .paired_call = reference.call,
		.device = r->device_timing, .paired_device = reference.device,
	};

	if (candidate.call || candidate.device)
		take(into, &candidate);
	if (reference.call || reference.device)
		take(into, &reference);
}

void kb_timed_each(const struct kb_baseline *b,
		   void (*take)(void *into, const struct kb_timed *t),
		   void *into)
{
	for (size_t i = 0; i < b->result_count; i++) {
		const struct kb_reference_result *r = &b->results[i];
		const struct kb_timed t = {
			.key = r->key, .sample_id = -1, .is_reference = true,
			.call = r->timing, .device = r->device_timing,
			.wall_ns = r->outcome.wall_ns,
			.by_device = is_by_device(r->timing, r->device_timing),
		};

		if (t.call || t.device)
			take(into, &t);
	}
}
